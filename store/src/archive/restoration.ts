import { nextRuns, readCron } from '@homeport/contract/backups/cron';
import type pg from 'pg';

export type Restoration = { backupAt: number; restoredAt: number };

/** The restore that nobody has confirmed yet; null: this console is like every other one. */
export async function readRestoration(pool: pg.Pool): Promise<Restoration | null> {
  const { rows } = await pool.query<Restoration>(
    `select backup_at as "backupAt", restored_at as "restoredAt" from restorations where confirmed_at is null`,
  );
  return rows[0] ?? null;
}

type Schedule = { id: string; due: number; cron: string; zone: string };

/**
 * From now on the restored console acts by itself again. A confirmed one stays as it is. Runs of backups that fell into the pause are not
 * expected any more: nobody listened for them.
 */
export async function confirmRestoration(pool: pg.Pool, now: number): Promise<void> {
  const { rows: schedules } = await pool.query<Schedule>(
    `select database_id as id, due_at as due, told ->> 'cron' as cron, told ->> 'timeZone' as zone
     from backup_schedules where due_at <= $1 and not may_act()`,
    [now],
  );
  for (const { id, due, cron, zone } of schedules) {
    const read = readCron(cron);
    const next = read.kind === 'read' ? nextRuns(read.cron, zone, now, 1)[0] : undefined;
    await pool.query('update backup_schedules set due_at = $2 where database_id = $1 and due_at = $3', [
      id,
      next ?? null,
      due,
    ]);
  }
  await pool.query(
    `with confirmed as (update restorations set confirmed_at = $1 where confirmed_at is null returning one)
     update checks set due_at = $1 where due_at is not null and exists (select from confirmed)`,
    [now],
  );
  // The notice stands on everybody's pages.
  await pool.query(
    `select count(pg_notify('changed', json_build_object('owner', id, 'topic', 'profile', 'id', null)::text)) from auth."user"`,
  );
}
