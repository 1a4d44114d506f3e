import { expect, test } from 'vitest';
import { sumByRule } from './use-figures.ts';

test('the points of a rule are added up, and the longest time of all stays', () => {
  const point = {
    rule: 'a',
    at: 0,
    requests: 2,
    errors: 1,
    hits: 1,
    bytes: 10,
    latencyMs: 30,
    latencyMaxMs: 20,
  };
  const later = { ...point, at: 60_000, requests: 4, latencyMs: 30, latencyMaxMs: 25 };
  expect(sumByRule([point, later, { ...point, rule: 'source', requests: 0 }])).toEqual([
    { rule: 'a', requests: 6, errors: 2, hits: 2, bytes: 20, averageMs: 10, longestMs: 25 },
    { rule: 'source', requests: 0, errors: 1, hits: 1, bytes: 10, averageMs: null, longestMs: 20 },
  ]);
});
