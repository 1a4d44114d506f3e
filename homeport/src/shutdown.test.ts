import { expect, test } from 'vitest';
import { createCleanup } from './shutdown.ts';

test('ends everything that was started once, last first', async () => {
  const ended: string[] = [];
  const cleanup = createCleanup(1_000, () => {});
  for (const name of ['store', 'api', 'server']) {
    cleanup.add(name, async () => {
      ended.push(name);
    });
  }
  expect(await Promise.all([cleanup.run(), cleanup.run()])).toEqual([true, true]);
  expect(ended).toEqual(['server', 'api', 'store']);
});

test('goes on when one part fails, and names that part', async () => {
  const ended: string[] = [];
  const failed: string[] = [];
  const cleanup = createCleanup(1_000, (what) => failed.push(what));
  cleanup.add('store', () => {
    ended.push('store');
  });
  cleanup.add('api', () => Promise.reject(new Error('stuck')));
  expect(await cleanup.run()).toBe(false);
  expect({ ended, failed }).toEqual({ ended: ['store'], failed: ['api'] });
});

test('does not wait forever', async () => {
  const failed: string[] = [];
  const cleanup = createCleanup(10, (what) => failed.push(what));
  cleanup.add('api', () => new Promise(() => {}));
  expect(await cleanup.run()).toBe(false);
  expect(failed).toEqual(['the end of the console']);
});
