import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { descriptionCharacters, mostInteger, nameCharacters } from './fields/facts.ts';
import type { RouteSchemas } from './route.ts';
import { routes } from './routes.ts';
import { monitorRoutes } from './stats/schema.ts';

/** Derived from the route tables: every input of a caller, down to each string and number of each list. */
const inputs = Object.entries<RouteSchemas>({ ...routes, ...monitorRoutes })
  // An agent's report is stored as JSON text, and its numbers go to columns that take any number.
  .filter(([, { access }]) => access !== 'agent')
  .flatMap(([key, { params, query, body }]) =>
    [params, query, body].flatMap((schema) => (schema ? leavesOf(schema, key) : [])),
  );

type Leaf = { at: string; schema: z.core.$ZodType };

function leavesOf(schema: z.core.$ZodType, at: string): Leaf[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) => leavesOf(field, `${at} ${name}`));
    case 'array':
      return leavesOf(def.element, `${at}[]`);
    case 'record':
      return [...leavesOf(def.keyType, `${at} key`), ...leavesOf(def.valueType, `${at} value`)];
    case 'union':
      return def.options.flatMap((option) => leavesOf(option, at));
    case 'optional':
    case 'nullable':
    case 'default':
      return leavesOf(def.innerType, at);
    case 'pipe':
      // A text that becomes true or false is not stored.
      return (def.out as z.core.$ZodTypes)._zod.def.type === 'boolean' ? [] : leavesOf(def.in, at);
    case 'boolean':
    case 'literal':
    case 'enum':
      return [];
    case 'string':
    case 'number':
      return [{ at, schema }];
    default:
      throw new Error(`${at} is of a kind that this test does not know: ${def.type}`);
  }
}

const of = (type: 'string' | 'number') =>
  inputs
    .filter(({ schema }) => (schema as z.core.$ZodTypes)._zod.def.type === type)
    .map(({ at, schema }) => [at, schema] as const);

test('the tables have inputs of both kinds', () => {
  expect(of('string').length).toBeGreaterThan(60);
  expect(of('number').length).toBeGreaterThan(8);
});

describe.each(of('string'))('%s', (_at, schema) => {
  test('refuses NUL and half of a surrogate pair', () => {
    for (const hostile of ['\0', 'a\0', '\0.example.com', '\ud800', 'a\udc00b', 'a.example.com\ud800'])
      expect(z.safeParse(schema, hostile).success, JSON.stringify(hostile)).toBe(false);
  });

  test('refuses a megabyte', () => {
    for (const unit of ['a', '0', '/a', 'a.', 'A=', '😀'])
      expect(z.safeParse(schema, unit.repeat(1_048_576 / unit.length)).success, unit).toBe(false);
  });
});

/** The fields that other people read, with their bounds. A blank description is none. */
const shownFields = [
  { field: 'name', most: nameCharacters, blank: false },
  { field: 'description', most: descriptionCharacters, blank: true },
];

test('the tables have names and descriptions', () => {
  for (const { field } of shownFields) expect(shown(field), field).not.toEqual([]);
  expect(shown('name').length).toBeGreaterThan(5);
});

function shown(field: string) {
  return of('string').filter(([at]) => at.endsWith(` ${field}`));
}

describe.each(
  shownFields.flatMap(({ field, most, blank }) =>
    shown(field).map(([at, schema]) => ({ at, schema, most, blank })),
  ),
)('$at', ({ schema, most, blank }) => {
  const takes = (text: string) => z.safeParse(schema, text).success;

  test('refuses characters that its reader does not see', () => {
    for (const hidden of ['a\nb', 'a\u001b[2Jb', 'photo\u202egpj.exe', 'ad\u200bmin', 'ad\u00admin'])
      expect(takes(hidden), JSON.stringify(hidden)).toBe(false);
  });

  test('takes as much as the page allows, and no more', () => {
    expect([takes('a'.repeat(most)), takes('a'.repeat(most + 1)), takes('   ')]).toEqual([
      true,
      false,
      blank,
    ]);
  });
});

describe.each(of('number'))('%s', (_at, schema) => {
  test('refuses numbers that a column of the store does not take', () => {
    for (const extreme of [mostInteger + 1, 99_999_999_999_999, 2 ** 53, 1e308, -1, -(2 ** 31) - 1, 0.5])
      expect(z.safeParse(schema, extreme).success, String(extreme)).toBe(false);
  });
});
