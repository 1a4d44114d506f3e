import { remoteLineCharacters } from '@homeport/contract/limits';
import { expect, test } from 'vitest';
import { linesOf } from './output.ts';

test('a line that is too long is cut before a reader sees it, and the next line is whole', () => {
  const [long, next, ...more] = linesOf(`${'a'.repeat(1_000_000)}\nnext\n`);
  expect(long).toBe('a'.repeat(remoteLineCharacters));
  expect([next, more]).toEqual(['next', []]);
});
