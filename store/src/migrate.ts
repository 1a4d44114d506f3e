import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Migration } from './read-migrations.ts';
import {
  edited,
  newerSchema,
  noData,
  olderSchema,
  stepTooLong,
  tableHeld,
  tablesOfNewer,
} from './schema-error.ts';
import { isLockTimeout, isTooLong } from './sql-state.ts';

const lockKey = 70_700_001;
const migrationTable = `create table if not exists migration (
  number integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
)`;

/**
 * Runs the migrations that have not run here, each in a transaction of its own, and returns how many ran. Work that began first
 * may be merged last, so a migration runs even if one with a higher number has run. Consoles that start at once wait for each
 * other. Throws `StoreError` when a newer program made tables that this one does not know and cannot run on, or when somebody edited a
 * migration that has run.
 */
export async function migrate(client: pg.Client | pg.PoolClient, migrations: Migration[]): Promise<number> {
  const pending = await pendingOf(client, migrations);
  if (pending.length === 0) return 0;
  return alone(client, async () => {
    await client.query(migrationTable);
    const still = await pendingOf(client, migrations);
    for (const migration of still) await applyBetween(client, migration);
    return still.length;
  });
}

/**
 * Runs `fn` while no other console changes the schema. Whoever has the lock may take it again
 * (https://www.postgresql.org/docs/18/explicit-locking.html#ADVISORY-LOCKS).
 */
export async function alone<T>(client: pg.Client | pg.PoolClient, fn: () => Promise<T>): Promise<T> {
  await client.query('select pg_advisory_lock($1)', [lockKey]);
  try {
    return await fn();
  } finally {
    // A lost connection has let the lock go, and its own error says more.
    await client.query('select pg_advisory_unlock($1)', [lockKey]).catch(() => {});
  }
}

/** Throws `StoreError` where the data are of a newer or different program, or of none. An older program's data are known. */
export async function refuseUnknownSchema(
  client: pg.Client | pg.PoolClient,
  migrations: Migration[],
): Promise<void> {
  const pending = await pendingOf(client, migrations);
  if (pending.length === migrations.length) throw noData();
}

/**
 * Throws `StoreError` where a newer program, or none, made tables, even such that this program runs on: a backup by this program would leave
 * out what it does not know. An older program's data are known.
 */
export async function refuseUnknownTables(client: pg.Client, migrations: Migration[]): Promise<void> {
  await refuseUnknownSchema(client, migrations);
  const { ahead } = await compare(client, migrations);
  if (ahead !== undefined) throw tablesOfNewer(ahead);
}

/** Whether an older program has data here, whose tables this one is about to change. Throws as `migrate`. */
export async function isOlderData(db: Queryable, migrations: Migration[]): Promise<boolean> {
  const pending = await pendingOf(db, migrations);
  return pending.length > 0 && pending.length < migrations.length;
}

/** Throws `StoreError` where another program has changed the schema so that this one cannot go on. */
export async function refuseNewerSchema(db: Queryable, migrations: Migration[]): Promise<void> {
  await pendingOf(db, migrations);
}

/**
 * Waits until another process has made the schema of this program, or brought it up to date. `waits` gets the reason, once, if there is
 * something to wait for. Throws `StoreError` when that takes longer than `withinMs`, and as `migrate`.
 */
export async function awaitSchema(
  client: pg.Client,
  migrations: Migration[],
  { withinMs, waits }: SchemaWait,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (let tries = 1; ; tries += 1) {
    const pending = await pendingOf(client, migrations);
    if (pending.length === 0) return;
    const behind = olderSchema(pending.length === migrations.length ? 'none' : 'older');
    if (performance.now() >= deadline) throw behind;
    if (tries === 1) waits?.(behind.message);
    await pause(betweenLooksMs);
  }
}

export type SchemaWait = {
  withinMs: number;
  waits?: (reason: string) => void;
};

const betweenLooksMs = 250;

/** Runs these migrations within the caller's transaction. */
export async function migrateWithin(client: pg.Client, migrations: Migration[]): Promise<void> {
  if (migrations.length > 0) await client.query(migrationTable);
  for (const migration of migrations) await run(client, migration);
}

/**
 * A migration that waits for a table makes everybody wait behind it, so it gives the wait up soon and tries again between the others'
 * work. Each file is one transaction: a try that gave up left nothing.
 */
async function applyBetween(client: pg.Client | pg.PoolClient, migration: Migration): Promise<void> {
  for (let left = lockTries; ; left -= 1)
    try {
      return await apply(client, migration);
    } catch (error) {
      if (isTooLong(error)) throw stepTooLong(migration, statementTimeoutMs / 1_000, error);
      if (!isLockTimeout(error)) throw error;
      if (left <= 1) throw tableHeld(migration, error);
      await pause(betweenTriesMs);
    }
}

const lockTimeoutMs = 5_000;
/** Of each statement. What takes longer rewrites too much under a lock. A restore has no such bound: nobody waits behind it. */
const statementTimeoutMs = 60_000;
const lockTries = 24;
const betweenTriesMs = 250;

async function apply(client: pg.Client | pg.PoolClient, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(
      `set local lock_timeout = ${lockTimeoutMs}; set local statement_timeout = ${statementTimeoutMs}`,
    );
    await run(client, migration);
    // Consoles that run an older program hear that they have to end.
    await client.query('select pg_notify($1, $2)', ['schema', JSON.stringify({ number: migration.number })]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function run(
  client: pg.Client | pg.PoolClient,
  { number, name, checksum, sql, needs }: Migration,
): Promise<void> {
  await client.query(sql);
  await client.query('insert into migration (number, name, checksum) values ($1, $2, $3)', [
    number,
    name,
    checksum,
  ]);
  // The step that adds the column says its stage first.
  if (needs !== null)
    await client.query('update migration set needs = $2 where number = $1', [number, needs]);
}

type Applied = Pick<Migration, 'number' | 'name' | 'checksum' | 'needs'>;
type Queryable = Pick<pg.Pool, 'query'> | pg.Client | pg.PoolClient;

type Compared = {
  /** This program's steps that have not run here. */
  pending: Migration[];
  /** The last step of a newer program on whose tables this one runs all the same. */
  ahead: number | undefined;
};

const pendingOf = async (client: Queryable, migrations: Migration[]) =>
  (await compare(client, migrations)).pending;

/** Throws `StoreError` where this program cannot run on these tables. */
async function compare(client: Queryable, migrations: Migration[]): Promise<Compared> {
  const table = await client.query<{ found: string | null }>("select to_regclass('migration') as found");
  if (!table.rows[0]?.found) return { pending: migrations, ahead: undefined };
  // Data of before the stages have no column `needs`.
  const { rows } = await client.query<Applied>(
    `select number, name, checksum, (to_jsonb(migration) ->> 'needs')::integer as needs from migration order by number`,
  );
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  const last = migrations.at(-1)?.number ?? 0;
  let ahead: number | undefined;
  for (const { number, needs, ...applied } of rows) {
    const ours = known.get(number);
    if (ours) {
      if (ours.checksum !== applied.checksum) throw edited({ number, ...applied }, ours);
      continue;
    }
    if (needs === null || !(needs === 0 || known.has(needs))) throw newerSchema(number, last);
    ahead = number;
  }
  const ran = new Set(rows.map(({ number }) => number));
  const pending = migrations.filter(({ number }) => !ran.has(number));
  // A step of this program was written for the tables that it knows.
  if (ahead !== undefined && pending.length > 0) throw newerSchema(ahead, last);
  return { pending, ahead };
}
