import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestApi } from '../http/testing.ts';
import { linkServer } from '../testing/link-server.ts';
import { startSandboxServer } from '../testing/sandbox-host.ts';

const app = `tended-${process.pid}`;
const readers = () =>
  execFileSync('ps', ['-e', '-o', 'pid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.endsWith(`reader of ${app}`))
    .map((line) => line.trim().split(' ')[0] ?? '');

test('a followed log that an earlier console left ends when root connects', async () => {
  await using api = await startTestApi();
  await using host = await startSandboxServer();
  const folder = mkdtempSync(join(tmpdir(), 'homeport-tend-'));
  try {
    const program = '#!/bin/sh\nsh -c "sleep 600; :" "reader of $2" &\necho up\nwait\n';
    writeFileSync(join(folder, 'dokku'), program, { mode: 0o755 });
    const left = spawn(join(folder, 'dokku'), ['logs', app, '--num', '200', '--tail'], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, LC_ALL: 'C', SSH_CONNECTION: '192.0.2.1 50000 192.0.2.2 22' },
    });
    await once(left.stdout, 'data');
    await expect.poll(readers).toHaveLength(1);

    const ines = await api.signUp('ines');
    const { connect } = await linkServer(api.url, ines, host);
    await connect();
    await expect.poll(readers, { timeout: 20_000 }).toEqual([]);
  } finally {
    for (const pid of readers()) spawnSync('kill', ['-s', 'KILL', pid]);
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
