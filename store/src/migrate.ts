import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { isLockTimeout } from './sql-state.ts';
import { StoreError } from './store-error.ts';

export type Migration = { number: number; name: string; sql: string; checksum: string };

/** The SQL files stay beside the program when it is bundled, too: `scripts/build.mjs` keeps this address valid. */
export const migrationsFolder = fileURLToPath(new URL('../migrations/', import.meta.url));

const fileName = /^(\d{4})_([a-z0-9_]+)\.sql$/;
const lockKey = 70_700_001;
const migrationTable = `create table if not exists migration (
  number integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
)`;

/** Reads the numbered files in order. A repeated number is our mistake and not the user's, so the error is an ordinary one. */
export async function readMigrations(folder: string = migrationsFolder): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const [, digits, name] = fileName.exec(file) ?? [];
    if (!file.endsWith('.sql')) continue;
    if (!digits || !name) throw new Error(`${file} is not named like 0001_what_it_does.sql`);
    if (Number(digits) === migrations.at(-1)?.number) throw new Error(`There are two files ${digits}_*.sql`);
    const sql = await readFile(join(folder, file), 'utf8');
    migrations.push({ number: Number(digits), name, sql, checksum: checksumOf(sql) });
  }
  return migrations;
}

/** Ignores line ends, because a checkout may have changed them. */
function checksumOf(sql: string): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
}

/**
 * Runs the migrations that have not run here, each in a transaction of its own, and returns how many ran. Work that began first
 * may be merged last, so a migration runs even if one with a higher number has run. Consoles that start at once wait for each
 * other. Throws `StoreError` when a newer program wrote the data, or when somebody edited a migration that has run.
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
  if (pending.length < migrations.length) return;
  throw new StoreError(
    'no_data',
    'There is no console’s data in this database.',
    'Name the console’s data folder with --data, or its DATABASE_URL.',
  );
}

/** Whether an older program has data here, whose tables this one is about to change. Throws as `migrate`. */
export async function isOlderData(db: Queryable, migrations: Migration[]): Promise<boolean> {
  const pending = await pendingOf(db, migrations);
  return pending.length > 0 && pending.length < migrations.length;
}

/** Throws `StoreError` where another program than this one has changed the schema. */
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
      if (!isLockTimeout(error)) throw error;
      if (left <= 1) throw tableHeld(migration, error);
      await pause(betweenTriesMs);
    }
}

const lockTimeoutMs = 5_000;
const lockTries = 24;
const betweenTriesMs = 250;

async function apply(client: pg.Client | pg.PoolClient, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
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
  { number, name, checksum, sql }: Migration,
): Promise<void> {
  await client.query(sql);
  await client.query('insert into migration (number, name, checksum) values ($1, $2, $3)', [
    number,
    name,
    checksum,
  ]);
}

type Applied = { number: number; name: string; checksum: string };
type Queryable = Pick<pg.Pool, 'query'> | pg.Client | pg.PoolClient;

async function pendingOf(client: Queryable, migrations: Migration[]): Promise<Migration[]> {
  const table = await client.query<{ found: string | null }>("select to_regclass('migration') as found");
  if (!table.rows[0]?.found) return migrations;
  const { rows } = await client.query<Applied>(
    'select number, name, checksum from migration order by number',
  );
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const applied of rows) {
    const ours = known.get(applied.number);
    if (!ours) throw newerSchema(applied.number, migrations.at(-1)?.number ?? 0);
    if (ours.checksum !== applied.checksum) throw edited(applied, ours);
    known.delete(applied.number);
  }
  return [...known.values()];
}

function newerSchema(theirs: number, ours: number): StoreError {
  return new StoreError(
    'newer_schema',
    `The data was written by a newer Homeport (schema ${theirs}; this program knows up to ${ours}).`,
    'Start the newer version, or choose another data folder with --data (or another DATABASE_URL).',
  );
}

function olderSchema(found: 'none' | 'older'): StoreError {
  const fault =
    found === 'none'
      ? 'There are no tables of Homeport in this database yet.'
      : 'The data are of an older Homeport.';
  return new StoreError(
    'older_schema',
    `${fault} The console (its api or monitor) brings the data up to date first.`,
    'Start a console of this version with api or monitor on the same database. This process changes no tables.',
  );
}

function tableHeld({ number, name }: Migration, cause: unknown): StoreError {
  const file = String(number).padStart(4, '0');
  return new StoreError(
    'table_held',
    `The data could not be brought up to date: another program holds a table that the schema step ${file} (${name}) changes.`,
    'Nothing of this step was done. End long transactions on the database (another console, a backup, psql), then start again.',
    cause,
  );
}

function edited(applied: Applied, ours: Migration): StoreError {
  const number = String(applied.number).padStart(4, '0');
  return new StoreError(
    'edited_migration',
    `The data was written by a different Homeport: its schema step ${number} (${applied.name}) is not this program's (${ours.name}).`,
    'Start the version that wrote the data, or choose another data folder. A schema step that has run is never edited: changes go into a new step.',
  );
}
