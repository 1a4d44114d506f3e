import { repeatWork } from '@homeport/store';
import { sql } from 'kysely';
import { copyDueAgain } from './copy-away.ts';
import type { BackupDeps } from './deps.ts';
import { begin, endGone } from './make-backup.ts';
import { nextRun } from './plan.ts';

/** Makes the backup of each day, and tries failed copies again. Several processes may do this together. */
export function keepBackingUp(deps: BackupDeps): { close(): Promise<void> } {
  const work = repeatWork('consoleBackups', () => doDue(deps), deps.report);
  return { close: () => work.stop() };
}

async function doDue(deps: BackupDeps): Promise<void> {
  await makeDueBackup(deps);
  await copyDueAgain(deps);
}

/** A day's backup that another one holds up is left out: that one is as new. Waits for no backup. */
export async function makeDueBackup(deps: BackupDeps): Promise<void> {
  const { store, clock } = deps;
  const now = clock();
  await endGone(deps, now);
  const { rows } = await sql<{ recipient: string; daily_at: number; due_at: number }>`
    select recipient, daily_at, due_at from console_backup_plan where due_at <= ${now} and (select may_act())`.execute(
    store.db,
  );
  const [due] = rows;
  if (!due) return;
  const claimed = await store.db
    .updateTable('console_backup_plan')
    .set({ due_at: nextRun(due.daily_at, now) })
    .where('due_at', '=', due.due_at)
    .executeTakeFirst();
  if (claimed.numUpdatedRows === 1n) await begin(deps, 'schedule', due.recipient);
}
