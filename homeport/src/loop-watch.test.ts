import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { type LoopWatch, watchLoop } from './loop-watch.ts';

let watch: LoopWatch | undefined;
afterEach(() => watch?.stop());

const holdLoop = (ms: number) => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

it('reports how late the loop was, and logs it', async () => {
  const warned: unknown[] = [];
  watch = watchLoop({ warn: (...said: unknown[]) => void warned.push(said) }, 1_000);
  await wait(200);
  holdLoop(400);
  const { delay } = watch;
  await expect.poll(() => delay().worstMs).toBeGreaterThan(300);
  await expect.poll(() => warned).not.toEqual([]);
  expect(warned[0]).toEqual([
    { p99Ms: expect.any(Number), worstMs: expect.any(Number) },
    'the event loop was held up',
  ]);
});

it('forgets delays before the last whole period', async () => {
  watch = watchLoop({ warn: () => {} }, 1_500);
  await wait(120);
  holdLoop(2_500);
  const { delay } = watch;
  await expect.poll(() => delay().worstMs).toBeGreaterThan(2_000);
  await expect.poll(() => delay().worstMs, { timeout: 15_000 }).toBeLessThan(2_000);
});

it('reports a delay that begins at the end of a period', async () => {
  // The first warning comes at the end of a period, and holds the loop from there on.
  const heldByWarnings = [600];
  watch = watchLoop({ warn: () => holdLoop(heldByWarnings.pop() ?? 0) }, 500);
  const { delay } = watch;
  await wait(120);
  holdLoop(300);
  await expect.poll(() => heldByWarnings).toEqual([]);
  await expect.poll(() => delay().worstMs, { interval: 10 }).toBeGreaterThan(500);
});
