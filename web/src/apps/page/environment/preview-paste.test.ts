import { expect, it } from 'vitest';
import { previewPaste } from './preview-paste.ts';
import type { Variable } from './staged-changes.ts';

const variables: Variable[] = [
  { key: 'MODE', value: 'production', state: 'kept', managed: false },
  { key: 'OLD', value: 'x', state: 'removed', managed: false },
  { key: 'PORT', value: '5000', state: 'kept', managed: true },
];

it('shows the change of each key', () => {
  const { rows } = previewPaste('MODE=production\nOLD=y\nPORT=80\nNEW=1\n', variables);
  expect(rows.map(({ key, state }) => [key, state])).toEqual([
    ['MODE', 'kept'],
    ['OLD', 'added'],
    ['PORT', 'refused'],
    ['NEW', 'added'],
  ]);
});

it('removes an existing key that the file leaves empty', () => {
  const { rows } = previewPaste('MODE=\nGONE=\n', variables);
  expect(rows.map(({ state }) => state)).toEqual(['removed', 'kept']);
});

it('warns of a number that Dokku rewrites', () => {
  expect(previewPaste('ZIP=01234', []).rows[0]?.note).toContain('1234');
});
