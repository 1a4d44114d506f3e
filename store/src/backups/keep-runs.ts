import { runsKept } from '@homeport/contract/backups/facts';
import type { BackupRun } from '@homeport/contract/backups/schema';
import type pg from 'pg';

/** A run, with the database that its server names. */
export type ReportedRun = BackupRun & { type: string; longname: string };

/** Where runs come from: an agent's report, or an answer about one database. */
export type RunSource = { series: number } | { databaseId: string };

const keep = (which: 'series' | 'database') => ({
  name: `keep_backup_runs_${which}`,
  text: `with arriving as (
      select * from json_to_recordset($2::json) as a (type text, longname text, id uuid, state text, "beganAt" bigint,
        "durationSeconds" bigint, bytes bigint, sha256 text, target text, failure text, text text)),
    kept as (
      insert into backup_runs as r (database_id, id, owner_id, state, began_at, duration_s, bytes, sha256, target, failure, text)
      select distinct on (d.id, a.id) d.id, a.id, d.owner_id, a.state, a."beganAt", a."durationSeconds", a.bytes, a.sha256, a.target,
        a.failure, a.text
      from arriving a join databases d on d.type = a.type and d.longname = a.longname
        and ${which === 'series' ? 'd.server_id = (select s.server_id from series.server s where s.id = $1)' : 'd.id = $1'}
      order by d.id, a.id, a.state = 'running'
      on conflict (database_id, id) do update set state = excluded.state, duration_s = excluded.duration_s, bytes = excluded.bytes,
        sha256 = excluded.sha256, failure = excluded.failure, text = excluded.text
        where r.state = 'running' and excluded.state <> 'running'
      returning database_id, owner_id),
    told as (select distinct database_id, owner_id from kept)
    select database_id as id, pg_notify('changed', json_build_object('owner', owner_id, 'topic', 'databases', 'id', database_id)::text)
    from told`,
});
const keepOfSeries = keep('series');
const keepOfDatabase = keep('database');

/**
 * Keeps runs that a server told, each once however often it is told, and tells pages. A run of a database that the source does not
 * own is left out. A run that ended stays as it ended. Each database keeps its newest runs.
 */
export async function keepBackupRuns(
  pool: pg.Pool,
  source: RunSource,
  runs: readonly ReportedRun[],
): Promise<void> {
  if (runs.length === 0) return;
  const { rows } = await pool.query<{ id: string }>(
    'series' in source
      ? { ...keepOfSeries, values: [source.series, JSON.stringify(runs)] }
      : { ...keepOfDatabase, values: [source.databaseId, JSON.stringify(runs)] },
  );
  for (const { id } of rows)
    await pool.query(
      `delete from backup_runs where database_id = $1 and id not in (
         select id from backup_runs where database_id = $1 order by began_at desc limit $2)`,
      [id, runsKept],
    );
}
