import { expect, it } from 'vitest';
import { nextTry } from './copy-texts.ts';

const now = new Date(2026, 10, 26, 12).getTime();
const copy = { state: 'failed' as const, to: 'box:x', at: now, note: 'no answer' };

it('says when a copy is tried again', () => {
  expect(nextTry({ ...copy, tries: 1, againAt: now + 60_000 }, now)).toMatch(/^Next try: .*12.01.*\.$/);
  expect(nextTry({ ...copy, tries: 1, againAt: now }, now)).toBe('The next try is due now.');
});

it('says what happens after the last try', () => {
  expect(nextTry({ ...copy, tries: 7, againAt: null }, now)).toBe(
    'It was tried 7 times and is given up. The next backup is copied when it is made.',
  );
});
