import { expect, test } from 'vitest';
import { moved, movedText, placeAt, rulesAfter } from './reorder.ts';

const items = ['a', 'b', 'c'].map((id) => ({ id }));
const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).join('');

test('an item goes to its new place, and never beyond the ends', () => {
  expect(ids(moved(items, 'a', 1))).toBe('bac');
  expect(ids(moved(items, 'c', 0))).toBe('cab');
  expect(ids(moved(items, 'b', -5))).toBe('bac');
  expect(ids(moved(items, 'b', 99))).toBe('acb');
  expect(ids(moved(items, 'x', 0))).toBe('abc');
});

test('moves show until the version of the proxy has them', () => {
  const first = { rule: 'a', to: 2, savedAs: 5 };
  const second = { rule: 'c', to: 0 };
  expect(ids(rulesAfter({ version: 4, rules: items }, [first, second]))).toBe('cba');
  const saved = { version: 5, rules: ['c', 'b', 'a'].map((id) => ({ id })) };
  expect(ids(rulesAfter(saved, [first]))).toBe('cba');
  expect(ids(rulesAfter({ ...saved, version: 6, rules: items }, [first]))).toBe('abc');
});

test('the pointer chooses the place between the rows that it is between', () => {
  const middles = [10, 30];
  expect([5, 20, 40].map((y) => placeAt(y, middles))).toEqual([0, 1, 2]);
});

test('a move is told with its place and the number of rules', () => {
  expect(movedText(2, 1, 4)).toBe('Rule 3 moved to position 2 of 4');
});
