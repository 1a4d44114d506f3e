import { expect, it } from 'vitest';
import { newOnes } from './new-ones.ts';

const open = (id: string) => ({ id, state: 'open' as const });

it('says nothing of what waited before the page began, and of each later one once', () => {
  expect(newOnes([open('a')], null)).toEqual([]);
  expect(newOnes([open('b'), open('a')], new Set(['a']))).toEqual([open('b')]);
  expect(newOnes([open('b'), open('a')], new Set(['a', 'b']))).toEqual([]);
});

it('says nothing of one that is over already', () => {
  expect(newOnes([{ id: 'b', state: 'withdrawn' }], new Set(['a']))).toEqual([]);
});
