import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ApiProblem } from '../data/api-problem.ts';
import { failureOf, NotLoaded } from './NotLoaded.tsx';

const error = new ApiProblem({ code: 'unavailable', message: 'The console is away.', recovery: 'Wait.' });
const dataUpdatedAt = Date.parse('2026-07-01T10:00:00Z');
const markup = (data: unknown, failure: Error | null, isPending = false) =>
  renderToStaticMarkup(
    createElement(NotLoaded, {
      query: { data, dataUpdatedAt, error: failure, isPending, refetch: () => undefined },
      title: 'The tokens could not be loaded',
    }),
  );

test('a section that was never loaded says why, and offers to try again', () => {
  expect(markup(undefined, error)).toContain('The tokens could not be loaded');
  expect(markup(undefined, error)).toContain('The console is away.');
  expect(markup(undefined, error)).toContain('Try again');
});

test('a section that was loaded before says in one line that it is old, and so does an empty one', () => {
  for (const data of [[{ id: 'a' }], [], null]) {
    const line = markup(data, error);
    expect(line).toMatch(/^<p /);
    expect(line).toContain(
      'The tokens could not be loaded again. Shown is what was read on <time dateTime="2026-07-01T10:00:00.000Z"',
    );
    expect(line).toContain('Try again');
  }
});

test('a section that was loaded says nothing', () => {
  expect(markup(undefined, null)).toBe('');
  expect(markup([], null)).toBe('');
});

test('before the first answer a skeleton stands there', () => {
  expect(markup(undefined, null, true)).toContain('aria-hidden="true"');
});

test('a failure stays while the section reads again, until there is an answer', () => {
  expect(failureOf({ data: undefined, error }, null)).toBe(error);
  expect(failureOf({ data: undefined, error: null }, error)).toBe(error);
  expect(failureOf({ data: [], error: null }, error)).toBeNull();
});
