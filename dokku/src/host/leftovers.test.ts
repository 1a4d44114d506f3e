import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { appName } from '../names/app-name.ts';
import { argvFor } from '../ways.ts';
import { readLeftovers, waitForLeftovers } from './leftovers.ts';

const started: ChildProcess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    const ended = once(child, 'exit');
    if (child.kill('SIGKILL')) await ended;
  }
});

/** Starts a process that has these words in its command line, does nothing and ends after the seconds. */
async function runs(seconds: number, ...words: string[]): Promise<void> {
  const child = spawn('sh', ['-c', 'echo; sleep "$0"', String(seconds), ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.push(child);
  if (child.stdout) await once(child.stdout, 'data');
}

const app = appName('ledger-ab12cd');

function ask(atMostSeconds: number) {
  const [file = '', ...words] = argvFor({ kind: 'root' }, waitForLeftovers(app, atMostSeconds));
  const { status, stdout, stderr } = spawnSync(file, words, { encoding: 'utf8', timeout: 15_000 });
  return readLeftovers({ exitCode: status, stdout, stderr });
}

test('ends at once when no command runs', () => {
  expect(ask(10)).toEqual({ ran: null, ended: true });
});

test('waits for a command that changes the app, and names it', async () => {
  await runs(1, 'dokku', 'ps:rebuild', app);
  expect(ask(10)).toEqual({ ran: `ps:rebuild ${app}`, ended: true });
});

test('waits for a deploy from git', async () => {
  await runs(1, 'dokku', 'git:sync', '--build', app, `/home/dokku/${app}`, 'ab'.repeat(20));
  expect(ask(10)).toEqual({ ran: `git:sync ${app}`, ended: true });
});

test('reports a command that does not end in time as still running', async () => {
  await runs(30, 'dokku', 'apps:destroy', '--force', app);
  expect(ask(0)).toEqual({ ran: `apps:destroy ${app}`, ended: false });
});

test('ignores commands on other apps and commands that only read', async () => {
  await runs(30, 'dokku', 'ps:rebuild', 'ledger-ab12cdx');
  await runs(30, 'dokku', 'logs', app, '-t');
  await runs(30, 'dokku', 'builds:output', app, 'current');
  expect(ask(0)).toEqual({ ran: null, ended: true });
});

test('returns null for an answer of another form', () => {
  expect(readLeftovers({ exitCode: 127, stdout: '', stderr: 'sh: not found' })).toBeNull();
});
