import type { Operation } from '@homeport/contract/operations/schema';
import { expect, test } from 'vitest';
import { lastToReadAfter } from './last-to-read-after.ts';

const work = (id: string, kind: Operation['kind'], state: Operation['state']) => ({ id, kind, state });
const dump = work('dump', 'database.dump', 'succeeded');

test('the server is asked again after each work that ended', () => {
  expect(lastToReadAfter([])).toBeNull();
  expect(lastToReadAfter([dump])).toBe('dump');
  expect(lastToReadAfter([work('restore', 'database.restore', 'running'), dump])).toBe('dump');
  expect(lastToReadAfter([work('restore', 'database.restore', 'failed'), dump])).toBe('restore');
});

test('a deletion that succeeded leaves nothing to ask about', () => {
  expect(lastToReadAfter([work('end', 'database.delete', 'running'), dump])).toBe('dump');
  expect(lastToReadAfter([work('end', 'database.delete', 'succeeded'), dump])).toBe('dump');
  expect(lastToReadAfter([work('end', 'database.delete', 'failed'), dump])).toBe('end');
});
