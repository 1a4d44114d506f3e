import type pg from 'pg';

/** A message of NOTIFY is shorter than 8,000 bytes. A monitor id takes less than 60 of them. */
const idsTogether = 100;

/**
 * Notifies pages of the reports that are stored for these monitor ids. A commit with a notification waits for those of the whole
 * database server, and they hold that lock until it is on the disk (PostgreSQL, src/backend/commands/async.c, PreCommit_Notify). So
 * this comes once for a batch, after its own commit, and this commit waits for no disk: nobody misses a notification that a crash took
 * along, because pages read everything again when their connection comes back.
 */
export async function notifyReports(
  pool: Pick<pg.Pool, 'query'>,
  monitorIds: readonly string[],
): Promise<void> {
  for (let from = 0; from < monitorIds.length; from += idsTogether) {
    const message = { monitorIds: monitorIds.slice(from, from + idsTogether) };
    await pool.query({
      name: 'notify_reports',
      text: `select set_config('synchronous_commit', 'off', true), pg_notify('reports', $1)`,
      values: [JSON.stringify(message)],
    });
  }
}
