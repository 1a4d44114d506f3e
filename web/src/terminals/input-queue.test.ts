import { terminalInputBytes, terminalInputWaitingBytes } from '@homeport/contract/terminals/facts';
import { expect, test } from 'vitest';
import { createInputQueue, pasteBytes } from './input-queue.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

function start() {
  const sent: string[] = [];
  const queue = createInputQueue((bytes) => sent.push(new TextDecoder().decode(bytes)));
  return { sent, queue, type: (text: string) => queue.put(bytesOf(text)) };
}

test('the first key goes at once, and those behind it together when it was taken', () => {
  const { sent, queue, type } = start();
  for (const key of 'abc') type(key);
  expect(sent).toEqual(['a']);
  queue.taken(1);
  expect(sent).toEqual(['a', 'bc']);
});

test('a paste goes in bounded pieces, of which a bounded number is under way, and none is lost', () => {
  const { sent, queue, type } = start();
  const text = `${'x'.repeat(terminalInputWaitingBytes * 2)}end`;
  expect(type(text)).toBe(true);
  expect(sent.join('').length).toBe(terminalInputWaitingBytes);
  expect(Math.max(...sent.map(({ length }) => length))).toBe(terminalInputBytes);
  for (let at = 0; at < sent.length; at += 1) queue.taken(sent[at]?.length ?? 0);
  expect(sent.join('')).toBe(text);
});

test('what is too much is dropped and said, and what was typed before stays', () => {
  const { queue, type } = start();
  expect(type('y'.repeat(pasteBytes))).toBe(true);
  expect(type('z'.repeat(pasteBytes))).toBe(false);
  queue.taken(1);
});
