import type { BackupDeps } from './deps.ts';
import { readPlan } from './plan.ts';

/** Leaves the newest whole backups, and of the failed ones those that are as new. Files of other machines stay with their rows. */
export async function removeOldBackups({ store, folder }: BackupDeps): Promise<void> {
  const { keep } = await readPlan(store.db, folder);
  const done = await store.db
    .selectFrom('console_backups')
    .select(['id', 'file', 'started_at'])
    .where('state', '=', 'done')
    .orderBy('started_at', 'desc')
    .execute();
  const oldest = done[keep - 1];
  if (!oldest) return;
  for (const { id, file } of done.slice(keep)) {
    await folder.remove(file);
    await store.db.deleteFrom('console_backups').where('id', '=', id).execute();
  }
  await store.db
    .deleteFrom('console_backups')
    .where('state', '=', 'failed')
    .where('started_at', '<', oldest.started_at)
    .execute();
}
