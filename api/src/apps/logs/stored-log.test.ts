import { builds } from '@homeport/dokku';
import { ownerFromSession } from '@homeport/store';
import { expect, test } from 'vitest';
import type { Ran } from '../../remote/run-command.ts';
import { createStoredLogs } from './stored-log.ts';

function build(id: string): builds.BuildId {
  const record = { id, kind: 'build', source: 'git-hook', started_at: '2026-11-21T07:24:44Z' };
  const stdout = JSON.stringify([{ ...record, display_status: 'succeeded' }]);
  const [read] = builds.readList({ exitCode: 0, stdout, stderr: '' });
  if (!read) throw new Error('Dokku’s reader knows no such id.');
  return read.id;
}
const ran = (stdout: string, exitCode = 0): Ran => ({
  exitCode,
  stdout,
  stderr: '',
  record: { account: 'dokku', command: '', exitCode, startedAt: 0, durationMs: 0 },
});

/** A server that answers with these texts in turn, and how often it was asked. */
function server(...answers: Ran[]) {
  return serverOf('ada', ...answers);
}
function serverOf(person: string, ...answers: Ran[]) {
  let asked = 0;
  const owner = ownerFromSession(person);
  const app = { id: `of ${person}`, longname: 'shop' };
  const run = async () => {
    asked += 1;
    return answers.shift() ?? ran('again\n');
  };
  return { reached: { app, run, owner }, asked: () => asked };
}

test('the log of a deploy that is over is asked for once', async () => {
  const { reached, asked } = server(ran('one\ntwo\n'));
  const logs = createStoredLogs();
  for (const _look of [1, 2, 3])
    expect(await logs.read({ reached, build: build('b1') }, { over: true })).toEqual(['one', 'two']);
  expect(asked()).toBe(1);
});

test('the log of a deploy that may still write is asked for again', async () => {
  const { reached } = server(ran('one\n'), ran('one\ntwo\n'));
  const logs = createStoredLogs();
  expect(await logs.read({ reached, build: build('b1') }, { over: false })).toEqual(['one']);
  expect(await logs.read({ reached, build: build('b1') }, { over: true })).toEqual(['one', 'two']);
});

test.each([ran(''), ran('', 20)])('an answer without a log is not kept', async (answer) => {
  const { reached } = server(answer, ran('one\n'));
  const logs = createStoredLogs();
  expect(await logs.read({ reached, build: build('b1') }, { over: true })).toEqual([]);
  expect(await logs.read({ reached, build: build('b1') }, { over: true })).toEqual(['one']);
});

const letters = 1_000;
const log = ran(`${'a'.repeat(letters)}\n`);
/** Of one such log: its letters and its line's end, and what a log and a line take beside. */
const size = letters + 1 + 512 + 40;

test('of more characters than an account may keep, the log goes that nobody looked at for longest', async () => {
  const { reached, asked } = server(log, log, log);
  const logs = createStoredLogs(2 * 2 * size);
  const look = (id: string) => logs.read({ reached, build: build(id) }, { over: true });
  for (const id of ['b1', 'b2', 'b1', 'b3', 'b1', 'b3']) await look(id);
  expect(asked()).toBe(3);
  await look('b2');
  expect(asked()).toBe(4);
});

test('an account that looks at many logs takes the memory of its own ones', async () => {
  const ada = serverOf('ada', log);
  const eve = serverOf('eve', log, log, log, log);
  const logs = createStoredLogs(2 * 2 * size);
  await logs.read({ reached: ada.reached, build: build('b1') }, { over: true });
  for (const id of ['b1', 'b2', 'b3', 'b4'])
    await logs.read({ reached: eve.reached, build: build(id) }, { over: true });
  await logs.read({ reached: ada.reached, build: build('b1') }, { over: true });
  expect(ada.asked()).toBe(1);
});

test('a log of many empty lines counts as what it takes', async () => {
  const empty = ran(`${'\n'.repeat(letters)}end\n`);
  const { reached, asked } = server(empty, empty);
  const logs = createStoredLogs(2 * 2 * size);
  for (const _look of [1, 2]) await logs.read({ reached, build: build('b1') }, { over: true });
  expect(asked()).toBe(2);
});
