import { keptDays } from '@homeport/contract/horizons';
import type pg from 'pg';
import { dayMs, type SeriesKind } from './metrics.ts';

type Kind = SeriesKind | 'check';

type Partition = { table: string; name: string; from: number; to: number };

const kinds: readonly Kind[] = ['server', 'app', 'check'];
const lockKey = 70_700_002;
/** A backup shares this lock for its length. */
export const backupLockKey = 70_700_003;

/**
 * Makes the partitions for reports of the kept windows and of the next day. Drops the partitions that hold only older rows. Raw
 * rows are partitioned by day, hours by month, days by year, all UTC. Safe to run at any time, on any replica. While a backup is
 * made, nothing is dropped, and made is only what is needed now: either would wait for the backup, and reports would wait behind it.
 */
export async function tendPartitions(pool: pg.Pool, now: number): Promise<{ made: number; dropped: number }> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
    const { rows } = await client.query<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       join pg_class p on p.oid = i.inhparent join pg_namespace n on n.oid = p.relnamespace
       where n.nspname = 'series' and c.relkind = 'r'`,
    );
    const present = new Set(rows.map((row) => row.name));
    const wanted = kinds.flatMap((kind) => partitionsOf(kind, now));
    const isBackedUp = await isBackupUnderWay(client);
    const missing = wanted.filter(
      ({ name, from, to }) => !present.has(name) && (!isBackedUp || (from <= now && now < to)),
    );
    for (const { table, name, from, to } of missing)
      await client.query(
        // Half-empty pages let PostgreSQL update a roll-up's row in place (heap-only tuples).
        `create table series.${name} partition of series.${table} for values from (${from}) to (${to})
         with (fillfactor = ${table.endsWith('_raw') ? 100 : 50})`,
      );
    const old = isBackedUp ? [] : [...present].filter((name) => isPast(name, now));
    for (const name of old) await client.query(`drop table series.${name}`);
    await client.query('commit');
    client.release();
    return { made: missing.length, dropped: old.length };
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

async function isBackupUnderWay(client: pg.PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [
    backupLockKey,
  ]);
  return rows[0]?.free !== true;
}

function partitionsOf(kind: Kind, now: number): Partition[] {
  const partitions: Partition[] = [];
  for (const step of steps) {
    for (let from = step.begin(now - step.keptMs); from <= now + dayMs; from = step.next(from))
      partitions.push({
        table: `${kind}_${step.table}`,
        name: `${kind}_${step.table}_${step.label(from)}`,
        from,
        to: step.next(from),
      });
  }
  return partitions;
}

/** The name of a partition holds its start. */
function isPast(name: string, now: number): boolean {
  const [, table, year, month, day] =
    /^(?:server|app|check)_(raw|hourly|daily)_(\d{4})(\d{2})?(\d{2})?$/.exec(name) ?? [];
  const step = steps.find((one) => one.table === table);
  if (!step) return false;
  return step.next(Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1))) <= now - step.keptMs;
}

const iso = (ts: number) => new Date(ts).toISOString().replaceAll('-', '');
const year = (ts: number) => new Date(ts).getUTCFullYear();
const month = (ts: number) => new Date(ts).getUTCMonth();

const steps = [
  {
    table: 'raw',
    keptMs: keptDays.raw * dayMs,
    begin: (ts: number) => ts - (ts % dayMs),
    next: (ts: number) => ts + dayMs,
    label: (ts: number) => iso(ts).slice(0, 8),
  },
  {
    table: 'hourly',
    keptMs: keptDays.hourly * dayMs,
    begin: (ts: number) => Date.UTC(year(ts), month(ts)),
    next: (ts: number) => Date.UTC(year(ts), month(ts) + 1),
    label: (ts: number) => iso(ts).slice(0, 6),
  },
  {
    table: 'daily',
    keptMs: keptDays.daily * dayMs,
    begin: (ts: number) => Date.UTC(year(ts), 0),
    next: (ts: number) => Date.UTC(year(ts) + 1, 0),
    label: (ts: number) => iso(ts).slice(0, 4),
  },
] as const;
