import { randomUUID } from 'node:crypto';
import { operationLog } from '@homeport/contract/limits';
import { ownerFromSession } from '@homeport/store';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../http/testing.ts';
import { runningReplica } from '../testing/plant.ts';
import { openOperationLog } from './log.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' });
});
afterAll(() => api[Symbol.asyncDispose]());

const share = operationLog.bytesOfAccount;
const perLine = 64;
const removed = /log of this operation was removed up to here: .* 128 MiB together/;

async function plantOperation(owner: string, state: 'succeeded' | 'running', createdAt: number) {
  const replica_id = await runningReplica(api.store.db);
  const { id } = await api.store.db
    .insertInto('operations')
    .values({
      ...{ owner_id: owner, session_id: randomUUID(), kind: 'app.start', title: 'Start', state },
      ...{ lane: randomUUID(), steps: '[]', input: '{}', created_at: createdAt, replica_id },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Opens a log as a run of the operation does, and writes these lines to it. */
async function write(owner: string, operation: string, first: number, lines: string[]) {
  const failures: unknown[] = [];
  const next = { line: first, command: 1, characters: 0 };
  const log = openOperationLog(api.store.db, ownerFromSession(owner), operation, next, (error) =>
    failures.push(error),
  );
  for (const line of lines) log.note('build', line);
  await log.flush();
  expect(failures).toEqual([]);
}

const linesOf = (operation: string) =>
  api.store.db
    .selectFrom('operation_lines')
    .select(['seq', 'text'])
    .where('operation_id', '=', operation)
    .orderBy('seq')
    .execute();
const bytesOf = async (owner: string) => {
  const rows = await api.store.db
    .selectFrom('operation_logs')
    .select('bytes')
    .where('owner_id', '=', owner)
    .execute();
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
};
/** As if the log were as large as that. */
const pretend = (operation: string, bytes: number) =>
  api.store.db.updateTable('operation_logs').set({ bytes }).where('operation_id', '=', operation).execute();

test('the number in the store is the one of the contract', async () => {
  const { rows } = await sql<{ most: number }>`select most_log_bytes() as most`.execute(api.store.db);
  expect(rows).toEqual([{ most: share }]);
});

test('a log counts its bytes, and some for each line', async () => {
  const { userId } = await api.signUp('ben');
  const operation = await plantOperation(userId, 'running', 1);
  await write(userId, operation, 1, ['abc', 'ü', '']);
  expect(await bytesOf(userId)).toBe(5 + 3 * perLine);
});

test('up to the last byte of the share every log stays; the next line takes the oldest one, and nobody else’s', async () => {
  const { userId: eve } = await api.signUp('eve');
  const { userId: ada } = await api.signUp('ada');
  const hers = await plantOperation(ada, 'succeeded', 1);
  await write(ada, hers, 1, ['a line of ada']);
  await pretend(hers, share);
  const [running, oldest, later, writer] = [
    await plantOperation(eve, 'running', 1),
    await plantOperation(eve, 'succeeded', 2),
    await plantOperation(eve, 'succeeded', 3),
    await plantOperation(eve, 'running', 4),
  ];
  for (const operation of [running, oldest, later, writer]) await write(eve, operation, 1, ['one', 'two']);
  await pretend(oldest, 5_000_000);
  await pretend(later, 5_000_000);
  await pretend(writer, 2 * (3 + perLine));
  const line = 'a line';
  const room = line.length + perLine;
  await pretend(running, share - 10_000_000 - 2 * (3 + perLine) - room);

  await write(eve, writer, 3, [line]);
  expect(await bytesOf(eve)).toBe(share);
  expect((await linesOf(oldest)).map(({ text }) => text)).toEqual(['one', 'two']);

  await write(eve, writer, 4, ['']);
  // 5 MB are less than a sixteenth of the share, so the next older log goes too; the running one is the last.
  for (const operation of [oldest, later])
    expect(await linesOf(operation)).toEqual([{ seq: 2, text: expect.stringMatching(removed) }]);
  expect((await linesOf(running)).map(({ text }) => text)).toEqual(['one', 'two']);
  expect((await linesOf(writer)).map(({ text }) => text)).toEqual(['one', 'two', line, '']);
  expect(await bytesOf(eve)).toBeLessThanOrEqual(share - share / 16);
  expect((await linesOf(hers)).map(({ text }) => text)).toEqual(['a line of ada']);
});

/** Notes a command as a run of the operation does. */
async function ran(owner: string, operation: string, seq: number, command: string) {
  const failures: unknown[] = [];
  const next = { line: 1, command: seq, characters: 0 };
  const log = openOperationLog(api.store.db, ownerFromSession(owner), operation, next, (error) =>
    failures.push(error),
  );
  log.ran('build', { account: 'root', command, exitCode: 0, startedAt: 1, durationMs: 1 });
  await log.flush();
  expect(failures).toEqual([]);
}
const commandsOf = async (operation: string) => {
  const rows = await api.store.db
    .selectFrom('operation_commands')
    .select('command')
    .where('operation_id', '=', operation)
    .orderBy('seq')
    .execute();
  return rows.map(({ command }) => command);
};

test('the commands of an operation count with its log, and go with it', async () => {
  const { userId } = await api.signUp('gus');
  const [oldest, quiet, writer] = [
    await plantOperation(userId, 'succeeded', 1),
    await plantOperation(userId, 'running', 2),
    await plantOperation(userId, 'running', 3),
  ];
  await write(userId, oldest, 1, ['one']);
  for (const operation of [oldest, quiet, writer]) await ran(userId, operation, 1, 'dokku ü');
  const ofOne = 8 + perLine;
  expect(await bytesOf(userId)).toBe(3 + perLine + 3 * ofOne);
  await pretend(oldest, 5_000_000);
  await pretend(quiet, share - 5_000_000 - 2 * ofOne);

  await ran(userId, writer, 2, 'dokku ü');
  expect(await bytesOf(userId)).toBe(share);
  expect(await commandsOf(oldest)).toEqual(['dokku ü']);

  await ran(userId, writer, 3, '');
  expect(await linesOf(oldest)).toEqual([{ seq: 1, text: expect.stringMatching(removed) }]);
  for (const operation of [oldest, quiet]) expect(await commandsOf(operation)).toEqual([]);
  expect(await commandsOf(writer)).toEqual(['dokku ü', 'dokku ü', '']);
  // A run that had no line yet begins with its first one.
  await write(userId, quiet, 1, ['first']);
  expect((await linesOf(quiet)).map(({ text }) => text)).toEqual(['first']);
});

test('work that is under way loses its log last, and never to itself', async () => {
  const { userId } = await api.signUp('cem');
  const [over, running, writer] = [
    await plantOperation(userId, 'succeeded', 3),
    await plantOperation(userId, 'running', 2),
    await plantOperation(userId, 'running', 1),
  ];
  for (const operation of [over, running, writer]) await write(userId, operation, 1, ['one']);
  await pretend(over, 10_000);
  await pretend(running, share);
  await write(userId, writer, 2, ['two']);
  expect(await linesOf(running)).toEqual([{ seq: 1, text: expect.stringMatching(removed) }]);
  await write(userId, running, 2, ['and on']);
  expect((await linesOf(running)).at(-1)).toEqual({ seq: 2, text: 'and on' });
  expect((await linesOf(writer)).map(({ text }) => text)).toEqual(['one', 'two']);
});

test('logs of one account that are written at the same moment wait for each other, and all of them are counted', async () => {
  const { userId } = await api.signUp('dan');
  const operations = await Promise.all([1, 2, 3, 4].map((at) => plantOperation(userId, 'running', at)));
  const text = 'x'.repeat(3_000);
  await Promise.all(operations.map((operation) => write(userId, operation, 1, Array(600).fill(text))));
  expect(await bytesOf(userId)).toBe(4 * 600 * (3_000 + perLine));
});

test('an operation that is removed takes its part of the share with it', async () => {
  const { userId } = await api.signUp('fay');
  const operation = await plantOperation(userId, 'succeeded', 1);
  await write(userId, operation, 1, ['one']);
  await api.store.db.deleteFrom('operations').where('id', '=', operation).execute();
  expect(await bytesOf(userId)).toBe(0);
});
