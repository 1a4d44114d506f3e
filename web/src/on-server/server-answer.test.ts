import { expect, test } from 'vitest';
import { answerOf } from './server-answer.ts';

const query = { data: undefined, error: null, isFetching: false, refetch: () => undefined };

test('a section that nobody has looked at is not loading: its server is not asked', () => {
  expect(answerOf(query, 'connected')).toEqual({ kind: 'not_asked' });
});

test('an answer that is on its way loads', () => {
  expect(answerOf({ ...query, isFetching: true }, 'connected')).toEqual({ kind: 'loading' });
  expect(answerOf(query, undefined)).toEqual({ kind: 'loading' });
});

test('an answer is shown while it is asked for again', () => {
  expect(answerOf({ ...query, data: 7, isFetching: true }, 'connected')).toEqual({ kind: 'ready', data: 7 });
});
