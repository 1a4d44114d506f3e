import { terminalOutputBytes } from '@homeport/contract/terminals/facts';
import type { TerminalEvent } from '@homeport/contract/terminals/schema';
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

const next = async (events: AsyncIterator<TerminalEvent>) => (await events.next()).value as TerminalEvent;

test('output beyond what the page may have undrawn waits until the page has drawn some', async () => {
  const outbox = createOutbox(new AbortController().signal);
  const events = outbox[Symbol.asyncIterator]();
  expect(await isSettled(outbox.putOutput(Buffer.alloc(terminalOutputBytes)))).toBe(true);
  const more = outbox.putOutput(Buffer.alloc(1));
  for (let at = 0; at < 4; at += 1) expect(await next(events)).toMatchObject({ type: 'output' });
  expect(await isSettled(more)).toBe(false);
  outbox.taken(1);
  expect(await isSettled(more)).toBe(true);
});

test('a page that says that it has drawn what it was never sent gains nothing by it', async () => {
  const outbox = createOutbox(new AbortController().signal);
  outbox.taken(1_000_000);
  const held = outbox.putOutput(Buffer.alloc(terminalOutputBytes + 1));
  outbox.taken(1_000_000);
  expect(await isSettled(held)).toBe(false);
  const events = outbox[Symbol.asyncIterator]();
  await next(events);
  outbox.taken(1_000_000);
  expect(await isSettled(held)).toBe(true);
});

test('what waits for a page that takes little is little', async () => {
  const outbox = createOutbox(new AbortController().signal);
  for (let at = 0; at < 1_000; at += 1) {
    void outbox.putOutput(Buffer.from('x'));
    outbox.put({ type: 'inputTaken', bytes: 2 });
    outbox.put({ type: 'time', endsAt: at, soon: null });
    outbox.put({ type: 'replacing' });
  }
  outbox.end();
  const told: TerminalEvent[] = [];
  for await (const event of outbox) told.push(event);
  expect(told).toContainEqual({ type: 'inputTaken', bytes: 2_000 });
  expect(told).toContainEqual({ type: 'time', endsAt: 999, soon: null });
  expect(told.filter(({ type }) => type === 'replacing')).toHaveLength(1);
  const shown = told.flatMap((event) => (event.type === 'output' ? [Buffer.from(event.data, 'base64')] : []));
  expect(Buffer.concat(shown).toString()).toBe('x'.repeat(1_000));
  expect(told.length).toBeLessThan(10);
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
