import { nextRuns, readCron } from '@homeport/contract/backups/cron';
import { runsShown } from '@homeport/contract/backups/facts';
import {
  type BackupSchedule,
  type Backups,
  backupRunSchema,
  scheduleSchema,
} from '@homeport/contract/backups/schema';
import type { schedules } from '@homeport/dokku';
import { keepBackupRuns, type Owner, type OwnerRead, type Store } from '@homeport/store';
import { sql } from 'kysely';
import { notifyChange } from '../../live/notify-change.ts';
import type { DatabaseRow } from '../../records/database-record.ts';

/** What the store knows of a database's backups, without asking the server. */
export async function readBackups({ owner, db }: OwnerRead, databaseId: string): Promise<Backups> {
  const row = await db
    .selectFrom('backup_schedules')
    .select(['told', 'unsure'])
    .select(sql<{ kind: string; at: number } | null>`backup_problem(database_id)`.as('problem'))
    .where('owner_id', '=', owner)
    .where('database_id', '=', databaseId)
    .executeTakeFirst();
  const runs = await db
    .selectFrom('backup_runs')
    .selectAll()
    .where('owner_id', '=', owner)
    .where('database_id', '=', databaseId)
    .orderBy('began_at', 'desc')
    .orderBy('id')
    .limit(runsShown)
    .execute();
  return {
    schedule: storedSchedule(row?.told ?? null),
    unsure: row?.unsure ?? false,
    missedAt: row?.problem?.kind === 'missed' ? row.problem.at : null,
    runs: runs.flatMap(({ began_at, duration_s, ...run }) => {
      const read = backupRunSchema.safeParse({ ...run, beganAt: began_at, durationSeconds: duration_s });
      return read.success ? [read.data] : [];
    }),
  };
}

/** Null for a schedule of a later console, too: the server tells it again. */
const storedSchedule = (told: unknown): BackupSchedule | null => scheduleSchema.safeParse(told).data ?? null;

/** Whether both say the same, whatever the order of their fields. */
export const isSameSchedule = (one: BackupSchedule | null, other: BackupSchedule | null): boolean =>
  JSON.stringify(storedSchedule(one)) === JSON.stringify(storedSchedule(other));

/** Before the console writes on the server: until it has the answer, only the server knows what holds. */
export async function markUnsure({ db }: Pick<Store, 'db'>, owner: Owner, databaseId: string): Promise<void> {
  await db
    .insertInto('backup_schedules')
    .values({ database_id: databaseId, owner_id: owner, unsure: true })
    .onConflict((conflict) => conflict.column('database_id').doUpdateSet({ unsure: true }))
    .execute();
}

/** Records what a server told of its schedule and its runs, and tells pages. */
export async function recordSchedule(
  { db, pool }: Pick<Store, 'db' | 'pool'>,
  owner: Owner,
  database: Pick<DatabaseRow, 'id' | 'type' | 'longname'>,
  { schedule, runs }: Pick<schedules.ReportedSchedule, 'schedule' | 'runs'>,
): Promise<void> {
  const { id, type, longname } = database;
  const before = await db
    .selectFrom('backup_schedules')
    .select('told')
    .where('owner_id', '=', owner)
    .where('database_id', '=', id)
    .executeTakeFirst();
  const changed = !isSameSchedule(storedSchedule(before?.told ?? null), schedule);
  const values = {
    told: schedule && JSON.stringify(schedule),
    unsure: false,
    // What was due by the earlier schedule is judged no longer.
    ...(changed ? { due_at: nextDue(schedule), missed_at: null } : {}),
  };
  await db
    .insertInto('backup_schedules')
    .values({ database_id: id, owner_id: owner, ...values })
    .onConflict((conflict) => conflict.column('database_id').doUpdateSet(values))
    .execute();
  await keepBackupRuns(
    pool,
    { databaseId: id },
    runs.map((run) => ({ ...run, type, longname })),
  );
  await notifyChange(db, owner, 'databases', id);
}

/** When the next run is expected; null: none is. */
function nextDue(schedule: BackupSchedule | null): number | null {
  if (!schedule || schedule.paused) return null;
  const read = readCron(schedule.cron);
  return read.kind === 'read' ? (nextRuns(read.cron, schedule.timeZone, Date.now(), 1)[0] ?? null) : null;
}
