import { copyAgainAfterMs } from '@homeport/contract/console/facts';
import type { Database } from '@homeport/store';
import { sql, type UpdateObject } from 'kysely';
import { BackupFailed } from './backup-folder.ts';
import type { BackupDeps } from './deps.ts';
import { goneAfterMs, keepAlive } from './keep-alive.ts';
import { notifyOwner } from './notify-owner.ts';

/** Copies the file to where the operator wants copies, and notes what came of it. Never throws: a backup is whole without its copy. */
export async function copyAway(
  { store, folder: { copies }, clock, report }: BackupDeps,
  { id, file }: { id: string; file: string },
): Promise<void> {
  if (copies === null) return;
  const note = async (values: UpdateObject<Database, 'console_backups'>) => {
    await store.db.updateTable('console_backups').set(values).where('id', '=', id).execute();
    await notifyOwner(store.db);
  };
  try {
    await note({ copy_state: 'copying', copied_to: copies.target });
    await copies.put(file);
    await note({ copy_state: 'copied', copy_at: clock(), copy_note: null, copy_due_at: null });
  } catch (error) {
    if (!(error instanceof BackupFailed)) report(error);
    const copy_note =
      error instanceof BackupFailed ? error.message : 'It ended for a reason that the console’s log has.';
    await note({ ...failedCopy(clock()), copy_note }).catch(report);
  }
}

/** One more try failed. The next one is due later each time, and after the last one none is. */
const failedCopy = (now: number) => ({
  ...{ copy_state: 'failed' as const, copy_at: now },
  copy_tries: sql<number>`copy_tries + 1`,
  copy_due_at: sql<number>`${now}::bigint + (${copyAgainAfterMs}::bigint[])[copy_tries + 1]`,
});

/** The process that copied them ended without a word. True where there was one. */
export async function endGoneCopies({ store }: Pick<BackupDeps, 'store'>, now: number): Promise<boolean> {
  const gone = await store.db
    .updateTable('console_backups')
    .set({ ...failedCopy(now), copy_note: 'The console ended while the backup was copied.' })
    .where('copy_state', '=', 'copying')
    .where('alive_at', '<', now - goneAfterMs)
    .returning('id')
    .execute();
  return gone.length > 0;
}

/** One turn looks at so many files. */
const mostDue = 60;

/**
 * Tries the newest copy again that is due and whose file this machine has. One is copied at a time, over all processes, so that a remote that
 * comes back is not met by all of them. Waits for no copy.
 */
export async function copyDueAgain(deps: BackupDeps): Promise<void> {
  const { store, folder, clock, running, report } = deps;
  const { copies } = folder;
  if (copies === null) return;
  const now = clock();
  const due = await store.db
    .selectFrom('console_backups')
    .select(['id', 'file'])
    .where('copy_state', '=', 'failed')
    .where('copy_due_at', '<=', now)
    .where('copied_to', '=', copies.target)
    .where(sql<boolean>`(select may_act())`)
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .limit(mostDue)
    .execute();
  for (const { id, file } of due) {
    if (!(await folder.has(file))) continue;
    if (!(await claim(deps, id, now))) return;
    const alive = keepAlive(deps, id);
    const ended: Promise<void> = copyAway(deps, { id, file })
      .finally(() => {
        alive.stop();
        running.delete(ended);
      })
      .catch(report);
    running.add(ended);
    return;
  }
}

/** False where another process has it, or copies another one. */
async function claim({ store }: BackupDeps, id: string, now: number): Promise<boolean> {
  const claimed = await store.db
    .updateTable('console_backups')
    .set({ copy_state: 'copying', alive_at: now })
    .where('id', '=', id)
    .where('copy_state', '=', 'failed')
    .where('copy_due_at', '<=', now)
    .where(sql<boolean>`not exists (select from console_backups other where other.copy_state = 'copying')`)
    .executeTakeFirst();
  return claimed.numUpdatedRows === 1n;
}
