import { setImmediate as pass } from 'node:timers/promises';
import { passwordsWaiting } from '@homeport/contract/limits';
import { testDatabase } from '@homeport/store/testing';
import { hash } from '@node-rs/argon2';
import { expect, it } from 'vitest';
import { authOptionsFor } from './testing.ts';
import { createQueue, QueueFull } from './waiting/queue.ts';

it('runs one work at a time, in order, and goes on after a failure', async () => {
  const queue = createQueue(10);
  const begun: number[] = [];
  let [underWay, most] = [0, 0];
  const works = [1, 2, 3].map((number) =>
    queue(async () => {
      begun.push(number);
      underWay += 1;
      most = Math.max(most, underWay);
      await pass();
      underWay -= 1;
      if (number === 2) throw new Error('two');
      return number;
    }),
  );
  expect(await Promise.allSettled(works)).toMatchObject([{ value: 1 }, { status: 'rejected' }, { value: 3 }]);
  expect({ begun, most }).toEqual({ begun: [1, 2, 3], most: 1 });
});

it('refuses work at once while too many works wait, and takes work again when one has ended', async () => {
  const queue = createQueue(2);
  const works = [1, 2, 3].map((number) => queue(() => pass(number)));
  await expect(queue(() => pass(4))).rejects.toBeInstanceOf(QueueFull);
  expect(await Promise.all(works)).toEqual([1, 2, 3]);
  expect(await queue(() => pass(5))).toBe(5);
});

it('checks one password at a time', async () => {
  await using passwords = await passwordChecks();
  const { verify } = passwords;
  // Side by side, the cheap check would end long before the dear one.
  const dear = await hash('x', { memoryCost: 65_536, timeCost: 8 });
  const cheap = await hash('x', { memoryCost: 64, timeCost: 1, parallelism: 1 });
  const ended: string[] = [];
  const check = async (what: string, stored: string) => {
    expect(await verify({ hash: stored, password: 'x' })).toBe(true);
    ended.push(what);
  };
  await Promise.all([check('dear', dear), check('cheap', cheap)]);
  expect(ended).toEqual(['dear', 'cheap']);
});

it('refuses a check at once, in plain words, while too many wait', async () => {
  await using passwords = await passwordChecks();
  const stored = await hash('x', { memoryCost: 64, timeCost: 1, parallelism: 1 });
  const check = () => passwords.verify({ hash: stored, password: 'x' });
  const waiting = Array.from({ length: passwordsWaiting + 1 }, check);
  await expect(check()).rejects.toMatchObject({
    statusCode: 503,
    message: 'Too many people sign in at this moment. Nothing was changed. Try again in a minute.',
  });
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
  expect(await check()).toBe(true);
});

/** The check of passwords as the api makes it. */
async function passwordChecks() {
  const database = await testDatabase();
  const { verify } = authOptionsFor(database.store).emailAndPassword.password;
  return { verify, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() };
}
