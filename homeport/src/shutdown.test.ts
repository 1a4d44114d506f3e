import { expect, test } from 'vitest';
import { createCleanup } from './shutdown.ts';

test('ends what was started, last first, once', async () => {
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

test('goes on where one fails, and says which', async () => {
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

test('does not wait for ever', async () => {
  const failed: string[] = [];
  const cleanup = createCleanup(10, (what) => failed.push(what));
  cleanup.add('api', () => new Promise(() => {}));
  expect(await cleanup.run()).toBe(false);
  expect(failed).toEqual(['the end of the console']);
});
