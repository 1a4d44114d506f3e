import type pg from 'pg';
import type { RawRow, SeriesKind } from './metrics.ts';
import { arrivingRows, keepAndRollUp, type RowsEach, rawColumns } from './rollup-sql.ts';

/** The new state of one server after its new reports. */
export type ServerUpdate = {
  id: number;
  /** The version of the row from which `state` was computed. */
  expected: number;
  /** JSON. The next report is measured against it. */
  state: string;
  /** JSON of the newest report. Not stored if the store has a newer one. */
  latest: string;
  latestTs: number;
};

export type ReportBatch = {
  /** At most one for each server. */
  updates: ServerUpdate[];
  rows: RawRow<'server'>[];
  /** Each row with the server whose update it belongs to. */
  appRows: { server: number; row: RawRow<'app'> }[];
  receivedAt: number;
};

/** JSON never holds this character unescaped (RFC 8259, 7), so texts joined by it can be split again. */
const separator = '\u001e';

const keepReports = (each: RowsEach) => ({
  name: `keep_reports_${each}`,
  text: `with arriving as (
      select * from unnest($1::integer[], $2::bigint[], string_to_array($3, E'\\x1e'), string_to_array($4, E'\\x1e'),
        $5::bigint[]) as a (id, expected, state, latest, latest_ts)),
    kept as (
      update series.server s set version = s.version + 1, state = a.state, latest = case when a.latest <> '' and a.latest_ts >= coalesce(s.latest_ts, 0) then a.latest else s.latest end,
        latest_ts = greatest(a.latest_ts, s.latest_ts), installed_at = coalesce(s.installed_at, $6)
      from arriving a where s.id = a.id and s.version = a.expected returning s.id),
    ${keepAndRollUp('server', `select fresh.* from ${arrivingRows('server', 7)} join kept on kept.id = fresh.series`, each)}
    select id from kept`,
});
const keepOneEach = keepReports('one');
const keepSeveralEach = keepReports('several');

const keepAppRows = (each: RowsEach) => ({
  name: `keep_app_rows_${each}`,
  text: `with ${keepAndRollUp('app', `select * from ${arrivingRows('app', 1)}`, each)} select count(*) from kept_raw`,
});
const keepOneRowEach = keepAppRows('one');
const keepSeveralRowsEach = keepAppRows('several');

/**
 * Stores a batch durably, in one statement (two if it holds apps). Returns the ids of the servers whose reports are stored. If an
 * id is missing, that server's row changed since its state was read: read the row again and compute its reports again.
 */
export async function writeReports(pool: pg.Pool, batch: ReportBatch): Promise<Set<number>> {
  if (batch.appRows.length === 0) return keepServers(pool, batch);
  const client = await pool.connect();
  try {
    await client.query('begin');
    const kept = await keepServers(client, batch);
    const rows = batch.appRows.filter(({ server }) => kept.has(server)).map(({ row }) => row);
    // Posts of one report each, which nearly all are, have one row for each app.
    const isOneEach = new Set(rows.map(({ series }) => series)).size === rows.length;
    const keep = isOneEach ? keepOneRowEach : keepSeveralRowsEach;
    await client.query({ ...keep, values: columnArrays('app', rows) });
    await client.query('commit');
    client.release();
    return kept;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

async function keepServers(client: pg.Pool | pg.PoolClient, batch: ReportBatch): Promise<Set<number>> {
  const { updates } = batch;
  const { rows } = await client.query<{ id: number }>({
    ...(batch.rows.length === updates.length ? keepOneEach : keepSeveralEach),
    values: [
      numbers(updates.map((update) => update.id)),
      numbers(updates.map((update) => update.expected)),
      updates.map((update) => update.state).join(separator),
      updates.map((update) => update.latest).join(separator),
      numbers(updates.map((update) => update.latestTs)),
      batch.receivedAt,
      ...columnArrays('server', batch.rows),
    ],
  });
  return new Set(rows.map((row) => row.id));
}

/** One array literal for each column. */
export function columnArrays<K extends SeriesKind>(kind: K, rows: readonly RawRow<K>[]): string[] {
  return rawColumns(kind).map(({ name }) =>
    numbers(rows.map((row) => row[name as keyof RawRow<K>] as number | null)),
  );
}

/** PostgreSQL's array literal. The driver's own conversion is slower: it quotes and escapes each number. */
function numbers(values: readonly (number | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}
