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

/** Something that runs with these words in its command line and does nothing; it ends after the seconds. */
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

test('where nothing runs it ends at once', () => {
  expect(ask(10)).toEqual({ ran: null, ended: true });
});

test('what changes the app is waited for and named', async () => {
  await runs(1, 'dokku', 'ps:rebuild', app);
  expect(ask(10)).toEqual({ ran: `ps:rebuild ${app}`, ended: true });
});

test('what does not end in time is said to run on', async () => {
  await runs(30, 'dokku', 'apps:destroy', '--force', app);
  expect(ask(0)).toEqual({ ran: `apps:destroy ${app}`, ended: false });
});

test('work on another app and commands that only read do not count', async () => {
  await runs(30, 'dokku', 'ps:rebuild', 'ledger-ab12cdx');
  await runs(30, 'dokku', 'logs', app, '-t');
  await runs(30, 'dokku', 'builds:output', app, 'current');
  expect(ask(0)).toEqual({ ran: null, ended: true });
});

test('an answer of another form is no answer', () => {
  expect(readLeftovers({ exitCode: 127, stdout: '', stderr: 'sh: not found' })).toBeNull();
});
