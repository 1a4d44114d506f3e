import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toBase64 } from '@homeport/signer/bytes';
import { makeTestKey, type TestKey } from '@homeport/signer/userauth-fixtures';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lookUpHost } from './known-hosts.ts';

const home = mkdtempSync(join(tmpdir(), 'homeport-home-'));
const file = join(home, '.ssh/known_hosts');
let key: TestKey;
let other: TestKey;
beforeAll(async () => {
  [key, other] = await Promise.all([makeTestKey('ssh-ed25519'), makeTestKey('ssh-ed25519')]);
  mkdirSync(join(home, '.ssh'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const line = (hosts: string, of: TestKey, marker = '') =>
  `${marker}${hosts} ssh-ed25519 ${toBase64(of.blob)} somebody\n`;
const at = (host: string, port = 22) => lookUpHost(home, { host, port }, key.fingerprint);

it('finds the very key, with the line where it stands', async () => {
  writeFileSync(file, `# mine\n${line('a.example,192.0.2.1', key)}${line('[192.0.2.2]:2222', key)}`);
  expect(await at('192.0.2.1')).toEqual({ kind: 'known', line: '2' });
  expect(await at('192.0.2.2', 2222)).toEqual({ kind: 'known', line: '3' });
  expect(await at('192.0.2.2')).toEqual({ kind: 'unknown' });
  expect(await at('192.0.2.3')).toEqual({ kind: 'unknown' });
});

it('finds names that are hashed', async () => {
  writeFileSync(file, line('192.0.2.4', key));
  execFileSync('ssh-keygen', ['-q', '-H', '-f', file], { stdio: 'ignore' });
  expect(await at('192.0.2.4')).toEqual({ kind: 'known', line: '1' });
});

it('tells another key of the host, and a revoked one, from an unknown host', async () => {
  writeFileSync(file, line('192.0.2.5', other));
  expect(await at('192.0.2.5')).toEqual({ kind: 'other' });
  writeFileSync(file, line('192.0.2.5', other) + line('192.0.2.5', key));
  expect(await at('192.0.2.5')).toEqual({ kind: 'known', line: '2' });
  writeFileSync(file, line('192.0.2.5', key) + line('*', key, '@revoked '));
  expect(await at('192.0.2.5')).toEqual({ kind: 'other' });
});

it('takes the key of an authority for no host key', async () => {
  writeFileSync(file, line('*', key, '@cert-authority '));
  expect(await at('192.0.2.6')).toEqual({ kind: 'unknown' });
});

it('asks nothing about what is no host, and knows nothing without the file', async () => {
  writeFileSync(file, line('*', key));
  expect(await at('192.0.2.7')).toMatchObject({ kind: 'known' });
  for (const host of ['a b', '', 'x'.repeat(300), 'a\nb', '*'])
    expect(await at(host)).toEqual({ kind: 'unknown' });
  rmSync(file);
  expect(await at('192.0.2.7')).toEqual({ kind: 'unknown' });
});
