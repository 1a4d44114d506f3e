import { expect, test } from 'vitest';
import { createTurns } from './turns.ts';

test('limits the work under one key, keeps its order, and lets other keys go on', async () => {
  const turns = createTurns(2);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (key: string, name: string) =>
    turns.take(key, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const all = [work('a', '1'), work('a', '2'), work('a', '3'), work('a', '4'), work('b', '5')];
  expect(begun).toEqual(['1', '2', '5']);
  ends.get('2')?.();
  await all[1];
  expect(begun).toEqual(['1', '2', '5', '3']);
  ends.get('1')?.();
  await all[0];
  expect(begun).toEqual(['1', '2', '5', '3', '4']);
  for (const end of ends.values()) end();
  await Promise.all(all);
});

test('failed work frees its place', async () => {
  const turns = createTurns(1);
  const failed = turns.take('a', () => Promise.reject(new Error('no')));
  const next = turns.take('a', () => Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
