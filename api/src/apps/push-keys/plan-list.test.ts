import { expect, test } from 'vitest';
import { inWords, planList } from './plan-list.ts';

const plan = (listed: string, from: string, to: string) => {
  const names = (text: string) => text.split(' ').filter(Boolean);
  const { add, remove } = planList({ listed: names(listed), from: names(from), to: names(to) });
  return [add.join(' '), remove.join(' ')];
};

test('names what is missing, and what is to go', () => {
  expect(plan('a b', 'a b', 'b c')).toEqual(['c', 'a']);
  expect(plan('', '', 'a b')).toEqual(['a b', '']);
  expect(plan('a', 'a', 'a')).toEqual(['', '']);
});

test.each([
  ['after the first name', 'a b c', 'a b', 'c d', ['d', 'a b']],
  ['after all names', 'a b c d', 'a b', 'c d', ['', 'a b']],
  ['after the first removal', 'b c d', 'a b', 'c d', ['', 'b']],
  ['at its end', 'c d', 'a b', 'c d', ['', '']],
])('goes on where a try was cut off %s', (_, listed, from, to, left) => {
  expect(plan(listed, from, to)).toEqual(left);
});

test.each([
  ['a name came', 'a b x', 'a b', 'a', 'x may push by now'],
  ['a name that stays went', 'b', 'a b', 'a c', 'a may not push any more'],
  ['a name went before ours were added', 'b', 'a b', 'b c', 'a may not push any more'],
  ['the list was emptied', '', 'a', 'b', 'it is empty, so every key of the server may push'],
  ['a list was made', 'x', '', 'a', 'x may push by now'],
])('refuses where %s', (_, listed, from, to, text) => {
  expect(() => plan(listed, from, to)).toThrow(text);
});

test('of many names the first three are told', () => {
  expect(inWords(['a', 'b', 'c'])).toBe('a, b, c');
  expect(inWords(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 more');
});
