import { expect, test, vi } from 'vitest';
import { createParting } from './parting.ts';

test('a session that holds nothing closes at once, and another one’s holders do not matter', () => {
  const parting = createParting();
  parting.hold('other');
  const close = vi.fn();
  parting.whenDone('one', close);
  expect(close).toHaveBeenCalledTimes(1);
});

test('the last holder that is done closes, once', () => {
  const parting = createParting();
  const [first, second] = [parting.hold('one'), parting.hold('one')];
  const close = vi.fn();
  parting.whenDone('one', close);
  parting.whenDone('one', close);
  first();
  first();
  expect(close).not.toHaveBeenCalled();
  second();
  expect(close).toHaveBeenCalledTimes(1);
});

test('the end of all holders is awaited, and nothing is without any', async () => {
  const parting = createParting();
  await parting.allDone();
  const [one, other] = [parting.hold('one'), parting.hold('other')];
  let isDone = false;
  const done = parting.allDone().then(() => {
    isDone = true;
  });
  one();
  await new Promise((resolve) => setImmediate(resolve));
  expect(isDone).toBe(false);
  other();
  await done;
  const never = createParting(1);
  never.hold('one');
  await never.allDone();
});

test('a holder that is never done keeps nothing open for long', async () => {
  const parting = createParting(1);
  const done = parting.hold('one');
  const close = vi.fn();
  parting.whenDone('one', close);
  await vi.waitFor(() => expect(close).toHaveBeenCalledTimes(1), 30_000);
  done();
  expect(close).toHaveBeenCalledTimes(1);
});
