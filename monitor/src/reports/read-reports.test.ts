import { monitorRoutes, processSchema } from '@homeport/contract/stats/schema';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { makeReport } from '../testing.ts';
import { readReports } from './read-reports.ts';
import { skimProcesses } from './skim.ts';

const schema = monitorRoutes['POST /api/v2/report'].body;
const process = { user: 'root', cpu: 22.7, rss: 209_006_592, name: 'kworker/1:0-events' };
const top = [process, { ...process, cpu: 0, rss: 0, name: '' }, { ...process, name: 'Größe [x]}' }];
const written = JSON.stringify([makeReport(1, { top })]);

/** Whether the schema takes a text, which may be no JSON. */
function takes(text: string): boolean {
  try {
    return schema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

test('leaves out processes that the agent wrote in its usual form, and keeps the report’s text unchanged', () => {
  expect(skimProcesses(written)).toBe(JSON.stringify([makeReport(1, { top: [] })]));
  expect(readReports(written)).toEqual({
    reports: [makeReport(1, { top: [] })],
    reportJson: written.slice(1, -1),
  });
});

test('reads several reports whole', () => {
  const two = [makeReport(1, { top }), makeReport(2, { top })];
  expect(readReports(JSON.stringify(two))).toEqual({ reports: two, reportJson: null });
});

test('the schema takes every process that the pattern takes, at every limit', () => {
  const list = z.array(processSchema).max(40);
  const digits = [1, 5, 6, 7, 17, 18, 19, 20].map((count) => '9'.repeat(count));
  const numbers = [
    ...digits,
    '0',
    '00',
    '01',
    '-1',
    '-0',
    '1.5',
    '1e3',
    '999999.999999999',
    '1.',
    '.5',
    'null',
    '""',
  ];
  const texts = [0, 63, 64, 65, 255, 256, 257].map((length) => JSON.stringify('x'.repeat(length)));
  texts.push('"a\\nb"', '"a\nb"', '"a\\"', '"\u{1f600}"', '"]"', '7', 'null');
  const one = { user: '"root"', cpu: '1.5', rss: '4096', name: '"init"' };
  const entry = (with_: Partial<typeof one>) =>
    `{${Object.entries({ ...one, ...with_ })
      .map(([name, value]) => `"${name}":${value}`)
      .join(',')}}`;
  const lists = [
    ...numbers.flatMap((cpu) => [entry({ cpu }), entry({ rss: cpu })]),
    ...texts.flatMap((user) => [entry({ user }), entry({ name: user })]),
    ...[1, 2, 40, 41].map((count) => Array(count).fill(entry({})).join(',')),
    ...[`${entry({})},`, `,${entry({})}`, `${entry({})}{}`, '', '1'],
  ];
  let skimmed = 0;
  for (const inner of lists) {
    if (skimProcesses(`[{"v":2,"top":[${inner}]}]`) === null) continue;
    skimmed += 1;
    expect(list.safeParse(JSON.parse(`[${inner}]`)).success, inner).toBe(true);
  }
  expect(skimmed).toBeGreaterThan(20);
  expect(skimmed).toBeLessThan(lists.length - 20);
});

test('agrees with the schema on a text that only seems to have processes', () => {
  const list = `,"top":[${JSON.stringify(process)}]`;
  const texts = [
    `[{"a":"x${list}"}]`,
    written.replace('"boot-a"', `"boot${list}"`),
    written.replace('"boot-a"', `"boot${list.replaceAll('"', '\\"')}"`),
    written.replace('"seq":1', `"seq":1,"more":{"x":1${list}}`),
    written.replace('"seq":1', `"seq":1${list},"top":[7]`),
    written.replace('"seq":1', `"seq":1,"top":[7]${list}`),
    written.replace(list.slice(0, 8), `,"top":[7],"x":[`),
  ];
  for (const text of texts) expect('reports' in readReports(text), text).toBe(takes(text));
});

test('agrees with the schema on ten thousand damaged reports', () => {
  let state = 1;
  const random = (below: number) => {
    // A linear congruential generator makes the same damage in each run.
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
  const pieces = [
    '"',
    ',',
    '[',
    ']',
    '{',
    '}',
    '\\',
    '0',
    '9',
    '-',
    '.',
    'e',
    ':',
    '"top":[',
    ',"top":[',
    'null',
    '\n',
  ];
  let taken = 0;
  for (let round = 0; round < 10_000; round++) {
    const at = random(written.length);
    const gone = random(3) === 0 ? random(40) : random(2);
    const text = written.slice(0, at) + (pieces[random(pieces.length)] ?? '') + written.slice(at + gone);
    const right = takes(text);
    if (right) taken += 1;
    if ('reports' in readReports(text) !== right) expect.fail(text);
  }
  expect(taken).toBeGreaterThan(100);
  expect(taken).toBeLessThan(9_900);
});
