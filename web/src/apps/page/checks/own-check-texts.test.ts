import type { AppChecks, OwnCheck } from '@homeport/contract/apps/checks/schema';
import { expect, test } from 'vitest';
import { asksPath, failureText, outcomeText, ownCheckText, unusedText } from './own-check-texts.ts';

const check = (changes: Partial<OwnCheck> = {}): OwnCheck => ({
  ...{ name: null, kind: 'path', use: 'runs', asks: '/up', content: null, port: null, uptimeSeconds: null },
  ...{ https: false, headers: false, onFailure: 'none' },
  ...{ delaySeconds: 0, attempts: 3, waitSeconds: 5, timeoutSeconds: 5, warns: false },
  ...changes,
});

const textOf = (changes: Partial<OwnCheck> = {}, type = 'web') => ownCheckText(check(changes), type);

test('each kind of check says what it asks for', () => {
  const tries = '3 tries, 5 s apart, each of up to 5 s.';
  expect(textOf()).toBe(`Asks for /up: the answer has to be a success (2xx). ${tries}`);
  expect(textOf({ port: 3000, content: 'ok', https: true, headers: true })).toBe(
    `Asks for /up on port 3000 over HTTPS, with headers of its own: the answer has to be a success (2xx), and the first that is one has to hold “ok”. ${tries}`,
  );
  expect(textOf({ kind: 'command', asks: 'node check.js', attempts: 1 })).toBe(
    'Runs “node check.js” in the container, which has to end with 0. 1 try of up to 5 s.',
  );
  expect(textOf({ kind: 'listening', asks: null })).toContain('the app’s port at all addresses');
  expect(textOf({ kind: 'uptime', asks: null, uptimeSeconds: 30 })).toBe(
    'The container has to stay up for 30 s, without a restart.',
  );
});

test('without a port of its own, a check of another type than web is told with the port that Dokku asks', () => {
  expect(textOf({}, 'worker')).toContain('Asks for /up on port 5000:');
  expect(textOf({ kind: 'listening', asks: null }, 'worker')).toContain('listen on port 5000');
  expect(textOf({ port: 3000 }, 'worker')).toContain('on port 3000:');
});

test('the waits between tries of a command or a port grow, and those of a path do not', () => {
  const grows = '5 s apart and then twice as long each time, each';
  for (const kind of ['command', 'listening'] as const) {
    expect(textOf({ kind })).toContain(`3 tries, ${grows}`);
    expect(textOf({ kind, attempts: 2 })).toContain('2 tries, 5 s apart, each');
  }
  expect(textOf({ attempts: 10 })).toContain('10 tries, 5 s apart, each');
});

test('a wait before it and a failure that only warns are said', () => {
  expect(textOf({ delaySeconds: 4, warns: true })).toMatch(
    /Begins 4 s after the start\. Only warns: the deploy goes on where it fails\.$/,
  );
});

test('a check that no deploy runs says why, and one that never passes too', () => {
  const unused = (use: OwnCheck['use'], warns = false) => unusedText(check({ use, warns }));
  expect(unused('runs')).toBe(null);
  expect(unused('untyped')).toContain('Give it the type startup');
  expect(unused('otherType')).toContain('the type startup alone');
  expect(unused('contradicts')).toMatch(/^Fails each deploy that runs it: it asks for two kinds/);
  expect(unused('impossible')).toMatch(/^Fails each deploy that runs it: there is no such port/);
  for (const use of ['contradicts', 'impossible'] as const)
    expect(unused(use, true)).toMatch(/^Never passes: /);
});

test('what Dokku runs or tells where a check fails is said, of one that only warns too', () => {
  const text = (changes: Partial<OwnCheck>) => failureText(check(changes));
  expect(text({})).toBe(null);
  expect(text({ onFailure: 'command', warns: true })).toContain('as root on the server');
  expect(text({ onFailure: 'command', use: 'contradicts' })).toContain('as root on the server');
  expect(text({ onFailure: 'url' })).toContain('sends the errors to an address');
  expect(text({ onFailure: 'both' })).toMatch(/as root on the server.* sends the errors/);
  expect(text({ onFailure: 'command', use: 'otherType' })).toBe(null);
  expect(text({ onFailure: 'url', use: 'untyped' })).toBe(null);
});

test('a type says what happens where none of its checks runs', () => {
  const of = (type: string, ...own: OwnCheck[]) =>
    outcomeText({ type, mode: 'checked', own, more: 0 }, { manifest: 'read', checksFile: false });
  expect(of('web', check())).toBe(null);
  expect(of('web')).toContain('has to stay up for 10 s');
  expect(of('web', check({ use: 'contradicts' }))).toBe(null);
  expect(of('web', check({ use: 'impossible' }))).toBe(null);
  expect(of('web', check({ use: 'otherType' }))).toContain('nothing can fail a deploy');
  expect(of('worker', check({ use: 'untyped' }))).toContain('Dokku waits 10 s');
  const web = { type: 'web', mode: 'checked' as const, own: [], more: 0 };
  const told = (manifest: AppChecks['manifest']) => outcomeText(web, { manifest, checksFile: false });
  expect(told('unknown')).toBe(null);
  expect(told('unreadable')).toContain('cannot be read here');
});

test('a CHECKS file takes the place of what app.json says of web, and of nothing else', () => {
  const file = { manifest: 'read', checksFile: true } as const;
  const of = (type: string) => outcomeText({ type, mode: 'checked', own: [check()], more: 0 }, file);
  expect(of('web')).toContain('takes the place of what app.json has for it');
  expect(of('worker')).toBe(null);
});

test('a path that a deploy asks makes the snippet needless', () => {
  const checks = (own: OwnCheck[], type = 'web', more = 0) => ({
    types: [{ type, mode: 'checked' as const, own, more }],
    ...{ manifest: 'read' as const, checksFile: false, retireSeconds: 60 },
  });
  expect(asksPath(checks([check()]))).toBe(true);
  expect(asksPath(checks([check({ use: 'untyped' })]))).toBe(false);
  expect(asksPath(checks([check()], 'worker'))).toBe(false);
  expect(asksPath(checks([]))).toBe(false);
  expect(asksPath({ ...checks([]), checksFile: true })).toBe(true);
  // One that runs may be among those that are not shown, unless one is shown that does not run.
  expect(asksPath(checks([check({ kind: 'uptime' })], 'web', 1))).toBe(true);
  expect(asksPath(checks([check({ use: 'untyped' })], 'web', 1))).toBe(false);
});
