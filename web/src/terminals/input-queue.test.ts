import { terminalInputBytes, terminalInputWaitingBytes } from '@homeport/contract/terminals/facts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { answerBytes, createInputQueue, pasteBytes } from './input-queue.ts';
import { messagePauseMs } from './message-pace.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const bytesOf = (text: string) => new TextEncoder().encode(text);

function start() {
  const sent: string[] = [];
  const byPerson: boolean[] = [];
  const onFull = vi.fn();
  const queue = createInputQueue({
    send(bytes, isByPerson) {
      sent.push(new TextDecoder().decode(bytes));
      byPerson.push(isByPerson);
    },
    onFull,
  });
  return {
    ...{ sent, byPerson, queue, onFull },
    type: (text: string) => queue.put(bytesOf(text), true),
    answer: (text: string) => queue.put(bytesOf(text), false),
    /** The server takes all that comes. */
    takeAll() {
      for (let at = 0; at < sent.length; at += 1) queue.taken(sent[at]?.length ?? 0);
    },
  };
}

test('the first key goes at once, and those behind it together when it was taken', () => {
  const { sent, queue, type } = start();
  for (const key of 'abc') type(key);
  expect(sent).toEqual(['a']);
  queue.taken(1);
  expect(sent).toEqual(['a', 'bc']);
});

test('a paste goes in bounded pieces, of which a bounded number is under way, and none is lost', () => {
  const { sent, onFull, type, takeAll } = start();
  const text = `${'x'.repeat(terminalInputWaitingBytes * 2)}end`;
  type(text);
  expect(sent.join('').length).toBe(terminalInputWaitingBytes);
  expect(Math.max(...sent.map(({ length }) => length))).toBe(terminalInputBytes);
  takeAll();
  expect(sent.join('')).toBe(text);
  expect(onFull).not.toHaveBeenCalled();
});

test('what is too much is dropped and said once until nothing waits, and what was typed before stays', () => {
  const { sent, onFull, type, takeAll } = start();
  const first = 'y'.repeat(pasteBytes);
  type(first);
  for (let time = 0; time < 3; time += 1) type('z'.repeat(pasteBytes));
  expect(onFull).toHaveBeenCalledOnce();
  takeAll();
  expect(sent.join('')).toBe(first);
  type('w'.repeat(pasteBytes));
  type('z'.repeat(pasteBytes));
  expect(onFull).toHaveBeenCalledTimes(2);
});

test('of what the screen answers by itself little waits, and the rest is dropped in silence', () => {
  const { sent, onFull, type, answer, takeAll } = start();
  type('a');
  for (let time = 0; time < 10 * answerBytes; time += 1) answer('\x1b[0n');
  type('b');
  takeAll();
  expect(sent.join('').length).toBe(answerBytes + 2);
  expect(sent.join('').endsWith('b')).toBe(true);
  expect(onFull).not.toHaveBeenCalled();
});

test('many single keys that wait go on in their order', () => {
  const { sent, type, takeAll } = start();
  const keys = Array.from({ length: pasteBytes / 10 }, (_, at) => String(at % 10));
  for (const key of keys) type(key);
  takeAll();
  expect(sent.join('')).toBe(keys.join(''));
});

test('a message says whether some of it is the person’s', () => {
  const { sent, byPerson, queue, type, answer } = start();
  answer('1');
  answer('2');
  type('a');
  queue.taken(1);
  queue.taken(2);
  answer('3');
  vi.advanceTimersByTime(messagePauseMs);
  expect(sent).toEqual(['1', '2a', '3']);
  expect(byPerson).toEqual([false, true, false]);
});

test('a server that takes at once gets few messages of answers, and a key does not wait for them', () => {
  const { sent, type, answer, takeAll } = start();
  for (let time = 0; time < 100; time += 1) {
    answer('?');
    takeAll();
  }
  expect(sent).toHaveLength(1);
  type('a');
  expect(sent).toHaveLength(2);
  expect(sent.join('')).toBe(`${'?'.repeat(100)}a`);
});

test('nothing goes after the stop', () => {
  const { sent, queue, answer, takeAll } = start();
  answer('1');
  takeAll();
  answer('2');
  queue.stop();
  vi.advanceTimersByTime(messagePauseMs);
  expect(sent).toEqual(['1']);
});
