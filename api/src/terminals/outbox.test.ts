import { terminalOutputBytes } from '@homeport/contract/terminals/facts';
import { expect, test } from 'vitest';
import { createOutbox } from './outbox.ts';

const isSettled = async (work: Promise<void>) => {
  let settled = false;
  void work.then(() => {
    settled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
};

test('output beyond what the page may have undrawn waits until the page has drawn some', async () => {
  const outbox = createOutbox(new AbortController().signal);
  expect(await isSettled(outbox.putOutput(Buffer.alloc(terminalOutputBytes)))).toBe(true);
  const more = outbox.putOutput(Buffer.alloc(1));
  expect(await isSettled(more)).toBe(false);
  outbox.taken(1);
  expect(await isSettled(more)).toBe(true);
});

test('a page that says that it has drawn more than it got gains nothing by it', async () => {
  const outbox = createOutbox(new AbortController().signal);
  outbox.taken(1_000_000);
  expect(await isSettled(outbox.putOutput(Buffer.alloc(terminalOutputBytes + 1)))).toBe(false);
});

test('events come in their order up to the end, and nothing waits after the page has gone', async () => {
  const gone = new AbortController();
  const outbox = createOutbox(gone.signal);
  void outbox.putOutput(Buffer.alloc(40_000));
  outbox.put({ type: 'ended', why: 'exited', exitCode: 0 });
  outbox.end();
  const types: string[] = [];
  for await (const { type } of outbox) types.push(type);
  expect(types).toEqual(['output', 'output', 'ended']);
  const held = outbox.putOutput(Buffer.alloc(terminalOutputBytes));
  expect(await isSettled(held)).toBe(false);
  gone.abort();
  expect(await isSettled(held)).toBe(true);
});
