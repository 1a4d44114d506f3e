import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lacksRealDatabases } from '../../testing/real-databases.ts';
import { prepareSandboxHost, type SandboxHost } from '../index.ts';

const run = promisify(execFile);

let folder: string;
let host: SandboxHost;
/** The folder of a machine that goes down and boots. */
const boot = async () => {
  host = await prepareSandboxHost({ root: join(folder, 'host'), databases: 'real' });
};
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homeport-boot-'));
  chmodSync(folder, 0o755);
  await boot();
}, 60_000);
afterAll(async () => {
  await host?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const dokku = async (...words: string[]) => (await run('dokku', words, { env: host.env })).stdout;
const ask = async (name: string, question: string) => {
  const running = run('dokku', ['redis:connect', name], { env: host.env });
  running.child.stdin?.end(question);
  return (await running).stdout;
};

test('after a boot those databases start that ran before, with their data', async () => {
  for (const name of ['lamps', 'resting', 'gone']) await dokku('redis:create', name);
  if (!lacksRealDatabases) await ask('lamps', 'SET harbour light\nSAVE\n');
  await dokku('redis:pause', 'resting');
  await dokku('redis:stop', 'gone');
  await host.dispose();
  await boot();
  expect(host.servicesAtBoot()).toEqual([['redis:start', 'lamps']]);
  for (const words of host.servicesAtBoot()) await dokku(...words);
  expect((await dokku('redis:info', 'lamps', '--status')).trim()).toBe('running');
  expect((await dokku('redis:info', 'resting', '--status')).trim()).toBe('exited');
  if (!lacksRealDatabases)
    await expect.poll(() => ask('lamps', 'GET harbour\n'), { timeout: 20_000 }).toContain('light');
  // Started by a person, it is again one that runs.
  await dokku('redis:start', 'resting');
  await host.dispose();
  expect(host.servicesAtBoot()).toEqual([
    ['redis:start', 'lamps'],
    ['redis:start', 'resting'],
  ]);
}, 120_000);
