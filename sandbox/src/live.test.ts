import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as dokku from '@homeport/dokku';
import { argvFor, type Command, type Outcome } from '@homeport/dokku';
import type { LiveCheck, LiveHost } from '@homeport/dokku/live/check';
import { type CheckResult, freshNames, liveChecks, runChecks } from '@homeport/dokku/live/run-checks';
import { openSshHost } from '@homeport/dokku/live/ssh-host';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSshd, type TestHost } from '../testing/sshd.ts';
import { prepareSandboxHost, type SandboxHost } from './index.ts';

let base: string;
let sandbox: SandboxHost;
let server: TestHost;
let host: LiveHost & { close(): Promise<void> };

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'live-'));
  sandbox = await prepareSandboxHost({ root: join(base, 'host') });
  server = await startSshd(join(base, 'ssh'), sandbox);
  host = await openSshHost({
    host: '127.0.0.1',
    port: server.port,
    user: server.user,
    key: server.adminKey,
    gitUser: server.user,
    knownHosts: join(base, 'known_hosts'),
  });
}, 60_000);

afterAll(async () => {
  await host?.close();
  await server?.stop();
  await sandbox?.dispose();
  if (base) rmSync(base, { recursive: true, force: true });
});

async function check(
  on: LiveHost,
  names = freshNames(),
  checks: readonly LiveCheck[] = liveChecks,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  await runChecks(on, names, (result) => results.push(result), checks);
  return results;
}

const failures = (results: readonly CheckResult[]) =>
  results.flatMap(({ name, error }) => (error ? [`${name}: ${error.message}`] : []));

const skips = (results: readonly CheckResult[]) => results.flatMap(({ skipped }) => skipped ?? []);

const named = (pattern: RegExp) => liveChecks.filter((one) => pattern.test(one.name));

test('the followed log of a silent app ends when its stream is closed, and no reader is left on the host', async () => {
  const followed = named(/^(ssh-keys:add takes|apps:create|git push|followed logs)/);
  expect(failures(await check(host, freshNames(), followed))).toEqual([]);
  const readers = () =>
    execFileSync('ps', ['-e', '-o', 'args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.includes(`${sandbox.root}/program.cjs dokku logs`));
  await expect.poll(readers, { timeout: 10_000 }).toEqual([]);
}, 60_000);

test('the checks also pass without the plugins acl and letsencrypt', async () => {
  const bare = await prepareSandboxHost({ root: join(base, 'bare'), plugins: [] });
  try {
    const local: LiveHost = { ...host, run: async (command) => runLocally(bare, command) };
    const results = await check(local, freshNames(), named(/^(apps:create|acl|letsencrypt)/));
    expect(failures(results)).toEqual([]);
    expect(skips(results)).toEqual(['the host has no plugin acl', 'the host has no plugin letsencrypt']);
  } finally {
    await bare.dispose();
  }
}, 60_000);

test('a taken name stops the checks before they make anything', async () => {
  const names = freshNames();
  expect((await host.run(dokku.apps.create(names.app))).exitCode).toBe(0);
  await expect(check(host, names)).rejects.toThrow(`There is an app ${names.app}: nothing was touched.`);
  expect((await host.run(dokku.apps.exists(names.app))).exitCode).toBe(0);
}, 60_000);

test('a host with wrong answers fails those checks, and is cleaned up anyway', async () => {
  const names = freshNames();
  const lying: LiveHost = {
    ...host,
    run: async (command) =>
      command.words[0] === 'resource:report' ? { exitCode: 0, stdout: '{}', stderr: '' } : host.run(command),
    push: async () => ({ exitCode: 1, stdout: '', stderr: 'remote:  !     App build failed\n' }),
  };
  const results = await check(
    lying,
    names,
    named(/^(ssh-keys:add takes|apps:create|resource|storage|git push)/),
  );
  expect(failures(results).map((line) => line.split(' ')[0])).toEqual(['resource:limit', 'git']);
  expect((await host.run(dokku.apps.exists(names.app))).exitCode).toBe(20);
}, 120_000);

function runLocally(bare: SandboxHost, command: Command): Outcome {
  const [file = '', ...words] = argvFor({ kind: 'root' }, command);
  const env = { ...process.env, ...bare.env };
  const done = spawnSync(file, words, { encoding: 'utf8', env, input: command.stdin ?? '', timeout: 20_000 });
  return { exitCode: done.status, stdout: done.stdout, stderr: done.stderr };
}
