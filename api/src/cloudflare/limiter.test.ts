import { expect, test } from 'vitest';
import type { Credential } from './credential.ts';
import { createLimiter } from './limiter.ts';

const token = (secret: string): Credential => ({ kind: 'token', email: null, secret: Buffer.from(secret) });

/** Takes at 100 a second, which is below what everybody together may, until a wait is answered. */
function takeUntilRefused(
  limiter: ReturnType<typeof createLimiter>,
  credential: Credential,
  clock: { now: number },
) {
  for (let taken = 0; taken < 5_000; taken += 1) {
    const wait = limiter.take(credential);
    if (wait > 0) return { taken, wait };
    clock.now += 10;
  }
  throw new Error('The limiter refused nothing.');
}

test('one credential gets 1,200 requests in five minutes, and is told when it goes on', () => {
  const clock = { now: 1_000_000_000_000 };
  const limiter = createLimiter(() => clock.now);
  const { taken, wait } = takeUntilRefused(limiter, token('a'), clock);
  expect(taken).toBe(1_200);
  expect(wait).toBeLessThanOrEqual(300_000);
  expect(limiter.take(token('b'))).toBe(0);
  clock.now += wait;
  expect(limiter.take(token('a'))).toBe(0);
});

test('everybody together gets 200 requests in a second', () => {
  const clock = { now: 1_000_000_000_000 };
  const limiter = createLimiter(() => clock.now);
  const answers = Array.from({ length: 250 }, (_, at) => limiter.take(token(String(at))));
  expect(answers.filter((wait) => wait === 0)).toHaveLength(200);
  expect(Math.max(...answers)).toBeLessThanOrEqual(1_000);
});

test('one credential takes half of a second at most, and leaves the rest to other people', () => {
  const clock = { now: 1_000_000_000_000 };
  const limiter = createLimiter(() => clock.now);
  const answers = Array.from({ length: 250 }, () => limiter.take(token('a')));
  expect(answers.filter((wait) => wait === 0)).toHaveLength(100);
  expect(Math.max(...answers)).toBeLessThanOrEqual(1_000);
  expect(limiter.take(token('b'))).toBe(0);
  clock.now += 1_000;
  expect(limiter.take(token('a'))).toBe(0);
});

test('the keys of one user count together, by their e-mail address', () => {
  const clock = { now: 1_000_000_000_000 };
  const limiter = createLimiter(() => clock.now);
  const key = (secret: string): Credential => ({
    kind: 'global_key',
    email: 'ines@example.com',
    secret: Buffer.from(secret),
  });
  takeUntilRefused(limiter, key('one'), clock);
  expect(limiter.take(key('two'))).toBeGreaterThan(0);
});

test('a refusal of Cloudflare’s holds for its credential alone, and never for longer than ten minutes', () => {
  const clock = { now: 1_000_000_000_000 };
  const limiter = createLimiter(() => clock.now);
  limiter.refuse(token('a'), 30_000);
  expect([limiter.take(token('a')), limiter.take(token('b'))]).toEqual([30_000, 0]);
  limiter.refuse(token('a'), 1e12);
  expect(limiter.take(token('a'))).toBe(600_000);
});
