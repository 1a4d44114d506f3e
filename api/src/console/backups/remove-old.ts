import { BackupFailed, type BackupFolder } from './backup-folder.ts';
import type { BackupDeps } from './deps.ts';
import { readPlan } from './plan.ts';

/** Rows beyond those that stay, whose copy could not be removed. It is tried again after each backup. */
const mostUnremoved = 60;

/** Leaves the newest whole backups, and of the failed ones those that are as new. Files of other machines stay with their rows. */
export async function removeOldBackups({ store, folder }: BackupDeps): Promise<void> {
  const { keep } = await readPlan(store.db, folder);
  const done = await store.db
    .selectFrom('console_backups')
    .select(['id', 'file', 'started_at', 'copied_to'])
    .where('state', '=', 'done')
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .execute();
  const oldest = done[keep - 1];
  if (!oldest) return;
  for (const [at, { id, file, copied_to }] of done.slice(keep).entries()) {
    // Another process copies it still. It goes after the next backup, with its copy.
    if (!(await holdFromCopies(store, id))) continue;
    await folder.remove(file);
    const isGone = copied_to === null || (await removeCopy(folder, file, copied_to));
    if (!isGone && at < mostUnremoved) continue;
    await store.db.deleteFrom('console_backups').where('id', '=', id).execute();
  }
  await store.db
    .deleteFrom('console_backups')
    .where('state', '=', 'failed')
    .where('started_at', '<', oldest.started_at)
    .execute();
}

/** From here on nobody tries its copy again. False where a process copies it at this moment. */
async function holdFromCopies({ db }: BackupDeps['store'], id: string): Promise<boolean> {
  const held = await db
    .updateTable('console_backups')
    .set({ copy_due_at: null })
    .where('id', '=', id)
    .where('copy_state', 'is distinct from', 'copying')
    .executeTakeFirst();
  return held.numUpdatedRows === 1n;
}

/** False where it may still be there. Copies at an earlier remote are the operator's. */
async function removeCopy({ copies }: BackupFolder, file: string, copiedTo: string): Promise<boolean> {
  if (copies?.target !== copiedTo) return true;
  try {
    await copies.remove(file);
    return true;
  } catch (error) {
    if (error instanceof BackupFailed) return false;
    throw error;
  }
}
