import { describe, expect, test } from 'vitest';
import { emailSchema, nameSchema } from './schema.ts';
import { hidesSomething, withoutHidden } from './shown-text.ts';

describe('a name', () => {
  test.each([
    ['a control character of C0', 'a\u001b[2Jb'],
    ['a bell', 'a\u0007'],
    ['a line break', 'a\nb'],
    ['DEL', 'a\u007fb'],
    ['a control character of C1', 'a\u009b2Jb'],
    ['the first and the last of C1', '\u0080b\u009f'],
    ['a line separator', 'a\u2028b'],
    ['a mark that turns the direction', 'photo\u202egpj.exe'],
    ['an isolate', 'a\u2066b\u2069'],
    ['a right-to-left mark', 'a\u200fb'],
    ['an Arabic letter mark', 'a\u061cb'],
    ['a space without width', 'ad\u200bmin'],
    ['a joiner between letters', 'ad\u200dmin'],
    ['a joiner alone', '\u200d'],
    ['a word joiner', 'ad\u2060min'],
    ['a byte order mark inside', 'ad\ufeffmin'],
    ['a soft hyphen', 'ad\u00admin'],
    ['a filler that is a letter to Unicode', 'ad\u3164min'],
    ['a tag', 'ad\u{e0061}min'],
    ['a variation selector of the supplement', 'ad\u{e0100}min'],
    ['two variation selectors', 'a\ufe0f\ufe0f'],
    ['a variation selector alone', 'a \ufe0f'],
    ['half a surrogate pair', 'a\ud800b'],
    ['NUL', 'a\0b'],
  ])('with %s is refused with a sentence', (_what, name) => {
    expect(hidesSomething(name)).toBe(true);
    const [issue] = nameSchema.safeParse(name).error?.issues ?? [];
    expect(issue?.message).toBe(
      'A name cannot hold line breaks, control characters or invisible characters.',
    );
  });

  test.each([
    ...["O'Brien & Söhne", '日本語 サーバー', 'علی‌رضا', 'क्‍ष', '👩‍👩‍👧', '❤️‍🔥', '👋🏽', '👩🏽‍💻', '1️⃣'],
    ...['שרת', 'Straße №1', 'a\u00a0b', '<script>', '𝔘nicode'],
  ])('%s is taken unchanged', (name) => {
    expect(nameSchema.parse(name)).toBe(name);
  });
});

test.each([
  'a\u009b@example.com',
  'a\u202e@example.com',
  'a\0@example.com',
  'a@ex\u200bample.com',
  'a\n@b.de',
])('the e-mail address %j is refused', (email) => {
  expect(emailSchema.safeParse(email).success).toBe(false);
});

test('a text for a terminal keeps its lines and spells out hidden characters', () => {
  expect(withoutHidden('Hello \u009b2J\u001b]0;x\u0007\u202eada\u200b\ud800,\r\n\tyou ❤️‍🔥\n')).toBe(
    'Hello \ufffd2J\ufffd]0;x\ufffd\ufffdada\ufffd\ufffd,\ufffd\n\tyou ❤️‍🔥\n',
  );
});

test.each(['a', '\u200d', '👩\u200d', '\ufe0f', 'a\ufe0f', ' '])(
  'a long text of %j is read in linear time',
  (unit) => {
    // The processor time of this process alone, and the least of several tries, because a collection of garbage can only lengthen one.
    const leastMicroseconds = (length: number) => {
      const text = unit.repeat(length);
      const tries = Array.from({ length: 7 }, () => {
        const before = process.cpuUsage();
        hidesSomething(text);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      });
      return Math.min(...tries);
    };
    leastMicroseconds(10_000);
    // Eight times the text takes eight times as long. It would take 64 times as long in quadratic time.
    expect(leastMicroseconds(80_000)).toBeLessThan(30 * leastMicroseconds(10_000) + 1_000);
  },
);
