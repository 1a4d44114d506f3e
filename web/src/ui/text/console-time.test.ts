import { afterEach, expect, test } from 'vitest';
import { consoleTime, learnConsoleTime, onConsoleTime } from './console-time.ts';

const at = Date.parse('Wed, 25 Nov 2026 16:00:00 GMT');
const date = (ms: number) => new Date(ms).toUTCString();

afterEach(() => learnConsoleTime(date(at), at, at));

test('a browser whose clock is right keeps its time, however long an answer takes', () => {
  for (const [wrote, sent, answered] of [
    [at, at + 10, at + 40],
    [at, at - 200, at + 999],
    [at, at - 30_000, at + 900],
  ] as const)
    learnConsoleTime(date(wrote), sent, answered);
  expect(consoleTime(at)).toBe(at);
});

test.each([5 * 60_000, -5 * 60_000])('a browser that is %d ms ahead learns the console’s time', (aheadMs) => {
  let heard = 0;
  const stop = onConsoleTime(() => {
    heard += 1;
  });
  learnConsoleTime(date(at), at + aheadMs + 100, at + aheadMs + 200);
  stop();
  expect(Math.abs(consoleTime(at + aheadMs) - at)).toBeLessThanOrEqual(1_000);
  expect(heard).toBe(1);
});

test('a clock that is set right while the page is open counts again', () => {
  learnConsoleTime(date(at), at + 300_000, at + 300_050);
  learnConsoleTime(date(at + 5_000), at + 5_000, at + 5_050);
  expect(Math.abs(consoleTime(at + 5_000) - (at + 5_000))).toBeLessThanOrEqual(1_000);
});

test.each([null, '', 'soon'])('an answer without a date that can be read, %o, teaches nothing', (header) => {
  learnConsoleTime(header, at, at + 10);
  expect(consoleTime(at)).toBe(at);
});
