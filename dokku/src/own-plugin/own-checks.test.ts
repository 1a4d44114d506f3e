import { ownCheckCharacters, ownChecksRead, ownChecksShown } from '@homeport/contract/apps/checks/facts';
import { expect, test } from 'vitest';
import { appName } from '../names/app-name.ts';
import { UnreadableOutputError } from '../output.ts';
import { fromJsonc } from './from-jsonc.ts';
import { readOwnChecks } from './own-checks.ts';

const answer = (...lines: string[]) =>
  readOwnChecks(
    {
      exitCode: 0,
      stdout: `${['{"v":1,"plugin":"1.13.0"}', ...lines, '{"end":true}'].join('\n')}\n`,
      stderr: '',
    },
    appName('hello'),
  );
const told = (line: object) => answer(JSON.stringify(line));
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
      ...{ https: false, headers: false, onFailure: 'none' },
      ...{ name: 'ready', kind: 'path', use: 'runs', asks: '/health', content: 'ok', port: 3000 },
      ...{ uptimeSeconds: null, delaySeconds: 2, attempts: 7, waitSeconds: 1, timeoutSeconds: 9 },
      warns: true,
    },
    {
      ...{ https: false, headers: false, onFailure: 'none' },
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

const uses = (...all: object[]) => checksOf(...all).map(({ use }) => use);

test('a check without the type of a start is run by no deploy, and one of two kinds never passes', () => {
  const type = 'startup';
  expect(uses({ path: '/' }, { type: '', path: '/' }, { type: 'liveness', path: '/' })).toEqual([
    ...['untyped', 'untyped', 'otherType'],
  ]);
  expect(
    uses(
      { type, path: '/', uptime: 3, warn: true },
      { type, command: ['a'], listening: true },
      { type, path: '/', command: [] },
    ),
  ).toEqual(['contradicts', 'contradicts', 'runs']);
});

test('a port or a scheme that nothing has makes a check impossible, unless it asks for neither', () => {
  const type = 'startup';
  expect(
    uses(
      { type, path: '/', port: -1 },
      { type, listening: true, port: 65_536 },
      { type, path: '/', scheme: 'ftp' },
      { type, path: '/', scheme: 'HTTPS', port: 65_535 },
      { type, command: ['a'], port: -1, scheme: 'ftp' },
    ),
  ).toEqual(['impossible', 'impossible', 'impossible', 'runs', 'runs']);
});

test('a path over HTTPS and headers of a check are told, but not the headers themselves', () => {
  const httpHeaders = [{ name: 'X-Key', value: 'canary' }];
  const [check] = checksOf({ type: 'startup', path: '/', scheme: 'https', httpHeaders });
  expect(check).toMatchObject({ https: true, headers: true });
  expect(JSON.stringify(check)).not.toContain('canary');
});

test('what a check does where it fails is told, without its words', () => {
  const command = ['sh', '-c', 'id'];
  const url = 'https://example.invalid/';
  const of = (onFailure: unknown) => checksOf({ type: 'startup', onFailure })[0]?.onFailure;
  expect([null, {}, { command: [], url: '' }].map(of)).toEqual(['none', 'none', 'none']);
  expect([{ command }, { Command: command }, { url }, { command, URL: url }].map(of)).toEqual([
    ...['command', 'command', 'url', 'both'],
  ]);
  expect(checksOf({ onfailure: { command } })[0]?.onFailure).toBe('command');
});

test('the name of a member counts in any case, as with Dokku, and that of a type of process does not', () => {
  const { checks } = read(
    '{"HealthChecks":{"web":[{"Type":"startup","PATH":"/up","initialdelay":30,"path":"/last"}]},' +
      '"healthchec\u212a\u017f":{"Web":[{"\u0055ptime":9}],"clock":[]}}',
  );
  expect([...checks.keys()]).toEqual(['web', 'Web', 'clock']);
  expect(checks.get('web')?.own).toMatchObject([{ use: 'runs', asks: '/last', delaySeconds: 30 }]);
  expect(checks.get('Web')?.own).toMatchObject([{ use: 'untyped', uptimeSeconds: 9 }]);
  expect(read('{"healthchecks":{"web":[]},"HEALTHCHECKS":null}').checks.size).toBe(0);
});

test('a null is what Go makes of it: a value that says nothing', () => {
  const { checks } = read('{"healthchecks":{"web":[null,{"type":"startup","command":["a",null]}]}}');
  expect(checks.get('web')?.own).toMatchObject([{ kind: 'command', asks: 'a ' }, { use: 'untyped' }]);
});

test('texts of a repository are one line, without what is hidden, and a cut is marked', () => {
  const asked = (path: string) => checksOf({ type: 'startup', path })[0]?.asks;
  expect(asked(`/\u202e\n${'x'.repeat(ownCheckCharacters)}`)).toBe(
    `/  ${'x'.repeat(ownCheckCharacters - 4)}…`,
  );
  const whole = '/'.padEnd(ownCheckCharacters, 'x');
  expect(asked(whole)).toBe(whole);
  expect(asked(`${whole}x`)).toBe(`${whole.slice(0, -1)}…`);
});

test('a check that counts for a deploy is shown before any that counts for nothing', () => {
  const other = { type: 'liveness' };
  const all = [...Array(ownChecksShown).fill(other), { type: 'startup', path: '/up' }, { type: 'startup' }];
  const { own, more } = read(JSON.stringify({ healthchecks: { web: all } })).checks.get('web') ?? {};
  expect([own?.length, more]).toEqual([ownChecksShown, 2]);
  expect(own?.slice(0, 3).map(({ use, kind }) => [use, kind])).toEqual([
    ['runs', 'path'],
    ['runs', 'uptime'],
    ['otherType', 'uptime'],
  ]);
});

test('an app.json of too many checks is unreadable', () => {
  const of = (count: number) =>
    read(JSON.stringify({ healthchecks: { web: Array(count - 1).fill({}), worker: [{}] } }));
  expect(of(ownChecksRead)).toMatchObject({ manifest: 'read' });
  expect(of(ownChecksRead + 1)).toMatchObject({ manifest: 'unreadable', checks: new Map() });
});

test('an answer of too many lines is none, and one whose text is too long tells nothing', () => {
  const line = (bytes: number) =>
    told({
      ...{ checksOf: 'hello', there: true, checksFile: false },
      manifest: Buffer.from('{}'.padEnd(bytes)).toString('base64'),
    });
  expect(line(32_768).manifest).toBe('read');
  expect(line(32_770).manifest).toBe('unknown');
  const others = (count: number) =>
    answer(
      ...Array(count).fill('{}'),
      '{"checksOf":"hello","there":false,"manifest":null,"checksFile":true}',
    );
  expect(others(3_997)).toMatchObject({ manifest: 'none', checksFile: true });
  expect(() => others(3_998)).toThrow(UnreadableOutputError);
});

test('a line about another app is passed over', () => {
  const line = { there: true, manifest: null, checksFile: true };
  expect(told({ checksOf: 'other', ...line })).toMatchObject({ manifest: 'unknown', checksFile: false });
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
  for (const check of ['{"attempts":"3"}', '7', '[]', '{"command":[1]}', '{"onFailure":{"command":"id"}}'])
    expect(read(`{"healthchecks":{"web":[{},${check}]}}`).manifest, check).toBe('unreadable');
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
