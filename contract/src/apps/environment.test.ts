import { expect, it } from 'vitest';
import {
  environmentValueEndsInBackslash,
  environmentValueEndsInQuote,
  environmentValueEscapesQuote,
  environmentValueHoldsNul,
  environmentValueProblem,
  rewrittenValue,
} from './environment.ts';
import { appSettingsRoutes } from './settings-schema.ts';

it('shows Dokku’s form of integers that are written in an unusual way', () => {
  expect(['007', '+5', '-0', '-012'].map(rewrittenValue)).toEqual(['7', '5', '0', '-12']);
  expect(rewrittenValue(`${'0'.repeat(40)}9223372036854775807`)).toBe('9223372036854775807');
});

it('does not warn of values that Dokku keeps', () => {
  for (const value of [
    '7',
    '-5',
    '0',
    '1.50',
    '0x10',
    '01-02',
    '',
    '900719925474099301',
    '09223372036854775808',
    '+-1',
  ]) {
    expect(rewrittenValue(value)).toBeNull();
  }
});

it.each([
  ['say "hi"', environmentValueEndsInQuote],
  ['"', environmentValueEndsInQuote],
  ['C:\\', environmentValueEndsInBackslash],
  ["it\\'s", environmentValueEscapesQuote],
  ['a\0b', environmentValueHoldsNul],
])('refuses the value %j, which Dokku does not keep, and says what to do', (value, problem) => {
  expect(environmentValueProblem(value)).toBe(problem);
  expect(environmentSchemaOf(value)).toBe(problem);
});

it.each(['{"a":"b"}', '"a" b', "it's", 'a\\nb', '$HOME `x` !', 'line 1\nline 2', ''])(
  'takes the value %j',
  (value) => {
    expect(environmentValueProblem(value)).toBeNull();
    expect(environmentSchemaOf(value)).toBeNull();
  },
);

function environmentSchemaOf(value: string): string | null {
  const { body } = appSettingsRoutes['PATCH /api/apps/:id/environment'];
  const parsed = body.safeParse({ values: { KEY: value }, restart: false });
  return parsed.success ? null : (parsed.error.issues.at(-1)?.message ?? '');
}
