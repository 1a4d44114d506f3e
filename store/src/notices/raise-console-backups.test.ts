import { backupOldAfterMs } from '@homeport/contract/console/facts';
import { afterEach, expect, it } from 'vitest';
import { testDatabase } from '../testing.ts';
import { raiseConsoleBackups } from './raise-console-backups.ts';

const hour = 3_600_000;
const begun = Date.UTC(2026, 5, 15, 3);

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A console with an owner and another person, and with a backup each day since `begun`. */
async function startConsole() {
  const database = await testDatabase();
  closing.push(() => database.close());
  const { db, pool } = database.store;
  const [owner] = await db
    .insertInto('auth.user')
    .values(
      ['ada', 'eve'].map((name, index) => ({
        ...{ name, email: `${name}@example.test`, emailVerified: true, image: null },
        createdAt: new Date(begun + index),
      })),
    )
    .returning('id')
    .execute();
  await db
    .insertInto('console_backup_plan')
    .values({ recipient: 'age1', keep: 7, daily_at: 180, due_at: begun, daily_since: begun })
    .execute();
  return {
    pool,
    owner: owner?.id,
    backup: (state: 'done' | 'failed', at: number, started_by: 'owner' | 'schedule' = 'schedule') =>
      db
        .insertInto('console_backups')
        .values({ state, started_by, encrypted: true, file: 'f', started_at: at, alive_at: at })
        .execute(),
    async told(now: number, since = begun) {
      await raiseConsoleBackups(pool, { now, since });
      const { rows } = await pool.query<{ event: string; at: number; owner: string }>(
        `select event, (facts ->> 'at')::bigint as at, owner_id as owner from notices order by number`,
      );
      const open = await pool.query('select from notice_threads where ended_at is null');
      return {
        news: rows.map(({ event, at }) => [event, at]),
        to: rows.map(({ owner }) => owner),
        open: open.rowCount,
      };
    },
  };
}

it('tells of a backup that was not copied away, until a later one is', async () => {
  const { pool, backup, told } = await startConsole();
  const copied = (at: number, state: 'copied' | 'failed') =>
    pool.query('update console_backups set copy_state = $2 where started_at = $1', [at, state]);
  await backup('done', begun + hour);
  await copied(begun + hour, 'failed');
  const uncopied = ['console-backup.uncopied', begun + hour];
  expect(await told(begun + 2 * hour)).toMatchObject({ news: [uncopied], open: 1 });
  await backup('done', begun + 3 * hour);
  await copied(begun + 3 * hour, 'failed');
  expect(await told(begun + 4 * hour)).toMatchObject({ news: [uncopied], open: 1 });
  await backup('done', begun + 5 * hour);
  await copied(begun + 5 * hour, 'copied');
  expect(await told(begun + 6 * hour)).toMatchObject({
    news: [uncopied, ['console-backup.works-again', begun + 5 * hour]],
    open: 0,
  });
});

it('tells of a copy when its second try failed, and of the try that copies it', async () => {
  const { pool, backup, told } = await startConsole();
  const at = begun + hour;
  const set = (state: string, tries: number, due: number | null) =>
    pool.query('update console_backups set copy_state = $1, copy_tries = $2, copy_due_at = $3', [
      ...[state, tries, due],
    ]);
  await backup('done', at);
  await set('failed', 1, at + 10);
  expect(await told(at + 5)).toMatchObject({ news: [], open: 0 });
  await set('copying', 1, at + 10);
  expect(await told(at + 11)).toMatchObject({ news: [], open: 0 });
  await set('failed', 2, at + 20);
  const uncopied = ['console-backup.uncopied', at];
  expect(await told(at + 12)).toMatchObject({ news: [uncopied], open: 1 });
  await set('copying', 2, at + 20);
  expect(await told(at + 21)).toMatchObject({ news: [uncopied], open: 1 });
  await set('copied', 2, null);
  expect(await told(at + 22)).toMatchObject({
    news: [uncopied, ['console-backup.works-again', at]],
    open: 0,
  });
});

it('tells of a copy that nobody tries again, when looks had an hour for it', async () => {
  const { pool, backup, told } = await startConsole();
  const at = begun + hour;
  await backup('done', at);
  await pool.query(`update console_backups set copy_state = 'failed', copy_tries = 1, copy_due_at = $1`, [
    at,
  ]);
  expect((await told(at + 2 * hour, at + hour + 1)).news).toEqual([]);
  expect((await told(at + hour, at)).news).toEqual([]);
  expect((await told(at + hour + 1, at)).news).toEqual([['console-backup.uncopied', at]]);
});

