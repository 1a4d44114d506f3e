import type { Operation } from '@homeport/contract/operations/schema';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Warnings } from './Warnings.tsx';

const step = (key: string, state: string, note: string | null = null) => ({
  key,
  title: `Step ${key}`,
  state,
  note,
});
const shown = (state: Operation['state'], steps: unknown[]) =>
  renderToStaticMarkup(createElement(Warnings, { operation: { state, steps } as Operation }));

test('the window of work that succeeded says what did not, beside the result', () => {
  const text = shown('succeeded', [
    step('create', 'done', 'The app was made.'),
    step('record', 'warned', 'Other records stand at this name by now.'),
    step('https', 'warned'),
    step('add', 'skipped', 'Its page adds the domain later.'),
  ]);
  expect(text).toContain('<p>Other records stand at this name by now.</p><p>Step https</p>');
  expect(text).not.toContain('The app was made.');
  expect(text).not.toContain('later');
});

test('work without a warning, or whose steps are still shown, has no such notice', () => {
  expect(shown('succeeded', [step('create', 'done', 'The app was made.')])).toBe('');
  expect(shown('failed', [step('record', 'warned', 'Other records stand there.')])).toBe('');
});
