import type { AppChecks, OwnCheck } from '@homeport/contract/apps/checks/schema';
import { expect, test } from 'vitest';
import { asksPath, outcomeText, ownCheckText, unusedText } from './own-check-texts.ts';

const check = (changes: Partial<OwnCheck> = {}): OwnCheck => ({
  ...{ name: null, kind: 'path', use: 'runs', asks: '/up', content: null, port: null, uptimeSeconds: null },
  ...{ delaySeconds: 0, attempts: 3, waitSeconds: 5, timeoutSeconds: 5, warns: false },
  ...changes,
});

test('each kind of check says what it asks for', () => {
  const tries = '3 tries, 5 s apart, each of up to 5 s.';
  expect(ownCheckText(check())).toBe(`Asks for /up: the answer has to be a success (2xx). ${tries}`);
  expect(ownCheckText(check({ port: 3000, content: 'ok' }))).toContain(
    'Asks for /up on port 3000: the answer has to be a success (2xx) and hold “ok”.',
  );
  expect(ownCheckText(check({ kind: 'command', asks: 'node check.js', attempts: 1 }))).toBe(
    'Runs “node check.js” in the container, which has to end with 0. 1 try of up to 5 s.',
  );
  expect(ownCheckText(check({ kind: 'listening', asks: null }))).toContain('the app’s port at all addresses');
  expect(ownCheckText(check({ kind: 'uptime', asks: null, uptimeSeconds: 30 }))).toBe(
    'The container has to stay up for 30 s, without a restart.',
  );
});

test('a wait before it and a failure that only warns are said', () => {
  expect(ownCheckText(check({ delaySeconds: 4, warns: true }))).toMatch(
    /Begins 4 s after the start\. Only warns: the deploy goes on where it fails\.$/,
  );
});

test('a check that no deploy runs says why, and one that fails each deploy too', () => {
  expect(unusedText(check())).toBe(null);
  expect(unusedText(check({ use: 'untyped' }))).toContain('Give it the type startup');
  expect(unusedText(check({ use: 'otherType' }))).toContain('the type startup alone');
  expect(unusedText(check({ use: 'contradicts' }))).toContain('Fails each deploy');
});

test('a type says what happens where none of its checks runs', () => {
  const of = (type: string, ...own: OwnCheck[]) =>
    outcomeText({ type, mode: 'checked', own, more: 0 }, { manifest: 'read', checksFile: false });
  expect(of('web', check())).toBe(null);
  expect(of('web')).toContain('has to stay up for 10 s');
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
  expect(of('web')).toContain('The CHECKS file of the repository has its checks');
  expect(of('worker')).toBe(null);
});

test('a path that a deploy asks makes the snippet needless', () => {
  const checks = (own: OwnCheck[], type = 'web') => ({
    types: [{ type, mode: 'checked' as const, own, more: 0 }],
    ...{ manifest: 'read' as const, checksFile: false, retireSeconds: 60 },
  });
  expect(asksPath(checks([check()]))).toBe(true);
  expect(asksPath(checks([check({ use: 'untyped' })]))).toBe(false);
  expect(asksPath(checks([check()], 'worker'))).toBe(false);
  expect(asksPath(checks([]))).toBe(false);
  expect(asksPath({ ...checks([]), checksFile: true })).toBe(true);
});
