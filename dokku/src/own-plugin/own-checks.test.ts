import { ownCheckCharacters, ownChecksShown } from '@homeport/contract/apps/checks/facts';
import { expect, test } from 'vitest';
import { fromJsonc } from './from-jsonc.ts';
import { readOwnChecks } from './own-checks.ts';

const told = (line: object) =>
  readOwnChecks({
    exitCode: 0,
    stdout: `${['{"v":1,"plugin":"1.13.0"}', JSON.stringify(line), '{"end":true}'].join('\n')}\n`,
    stderr: '',
  });
const read = (text: string) =>
  told({
    checksOf: 'hello',
    there: true,
    manifest: Buffer.from(text).toString('base64'),
    checksFile: false,
  });
const checksOf = (...all: object[]) =>
  read(JSON.stringify({ healthchecks: { web: all } })).checks.get('web')?.own ?? [];

test('a check has the numbers that it names, and else those of Dokku', () => {
  const full = { type: 'startup', name: 'ready', path: '/health', content: 'ok', port: 3000 };
  expect(
    checksOf(
      { ...full, initialDelay: 2, attempts: 7, wait: 1, timeout: 9, warn: true },
      { type: 'startup', path: '/', attempts: 0, wait: -1 },
    ),
  ).toEqual([
    {
      ...{ name: 'ready', kind: 'path', use: 'runs', asks: '/health', content: 'ok', port: 3000 },
      ...{ uptimeSeconds: null, delaySeconds: 2, attempts: 7, waitSeconds: 1, timeoutSeconds: 9 },
      warns: true,
    },
    {
      ...{ name: null, kind: 'path', use: 'runs', asks: '/', content: null, port: null },
      ...{ uptimeSeconds: null, delaySeconds: 0, attempts: 3, waitSeconds: 5, timeoutSeconds: 5 },
      warns: false,
    },
  ]);
});

test('the kind of a check is what it names', () => {
  const type = 'startup';
  expect(
    checksOf(
      { type, command: ['node', 'check.js'] },
      { type, listening: true },
      { type, uptime: 30 },
      { type },
    ).map(({ kind, asks, uptimeSeconds }) => [kind, asks, uptimeSeconds]),
  ).toEqual([
    ['command', 'node check.js', null],
    ['listening', null, null],
    ['uptime', null, 30],
    ['uptime', null, 0],
  ]);
});

test('a check without the type of a start is run by no deploy, and one of two kinds fails each', () => {
  const type = 'startup';
  expect(
    checksOf(
      { path: '/' },
      { type: '', path: '/' },
      { type: 'liveness', path: '/' },
      { type, path: '/', uptime: 3 },
      { type, command: ['a'], listening: true },
      { type, path: '/', command: [] },
    ).map(({ use }) => use),
  ).toEqual(['untyped', 'untyped', 'otherType', 'contradicts', 'contradicts', 'runs']);
});

test('texts of a repository are one line, without what is hidden, and bounded', () => {
  const [check] = checksOf({ type: 'startup', path: `/\u202e\n${'x'.repeat(ownCheckCharacters)}` });
  expect(check?.asks).toBe(`/  ${'x'.repeat(ownCheckCharacters - 3)}`);
  const { own, more } = read(
    JSON.stringify({ healthchecks: { web: Array(ownChecksShown + 2).fill({ type: 'startup' }) } }),
  ).checks.get('web') ?? { own: [], more: 0 };
  expect([own.length, more]).toEqual([ownChecksShown, 2]);
});

test('each type has its own checks, and a name of the language is a name like others', () => {
  const { checks } = read('{"healthchecks":{"worker":[{"type":"startup"}],"constructor":[],"clock":null}}');
  expect([...checks.keys()]).toEqual(['worker', 'constructor', 'clock']);
  expect(checks.get('toString')).toBeUndefined();
});

test('an app.json without checks, an empty one and none say so', () => {
  for (const text of ['{}', ' \n', '{"healthchecks":null}', '{"cron":[]}'])
    expect(read(text)).toMatchObject({ manifest: 'read', checks: new Map() });
  const line = { checksOf: 'hello', there: false, manifest: null, checksFile: true };
  expect(told(line)).toMatchObject({ manifest: 'none', checksFile: true });
  expect(told({ other: 1 })).toMatchObject({ manifest: 'unknown' });
});

test('what Dokku would not take either is unreadable', () => {
  for (const text of ['[]', '{', '{"healthchecks":[]}', '{"healthchecks":{"web":{"path":"/"}}}', '7'])
    expect(read(text).manifest).toBe('unreadable');
  expect(read('{"healthchecks":{"web":[{"attempts":"3"}]}}').manifest).toBe('unreadable');
  const line = { checksOf: 'hello', there: true, manifest: null, checksFile: false };
  expect(told(line).manifest).toBe('unreadable');
});

test('comments and commas before an end are taken, as Dokku takes them, and strings stay', () => {
  expect(
    fromJsonc(`{
      // one // more
      "a": [1, 2, /* three, */ ],
      "b": "// no /* comment */, ] \\" ,}", /**/
      "c": {"d": 1, },
    } // end`),
  ).toEqual({ a: [1, 2], b: '// no /* comment */, ] " ,}', c: { d: 1 } });
  for (const text of ['{,}', '[,]', '{"a":1,,}', '/*', '"', '{"a":"\\', ''])
    expect(fromJsonc(text)).toBe(undefined);
});
