import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareSandboxHost, type SandboxHost } from './index.ts';
import { isAlive, startTicksOf } from './machine/processes.ts';

let base: string;
let host: SandboxHost;

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'keep-'));
  host = await prepareSandboxHost({ root: join(base, 'host') });
});
afterEach(async () => {
  await host.dispose();
  rmSync(base, { recursive: true, force: true });
});

function keep(words: readonly string[], env: Record<string, string> = host.env) {
  const done = spawnSync(join(host.root, 'bin/sandbox-keep'), words, {
    encoding: 'utf8',
    env: { PATH: host.path, ...env },
    timeout: 20_000,
  });
  return { exitCode: done.status, stderr: done.stderr };
}

function running(name: string): () => boolean {
  const { pid } = JSON.parse(readFileSync(join(host.root, 'kept', `${name}.json`), 'utf8')) as {
    pid: number;
  };
  const ticks = startTicksOf(pid);
  expect(isAlive(pid, ticks)).toBe(true);
  return () => isAlive(pid, ticks);
}

test('a service outlives its caller, is replaced by its next start and ends with the sandbox', async () => {
  expect(keep(['agent', 'sh', '-c', 'echo first; sleep 600'])).toEqual({ exitCode: 0, stderr: '' });
  const first = running('agent');
  await expect.poll(() => readFileSync(join(host.root, 'kept/agent.log'), 'utf8')).toBe('first\n');
  expect(keep(['other', 'sleep', '600']).exitCode).toBe(0);
  const other = running('other');
  expect(keep(['agent', 'sleep', '600']).exitCode).toBe(0);
  const second = running('agent');
  expect(first()).toBe(false);
  expect(keep(['other']).exitCode).toBe(0);
  expect(other()).toBe(false);
  await host.dispose();
  expect(second()).toBe(false);
});

test('a service that ignores SIGTERM ends anyway', async () => {
  expect(keep(['deaf', 'sh', '-c', 'trap "" TERM; while :; do sleep 0.2; done']).exitCode).toBe(0);
  const deaf = running('deaf');
  await host.dispose();
  expect(deaf()).toBe(false);
});

test('refuses a wrong name, a missing program and a caller outside of the sandbox', () => {
  expect(keep(['../x', 'sleep', '1']).exitCode).toBe(2);
  expect(keep(['x', join(base, 'nothing')]).exitCode).toBe(127);
  expect(keep(['x', 'sleep', '1'], { DOKKU_SANDBOX_ROOT: '' }).exitCode).toBe(2);
  expect(keep(['x', 'sleep', '1'], { DOKKU_SANDBOX_ROOT: '/elsewhere' }).stderr).toContain('not inside');
});
