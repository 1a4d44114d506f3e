import type { KeptRelease, Releases } from '@homeport/contract/apps/releases/schema';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ReleaseNotes } from './ReleaseNotes.tsx';

const kept: KeptRelease = {
  ...{ id: 'a', commit: null, keptAt: 5, bytes: 1, serving: false, holdsVariables: false },
};
const noteOf = (changes: Partial<Releases>) =>
  renderToStaticMarkup(
    createElement(ReleaseNotes, { releases: { kept: [kept], known: true, cutOff: null, ...changes } }),
  );

test('where nothing is in the way nothing is said', () => {
  expect(noteOf({})).toBe('');
});

test('a going-back that was cut off is said, with what ends it', () => {
  const note = noteOf({ cutOff: 'b' });
  expect(note).toContain('A going-back was cut off on the server');
  expect(note).toContain('Go back to one of the kept versions, or rebuild: each ends what was left.');
});

test('where nothing is kept only a rebuild ends a going-back that was cut off', () => {
  const note = noteOf({ cutOff: 'b', kept: [] });
  expect(note).toContain('Rebuild the app: that ends what was left.');
  expect(note).not.toContain('kept versions');
});

test('a Docker that does not answer is said', () => {
  expect(noteOf({ known: false, kept: [] })).toContain('Docker did not say which versions the server keeps.');
});
