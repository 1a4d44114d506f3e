import { terminalOutputBytes, terminalPieceBytes } from '@homeport/contract/terminals/facts';
import {
  type TerminalEvent,
  type TerminalMessage,
  terminalMessageSchema,
} from '@homeport/contract/terminals/schema';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { messagePauseMs } from './message-pace.ts';
import { runSession } from './terminal-session.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const piece = { type: 'output', data: btoa('x'.repeat(terminalPieceBytes)) } as const;

/** A session that hears these events and draws at once. */
async function hear(said: TerminalEvent[], failure?: Error) {
  const messages: TerminalMessage[] = [];
  const onOver = vi.fn();
  const events = (async function* () {
    for (const data of said) yield { data };
    if (failure) throw failure;
    await new Promise(() => {});
  })();
  const session = runSession(
    { events, say: (message) => messages.push(terminalMessageSchema.parse(message)) },
    { draw: (_bytes, drawn) => drawn(), onTold: () => {}, onFull: () => {}, onOver },
  );
  await vi.advanceTimersByTimeAsync(0);
  return { messages, onOver, session };
}

test('a page that draws fast tells of it in few messages, and of every byte before the console waits', async () => {
  const { messages } = await hear(Array.from({ length: 12 }, () => piece));
  expect(messages).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(messagePauseMs);
  expect(messages).toHaveLength(2);
  const told = messages.reduce((sum, message) => sum + (message.type === 'taken' ? message.bytes : 0), 0);
  expect(told).toBe(12 * terminalPieceBytes);
});

test('a little that is drawn is not told, and half of what the console sends unasked is', async () => {
  const pieces = terminalOutputBytes / 2 / terminalPieceBytes;
  const few = await hear(Array.from({ length: pieces - 1 }, () => piece));
  expect(few.messages).toEqual([]);
  const half = await hear(Array.from({ length: pieces }, () => piece));
  expect(half.messages).toEqual([{ type: 'taken', bytes: terminalOutputBytes / 2 }]);
});

test('events that break off end the session, with the word that came before', async () => {
  const lost = await hear([], new Error('lost'));
  expect(lost.onOver).toHaveBeenCalledExactlyOnceWith(null);
  const ended = { type: 'ended', why: 'exited', exitCode: 0 } as const;
  const told = await hear([ended], new Error('lost'));
  expect(told.onOver).toHaveBeenCalledExactlyOnceWith(ended);
});

test('a message of keys says whether the person typed them', async () => {
  const { messages, session } = await hear([]);
  session.type(new TextEncoder().encode('a'), true);
  expect(messages).toEqual([{ type: 'input', data: btoa('a'), byPerson: true }]);
});
