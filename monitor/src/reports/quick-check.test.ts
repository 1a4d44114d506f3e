import { monitorRoutes } from '@homeport/contract/stats/schema';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { makeReport } from '../testing.ts';
import { quickCheck } from './quick-check.ts';

const schema = monitorRoutes['POST /api/v2/report'].body;
const check = quickCheck(schema);
const container = {
  id: 'a'.repeat(64),
  cpu_usec: 1,
  memory: 2,
  inactive_file: null,
  memory_max: 3,
  rx: 4,
  mounts: [{ path: '/data', bytes: 5 }],
};
const report = makeReport(1_000, {
  apps: [container],
  ping_eu: 12.5,
  ping_us: null,
  storage_ts: 6,
  file_handles_limit: 2 ** 63,
});

/** Values below, at and beyond every limit of the schema, and of every wrong kind. */
const values: unknown[] = [
  ...[undefined, null, true, {}, [], [[]], '', 'x', '\0', Number.NaN, Number.POSITIVE_INFINITY, 1n],
  ...[-1, -0, 0, 0.5, 1, 2, 3, 86_400, 86_401, 60_000, 60_001, 65_536, 65_537, 1e6, 1e6 + 1],
  ...[2 ** 53 - 1, 2 ** 53, 2 ** 60, 2 ** 60 + 2 ** 8, 2 ** 63, 1e308],
  ...[31, 32, 33, 64, 65, 256, 257].map((length) => 'x'.repeat(length)),
  ...['A'.repeat(64), `${'a'.repeat(64)}\n`, 'a'.repeat(64)],
  ...[7, 8, 9].map((length) => Array.from({ length }, () => 1)),
  ...[64, 65].map((length) => Array.from({ length }, () => ({ name: 'eth0', rx: 1, tx: 1 }))),
  ...[256, 257].map((length) => Array.from({ length }, () => ({ dev: 'a', total: 1, used: 1 }))),
  ...[40, 41].map((length) => Array.from({ length }, () => ({ user: 'a', cpu: 1, rss: 1, name: 'b' }))),
  ...[8, 9].map((length) => Array.from({ length }, () => ({ path: '/data', bytes: 1 }))),
  ...[500, 501].map((length) => Array.from({ length }, () => container)),
];

/** Every place in a report, as the keys that lead to it. */
function places(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [
    [],
    ...Object.entries(value).flatMap(([key, inner]) => places(inner).map((rest) => [key, ...rest])),
  ];
}

function replaced(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((one, at) => (String(at) === key ? replaced(one, rest, by) : one));
  const record = value as Record<string, unknown>;
  return { ...record, [key]: replaced(record[key], rest, by) };
}

test('the quick check agrees with the schema on every changed report', () => {
  expect(check([report])).toBe(true);
  let refused = 0;
  for (const place of places([report])) {
    for (const value of values) {
      const changed = replaced([report], place, value);
      const right = schema.safeParse(changed).success;
      if (!right) refused += 1;
      if (check(changed) !== right)
        expect.fail(`${place.join('.')} = ${String(value).slice(0, 80)}: the schema says ${right}`);
    }
  }
  expect(refused).toBeGreaterThan(1_000);
});

test('the quick check agrees with the schema on a report with a missing or an additional field', () => {
  for (const name of [...Object.keys(report), 'nonsense']) {
    const { [name as keyof typeof report]: _gone, ...rest } = report;
    for (const changed of [[rest], [{ ...report, [name]: undefined }], [{ ...rest, more: 1 }]])
      expect(check(changed), name).toBe(schema.safeParse(changed).success);
  }
  const lists = [0, 1, 50, 51].map((length) => Array.from({ length }, () => report));
  expect(lists.map(check)).toEqual([false, true, true, false]);
});

test.each([
  ['a transform', z.string().transform(Number)],
  ['a refinement', z.string().refine(() => false)],
  ['a format', z.object({ at: z.email() })],
  ['a whole number of 32 bits', z.int32()],
  ['a strict object', z.strictObject({})],
])('throws at start for a kind of schema that it does not know: %s', (_words, unknown) => {
  expect(() => quickCheck(unknown)).toThrow(TypeError);
});
