import { environmentValueProblem, rewrittenValue } from '@homeport/contract/apps/environment';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readVariables, shellFault, UnreadableVariables, writeVariables } from './env-file.ts';

const readBack = (values: Record<string, string>) =>
  readVariables(writeVariables(values, { wholeNumbers: true }));

/** What a value that breaks a reader is made of, far more often than by chance. */
const hard = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '"',
      '\\',
      "'",
      '$',
      '`',
      '!',
      '#',
      '=',
      '\n',
      '\r',
      '\t',
      ' ',
      'n',
      'r',
      '(',
      '{',
      '}',
      '\u00a0',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 24,
});
const digits = fc.stringMatching(/^[+-]?[0-9]{1,24}$/);

test('every value that the console sends is read back as it was, and bash takes it', () => {
  fc.assert(
    fc.property(fc.oneof(hard, digits), fc.oneof(hard, digits), (first, second) => {
      fc.pre(environmentValueProblem(first) === null && environmentValueProblem(second) === null);
      expect(readBack({ FIRST: first, SECOND: second })).toEqual({
        FIRST: rewrittenValue(first) ?? first,
        SECOND: rewrittenValue(second) ?? second,
      });
      expect(shellFault({ first, second })).toBeNull();
    }),
    { numRuns: 5_000 },
  );
});

test('a value that is refused for its end does not survive, and one that is refused for its quote stops bash', () => {
  fc.assert(
    fc.property(hard, (value) => {
      expect(survives(`${value}"`)).toBe(false);
      expect(survives(`${value}\\`)).toBe(false);
    }),
  );
  expect(shellFault({ A: "it\\'s" })).not.toBeNull();
  expect(shellFault({ A: "it's" })).toBeNull();
});

function survives(value: string): boolean {
  try {
    return readBack({ FIRST: value, SECOND: 'x' }).FIRST === value;
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableVariables);
    return false;
  }
}

test.each([
  ['say "hi"', 'say "hi\\'],
  ['{"a":"b"}', '{"a":"b"}'],
  ['"a" b', '"a" b'],
  ['007', '7'],
  ['+33612345678', '33612345678'],
])('Dokku reads the value %s as %s', (value, read) => {
  expect(readBack({ A: value })).toEqual({ A: read });
});

test('a value that ends in a backslash runs on into the next variable', () => {
  expect(() => readBack({ A: 'C:\\', B: 'x' })).toThrow(UnreadableVariables);
  expect(() => readBack({ A: 'C:\\' })).toThrow('unterminated quoted value "C:\\\\"');
});