it('tells the owner of a failed backup once, and of the next one that is made', async () => {
  const { owner, backup, told } = await startConsole();
  await backup('failed', begun + hour);
  const failed = ['console-backup.failed', begun + hour];
  expect(await told(begun + 2 * hour)).toEqual({ news: [failed], to: [owner], open: 1 });
  await backup('failed', begun + 25 * hour);
  expect((await told(begun + 26 * hour)).news).toEqual([failed]);
  // The day is over without a backup, and it is the same incident.
  expect((await told(begun + 40 * hour)).news).toEqual([failed]);
  await backup('done', begun + 49 * hour, 'owner');
  const over = {
    news: [failed, ['console-backup.works-again', begun + 49 * hour]],
    to: [owner, owner],
    open: 0,
  };
  expect(await told(begun + 50 * hour)).toEqual(over);
  expect(await told(begun + 51 * hour)).toEqual(over);
});

it('tells of a day without a backup, counted from the newest one or from when the schedule began', async () => {
  const { backup, told } = await startConsole();
  expect((await told(begun + backupOldAfterMs)).news).toEqual([]);
  const first = ['console-backup.late', begun];
  expect((await told(begun + backupOldAfterMs + 1)).news).toEqual([first]);
  const done = begun + 30 * hour;
  await backup('done', done);
  const over = ['console-backup.works-again', done];
  expect((await told(done)).news).toEqual([first, over]);
  expect((await told(done + backupOldAfterMs)).news).toEqual([first, over]);
  expect((await told(done + backupOldAfterMs + 1)).news).toEqual([
    first,
    over,
    ['console-backup.late', done],
  ]);
});

it('a machine that was off is no news: a backup counts as late when the console has looked for an hour', async () => {
  const { backup, told } = await startConsole();
  const on = begun + 10 * 24 * hour;
  expect(await told(on, on)).toEqual({ news: [], to: [], open: 0 });
  expect((await told(on + hour - 1, on)).news).toEqual([]);
  const late = ['console-backup.late', begun];
  expect((await told(on + hour, on)).news).toEqual([late]);
  // Off once more: what was told is not over.
  const again = on + 2 * 24 * hour;
  expect(await told(again, again)).toMatchObject({ news: [late], open: 1 });
  await backup('done', again + 1);
  expect((await told(again + 2, again)).news).toEqual([late, ['console-backup.works-again', again + 1]]);
});

it('says nothing of a backup that a person began and that failed, of one before the schedule, and without a schedule', async () => {
  const { pool, backup, told } = await startConsole();
  await backup('failed', begun + hour, 'owner');
  await backup('failed', begun - hour);
  expect((await told(begun + 2 * hour)).news).toEqual([]);
  await pool.query('update console_backup_plan set daily_at = null, daily_since = null');
  expect((await told(begun + 60 * hour)).news).toEqual([]);
});

it('tells of a backup that could not be restored in a test, until one is proven', async () => {
  const { pool, backup, told } = await startConsole();
  const broken = begun + hour;
  await backup('done', broken);
  await pool.query(`update console_backups set proof = 'failed', proof_at = $1, proof_note = 'It is cut.'`, [
    broken,
  ]);
  const unproven = ['console-backup.unproven', broken];
  expect((await told(broken + 1)).news).toEqual([unproven]);
  await backup('done', begun + 25 * hour);
  expect(await told(begun + 25 * hour + 1)).toMatchObject({ news: [unproven], open: 1 });
  await pool.query(`update console_backups set proof = 'proven', proof_at = $1 where proof is null`, [begun]);
  expect(await told(begun + 25 * hour + 2)).toMatchObject({
    news: [unproven, ['console-backup.works-again', begun + 25 * hour]],
    open: 0,
  });
});

it('ends the incident without a word when its schedule is switched off', async () => {
  const { pool, backup, told } = await startConsole();
  await backup('failed', begun + hour);
  await told(begun + 2 * hour);
  await pool.query('update console_backup_plan set daily_at = null, daily_since = null');
  expect(await told(begun + 3 * hour)).toMatchObject({
    news: [['console-backup.failed', begun + hour]],
    open: 0,
  });
});

it('says nothing in a restored console that its owner has not confirmed', async () => {
  const { pool, backup, told } = await startConsole();
  await backup('failed', begun + hour);
  await pool.query('insert into restorations (backup_at, restored_at) values (0, 0)');
  expect((await told(begun + 2 * hour)).news).toEqual([]);
  await pool.query('update restorations set confirmed_at = 1');
  expect((await told(begun + 2 * hour)).news).toHaveLength(1);
});
