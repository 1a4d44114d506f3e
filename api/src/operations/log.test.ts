import { operationLog } from '@homeport/contract/limits';
import { ownerFromSession } from '@homeport/store';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../http/testing.ts';
import { plantOneOfEach } from '../testing/plant.ts';
import { openOperationLog } from './log.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api[Symbol.asyncDispose]());

async function openLog(name: string) {
  const { userId } = await api.signUp(name);
  const { operations } = await plantOneOfEach(api.store.db, userId);
  const failures: unknown[] = [];
  const next = { line: 1, command: 1, characters: 0 };
  const log = openOperationLog(api.store.db, ownerFromSession(userId), operations, next, (error) =>
    failures.push(error),
  );
  const stored = async () => {
    const rows = await api.store.db
      .selectFrom('operation_lines')
      .select('seq')
      .where('operation_id', '=', operations)
      .execute();
    return rows.length;
  };
  return { log, stored, failures };
}

/** Lets nobody write a line until so long after `goOn`. Resolves once that has begun. */
async function blockLines(seconds: number): Promise<{ goOn: () => void; over: Promise<void> }> {
  const [begun, gone] = [signal(), signal()];
  const over = api.store.db.transaction().execute(async (transaction) => {
    await sql`lock table operation_lines in exclusive mode`.execute(transaction);
    begun.give();
    await gone.given;
    await sql`select pg_sleep(${seconds})`.execute(transaction);
  });
  await begun.given;
  return { goOn: gone.give, over };
}

function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

async function waiting(): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(api.store.db);
  return rows.length;
}

test('a command that writes faster than the store waits until its output is stored, and as long again', async () => {
  const { log, stored, failures } = await openLog('ada');
  const line = `${'a'.repeat(999)}\n`;
  expect(log.write('build', 'out', line)).toBeUndefined();
  await log.flush();

  const block = await blockLines(0.2);
  const room = log.write('build', 'out', line.repeat(200));
  expect(room).toBeInstanceOf(Promise);
  await expect.poll(waiting).toBe(1);
  const since = performance.now();
  block.goOn();
  await room;
  // From here on the store takes 200 ms, and the rest lasts at least as long, on a machine of any speed.
  expect(performance.now() - since).toBeGreaterThan(390);
  expect(await stored()).toBe(201);
  await block.over;
  expect(failures).toEqual([]);
});

test('a password that lies across the cut of a long line is concealed whole', async () => {
  const { log, failures } = await openLog('ben');
  const string = 'postgres://ada:canary0123456789@dokku-postgres-ledger:5432/ledger';
  const begin = operationLog.lineCharacters - 'postgres://ada:canary'.length;
  await log.write('build', 'out', `${'a'.repeat(begin - 1)} ${string}\n`);
  await log.flush();
  const lines = await api.store.db.selectFrom('operation_lines').select('text').execute();
  expect(lines.filter(({ text }) => text.includes('postgres://ada:'))).toHaveLength(1);
  expect(lines.filter(({ text }) => text.includes('canary'))).toEqual([]);
  expect(failures).toEqual([]);
});
