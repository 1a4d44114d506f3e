import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { argvFor } from '../ways.ts';
import { endLeftReaders, readEnded, readRemoved, removeLeftEnvironments } from './left-readers.ts';

/** A program named dokku that waits with readers of its own, like the real one. */
const dokku = '#!/bin/sh\nfor n in 1 2; do sh -c "sleep 600; :" "reader of $2" & done\necho up\nwait\n';

const app = `left-${process.pid}`;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'left-readers-'));
  writeFileSync(join(folder, 'dokku'), dokku, { mode: 0o755 });
  // A parent of this name stands for the sshd of an open channel.
  copyFileSync('/bin/sh', join(folder, 'sshd'));
  chmodSync(join(folder, 'sshd'), 0o755);
});
afterEach(() => {
  const all = execFileSync('ps', ['-e', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  for (const line of all.filter((each) => each.includes(folder) || each.endsWith(`reader of ${app}`)))
    spawnSync('kill', ['-s', 'KILL', line.trim().split(' ')[0] ?? '']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const remembered = { SSH_CONNECTION: '192.0.2.1 50000 192.0.2.2 22', LC_ALL: 'C' };

/** Starts dokku as the leader of a session without a terminal. Resolves when it runs. */
async function runs(words: readonly string[], env: Record<string, string> = remembered): Promise<void> {
  const child = spawn(join(folder, 'dokku'), words, {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH, ...env },
  });
  await once(child.stdout, 'data');
}

/** As `runs`, below a process named sshd that lives on. */
async function runsUnderSshd(words: readonly string[]): Promise<void> {
  const child = spawn(
    join(folder, 'sshd'),
    ['-c', 'setsid "$@" & wait', 'sshd', join(folder, 'dokku'), ...words],
    {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, ...remembered },
    },
  );
  await once(child.stdout, 'data');
}

/** Each followed log has two readers. */
const readers = () =>
  execFileSync('ps', ['-e', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.endsWith(`reader of ${app}`)).length;

function end() {
  const [file = '', ...words] = argvFor({ kind: 'root' }, endLeftReaders());
  const { status, stdout, stderr } = spawnSync(file, words, { encoding: 'utf8', timeout: 20_000 });
  return readEnded({ exitCode: status, stdout, stderr });
}

test('ends a followed log that an earlier console left, with all of its readers', async () => {
  await runs(['logs', app, '--num', '200', '--tail']);
  await runs(['logs', app, '--num', '200', '--ps', 'web', '--tail']);
  await runs(['builds:output', app, 'current']);
  await expect.poll(readers).toBe(6);
  expect(end()).toBeGreaterThanOrEqual(3);
  await expect.poll(readers).toBe(0);
});

test('leaves a followed log alone whose channel is open', async () => {
  await runsUnderSshd(['logs', app, '--num', '200', '--tail']);
  await expect.poll(readers).toBe(2);
  expect(end()).not.toBeNull();
  expect(readers()).toBe(2);
});

test('leaves other commands alone, and followed logs that no console began', async () => {
  await runs(['ps:rebuild', app]);
  await runs(['logs', app, '-t']);
  await runs(['logs', app, '--num', '200', '--tail'], { LC_ALL: 'C' });
  await runs(['logs', app, '--num', '200', '--tail'], { SSH_CONNECTION: remembered.SSH_CONNECTION });
  await expect.poll(readers).toBe(8);
  expect(end()).not.toBeNull();
  expect(readers()).toBe(8);
});

test('returns null for an answer of another form', () => {
  expect(readEnded({ exitCode: 127, stdout: '', stderr: 'sh: not found' })).toBeNull();
});

test('takes away the environments that ended readers left, and nothing else', () => {
  const place = join(folder, 'tmp');
  mkdirSync(place);
  const old = new Date(Date.now() - 5 * 60_000);
  for (const name of ['bashenv.1', 'bashenv.22', 'bashenv.3', 'bashenv.txt', 'bashenv.', 'other.1']) {
    writeFileSync(join(place, name), 'export SECRET=1\n', { mode: 0o600 });
    utimesSync(join(place, name), old, old);
  }
  writeFileSync(join(place, 'bashenv.4'), 'just written', { mode: 0o600 });
  symlinkSync(join(place, 'other.1'), join(place, 'bashenv.5'));
  const user = spawn('sleep', ['600'], {
    env: { PATH: process.env.PATH, BASH_ENV: join(place, 'bashenv.3') },
  });
  try {
    const remove = (owner: string) => {
      const [file = '', ...words] = argvFor({ kind: 'root' }, removeLeftEnvironments(place, owner));
      const { status, stdout, stderr } = spawnSync(file, words, { encoding: 'utf8' });
      return readRemoved({ exitCode: status, stdout, stderr });
    };
    expect(remove('somebody-else')).toBe(0);
    expect(remove(userInfo().username)).toBe(2);
    expect(readdirSync(place).sort()).toEqual(
      ['bashenv.', 'bashenv.3', 'bashenv.4', 'bashenv.5', 'bashenv.txt', 'other.1'].sort(),
    );
  } finally {
    user.kill('SIGKILL');
  }
});
