import { expect, test } from 'vitest';
import { standsAlone } from './stands-alone.ts';

const linesOf = (count: number) =>
  `${Array.from({ length: count }, () => '22/tcp ALLOW Anywhere').join('\n')}\n\n`;

test('a short answer takes the row, and one as high as the settings stands beside them', () => {
  expect([6, 7].map((count) => standsAlone(linesOf(count), true))).toEqual([true, false]);
  expect([11, 12].map((count) => standsAlone(linesOf(count), false))).toEqual([true, false]);
});

test('an answer without text takes the row', () => {
  expect(standsAlone('', true)).toBe(true);
});
