import type { RouteSchemas } from '@homeport/contract/route';
import { z } from 'zod';

export type LargestInput = { name: string; query: string; body: unknown };

/** Shapes on which readers of texts differ in their work: escapes, borders, wide and joined characters, starts of something. */
const shapes = [
  'a',
  '/',
  '.',
  ' ',
  'é',
  '😀',
  '%41',
  'a.',
  '-',
  '"',
  '\\',
  '\n',
  '\u202e',
  '<b>',
  '{{',
  '(?:.?)',
  '`',
  '=',
  '1,',
];

/** The api takes bodies of at most 1 MiB, and Node takes heads of at most 16 KiB. */
const bodyCharacters = 1_000_000;
const queryCharacters = 6_000;
/** What a text or a list without a bound of its own is filled with. */
const unbounded = 200_000;
const worst = 2;

/**
 * The largest inputs that a route's schemas allow, in the shapes that cost its schemas the most: one that is as valid as can be, so that
 * it reaches the handler, and the hostile ones, which the schemas refuse after reading them.
 */
export function largestInputs({ query, body }: RouteSchemas, good: unknown): LargestInput[] {
  const queries = query ? shapesOf(query, queryCharacters) : [{ name: 'nothing', value: {} }];
  if (!body) return queries.map(({ name, value }) => ({ name, query: toQuery(value), body: undefined }));
  const [first] = queries;
  const search = toQuery(first?.value);
  const full = { name: 'as valid as can be', query: search, body: grow(body, good) };
  return [
    full,
    ...shapesOf(body, bodyCharacters).map(({ name, value }) => ({ name, query: search, body: value })),
  ];
}

/** The inputs that took the schema the most processor time, of one for each shape. */
function shapesOf(schema: z.core.$ZodType, characters: number): { name: string; value: unknown }[] {
  return shapes
    .map((shape) => {
      const value = fill(schema, shape, characters);
      const before = process.cpuUsage();
      z.safeParse(schema, value);
      const { user } = process.cpuUsage(before);
      return { name: JSON.stringify(shape), value, user };
    })
    .sort((a, b) => b.user - a.user)
    .slice(0, worst);
}

function toQuery(value: unknown): string {
  const entries = Object.entries(z.record(z.string(), z.unknown()).catch({}).parse(value));
  const text = new URLSearchParams(
    entries.map(([name, each]): [string, string] => [name, String(each)]),
  ).toString();
  return text === '' ? '' : `?${text.slice(0, queryCharacters)}`;
}

type Def = z.core.$ZodTypes['_zod']['def'];
const defOf = (schema: z.core.$ZodType): Def => (schema as z.core.$ZodTypes)._zod.def;

const maximumSchema = z.object({ maximum: z.number() });

/** The bound of a text or a list: the smallest of its checks. */
function boundOf({ checks = [] }: Def): number {
  const maxima = checks.flatMap((check) => {
    const found = maximumSchema.safeParse(check._zod.def);
    return check._zod.def.check === 'max_length' && found.success ? [found.data.maximum] : [];
  });
  return Math.min(unbounded, ...maxima);
}

/** A value of this schema's form with texts of one shape and lists at their bounds, of at most so many characters. */
function fill(schema: z.core.$ZodType, shape: string, room: number): unknown {
  const def = defOf(schema);
  switch (def.type) {
    case 'string': {
      const length = Math.max(1, Math.min(boundOf(def), room));
      return shape.repeat(Math.ceil(length / shape.length)).slice(0, length);
    }
    case 'object': {
      const fields = Object.entries(def.shape);
      return Object.fromEntries(
        fields.map(([name, field]) => [name, fill(field, shape, Math.floor(room / fields.length))]),
      );
    }
    case 'array': {
      // Many small elements cost more than few large ones.
      const element = fill(def.element, shape, 40);
      const count = Math.min(boundOf(def), Math.floor(room / (JSON.stringify(element ?? null).length + 1)));
      return Array.from({ length: count }, () => element);
    }
    case 'record': {
      const value = fill(def.valueType, shape, 8);
      const count = Math.floor(room / (JSON.stringify(value ?? null).length + 12));
      return Object.fromEntries(Array.from({ length: count }, (_, index) => [`K${index}`, value]));
    }
    case 'tuple':
      return def.items.map((item) => fill(item, shape, Math.floor(room / def.items.length)));
    case 'union':
      return fill(def.options.at(-1) ?? z.null(), shape, room);
    case 'literal':
      return def.values[0];
    case 'enum':
      return Object.values(def.entries)[0];
    case 'pipe':
      return fill(def.in, shape, room);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
      return fill(def.innerType, shape, room);
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return null;
  }
}

/** The good value with each text as long, and each list as full, as the whole stays valid. */
function grow(schema: z.core.$ZodType, good: unknown): unknown {
  let whole = good;
  const isGood = (value: unknown) =>
    z.safeParse(schema, value).success && JSON.stringify(value).length <= bodyCharacters;
  const replace = (at: readonly (string | number)[], value: unknown) => replaced(whole, at, value);
  for (const { at, schema: part } of partsOf(schema, good, [])) {
    const larger = shapes.map((shape) => replace(at, fill(part, shape, bodyCharacters / 2)));
    const value = z.unknown().parse(at.reduce<unknown>(inside, whole));
    if (Array.isArray(value) && value.length > 0)
      larger.push(
        replace(
          at,
          Array.from({ length: Math.min(boundOf(defOf(part)), 20_000) }, () => value[0]),
        ),
      );
    whole = larger.find(isGood) ?? whole;
  }
  return whole;
}

type Part = { at: readonly (string | number)[]; schema: z.core.$ZodType };

/** The texts and lists of a value, by their places. */
function partsOf(schema: z.core.$ZodType, value: unknown, at: Part['at']): Part[] {
  const def = defOf(schema);
  switch (def.type) {
    case 'string':
    case 'array':
    case 'record':
      return [{ at, schema }];
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) =>
        partsOf(field, inside(value, name), [...at, name]),
      );
    case 'union': {
      const option = def.options.find((each) => z.safeParse(each, value).success);
      return option ? partsOf(option, value, at) : [];
    }
    case 'pipe':
      return partsOf(def.in, value, at);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
      return partsOf(def.innerType, value, at);
    default:
      return [];
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function inside(value: unknown, name: string | number): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function replaced(whole: unknown, [name, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (name === undefined) return value;
  return { ...(isRecord(whole) ? whole : {}), [name]: replaced(inside(whole, name), rest, value) };
}
