import { appSettingsRoutes } from '@homeport/contract/apps/settings-schema';
import { pageMessageSchema } from '@homeport/contract/connections/schema';
import { boundedText } from '@homeport/contract/fields/bounded-text';
import type { RouteTable } from '@homeport/contract/route';
import { routes } from '@homeport/contract/routes';
import { monitorRoutes } from '@homeport/contract/stats/schema';
import { uptimeMonitorRoutes } from '@homeport/contract/uptime/schema';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { authTable } from '../identity/auth-table.ts';

/** Validation comes before ownership, so anybody with an account can send any text to any pattern. */
const tables: readonly RouteTable[] = [routes, authTable, monitorRoutes, uptimeMonitorRoutes];
const inputs: (readonly [string, z.core.$ZodType])[] = tables.flatMap((table) =>
  Object.entries(table).flatMap(([route, schemas]) =>
    (['params', 'query', 'body'] as const).flatMap((part) => {
      const schema = schemas[part];
      return schema ? [[`${route} ${part}`, schema] as const] : [];
    }),
  ),
);
inputs.push(['the page’s messages of an opening', pageMessageSchema]);

const hostile = 'a'.repeat(1_000_000);

afterEach(() => vi.restoreAllMocks());

describe('text from outside', () => {
  it.each(inputs)('%s: no pattern reads a text that is too long', (_name, schema) => {
    const read = watchPatterns();
    for (const input of hostileInputs(schema)) z.safeParse(schema, input);
    expect(read()).toEqual([]);
  });

  it.each(inputs)('%s: a bound stands before each check that reads the text', (_name, schema) => {
    expect(stringsOf(schema).filter(hasUnboundedCheck)).toEqual([]);
  });

  it('the test finds a bound that does not abort', () => {
    const unbounded = z.strictObject({
      path: z
        .string()
        .max(200)
        .regex(/^\/[a-z]*$/),
    });
    const read = watchPatterns();
    for (const input of hostileInputs(unbounded)) unbounded.safeParse(input);
    expect(read()).toEqual(['^\\/[a-z]*$']);
    expect(stringsOf(unbounded).filter(hasUnboundedCheck)).toHaveLength(1);
    expect(stringsOf(z.object({ mail: z.email().max(254) })).filter(hasUnboundedCheck)).toHaveLength(1);
    const refined = z
      .string()
      .max(9)
      .refine(() => true);
    expect(stringsOf(refined).filter(hasUnboundedCheck)).toHaveLength(1);
  });

  it('the answer names only the exceeded bound', () => {
    const schema = boundedText(3, 'At most 3.').regex(/^b*$/, 'Only b.');
    expect(schema.safeParse('aaaa').error?.issues.map(({ message }) => message)).toEqual(['At most 3.']);
    expect(schema.safeParse('aaa').error?.issues.map(({ message }) => message)).toEqual(['Only b.']);
  });
});

it('refuses a path of letters without a slash in linear time', () => {
  const { body } = appSettingsRoutes['POST /api/apps/:id/storage'];
  const before = process.cpuUsage().user;
  // The pattern of an earlier version doubled its time with each letter: 27 took 1.8 s, 199 would not end.
  for (let letters = 1; letters < 200; letters += 1) {
    expect(body.safeParse({ containerPath: `/${'a'.repeat(letters)}!` }).success).toBe(false);
  }
  expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
  for (const containerPath of ['/app', '/app/', '/app/storage.d/a_b-c'])
    expect(body.safeParse({ containerPath }).success).toBe(true);
  for (const containerPath of ['/', 'app', '/app//storage', '/app/../etc'])
    expect(body.safeParse({ containerPath }).success).toBe(false);
});

/** Records each pattern that reads a text of more than 100,000 characters, except patterns that repeat little. */
function watchPatterns(): () => string[] {
  const slow = new Set<string>();
  for (const method of ['test', 'exec'] as const) {
    const original = RegExp.prototype[method];
    vi.spyOn(RegExp.prototype, method).mockImplementation(function (this: RegExp, text: string) {
      // Checks the length first, because the later checks run patterns as well.
      const isLong = text.length > 100_000;
      if (isLong && this.source !== zodRecordKey && !repeatsLittle(this.source)) slow.add(this.source);
      return Reflect.apply(original, this, [text]);
    });
  }
  return () => {
    vi.restoreAllMocks();
    return [...slow];
  };
}

/** zod tries this pattern on each key of a record. The pattern is anchored and linear. */
const zodRecordKey = z.core.regexes.number.source;

/** A pattern without an unbounded repetition reads each place of a text only a few times, as in `z.uuid()`. */
function repeatsLittle(source: string): boolean {
  const shape = source.replaceAll(/\\./g, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  return !/[*+]|,\}/.test(shape);
}

type Def = z.core.$ZodTypes['_zod']['def'];
const defOf = (schema: z.core.$ZodType): Def => (schema as z.core.$ZodTypes)._zod.def;

/** Inputs with the hostile text in every place that takes text. A union gives one input for each of its options. */
function hostileInputs(schema: z.core.$ZodType): unknown[] {
  const def = defOf(schema);
  switch (def.type) {
    case 'string':
      return [hostile];
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]) => [name, hostileInputs(field)] as const);
      const most = Math.max(1, ...fields.map(([, values]) => values.length));
      return Array.from({ length: most }, (_, at) =>
        Object.fromEntries(fields.map(([name, values]) => [name, values[at % values.length]])),
      );
    }
    case 'record':
      return hostileInputs(def.valueType).map((value) => ({ [hostile]: value, short: value }));
    case 'array':
      return hostileInputs(def.element).map((value) => [value]);
    case 'tuple':
      return [def.items.map((item) => hostileInputs(item)[0])];
    case 'union':
      return def.options.flatMap(hostileInputs);
    case 'literal':
      return [def.values[0]];
    default:
      return innerOf(def)
        .flatMap(hostileInputs)
        .concat(innerOf(def).length === 0 ? [hostile] : []);
  }
}

function stringsOf(schema: z.core.$ZodType): Extract<Def, { type: 'string' }>[] {
  const def = defOf(schema);
  return def.type === 'string' ? [def] : innerOf(def).flatMap(stringsOf);
}

function innerOf(def: Def): readonly z.core.$ZodType[] {
  switch (def.type) {
    case 'object':
      return Object.values(def.shape);
    case 'record':
      return [def.keyType, def.valueType];
    case 'array':
      return [def.element];
    case 'tuple':
      return def.items;
    case 'union':
      return def.options;
    case 'pipe':
      return [def.in];
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
      return [def.innerType];
    case 'number':
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'null':
      return [];
    default:
      throw new Error(`Say what is inside of a schema of type ${def.type}.`);
  }
}

const checkSchema = z.object({
  check: z.string(),
  abort: z.boolean().optional(),
  pattern: z.instanceof(RegExp).optional(),
});

/** True where a pattern or a refinement comes before a bound that stops. */
function hasUnboundedCheck(def: Extract<Def, { type: 'string' }>): boolean {
  const own = 'check' in def ? [def] : [];
  for (const raw of [...own, ...(def.checks ?? []).map((check) => check._zod.def)]) {
    const check = checkSchema.parse(raw);
    if (check.check === 'max_length' && check.abort) return false;
    const short = check.pattern !== undefined && repeatsLittle(check.pattern.source);
    if (!short && (check.check === 'string_format' || check.check === 'custom')) return true;
  }
  return false;
}
