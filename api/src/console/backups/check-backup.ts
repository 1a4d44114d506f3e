import type { ConsoleBackup } from '@homeport/contract/console/schema';
import { ProblemError } from '../../http/problem.ts';
import { BackupFailed } from './backup-folder.ts';
import type { BackupDeps } from './deps.ts';
import { findBackup, readBackup } from './list-backups.ts';
import { notifyOwner } from './notify-owner.ts';

/** Reads the file of a backup and remembers whether it is the one that was written. */
export async function checkBackup(deps: BackupDeps, id: string): Promise<ConsoleBackup> {
  const { store, folder, clock } = deps;
  const { file, sha256 } = await findBackup(deps, id);
  if (sha256 === null || !(await folder.has(file)))
    throw new ProblemError('not_found', 'The file of this backup is not on this machine.');
  try {
    const is_intact = await folder.isIntact(file, sha256);
    await store.db
      .updateTable('console_backups')
      .set({ is_intact, checked_at: clock() })
      .where('id', '=', id)
      .execute();
  } catch (error) {
    if (error instanceof BackupFailed) throw new ProblemError('unavailable', error.message);
    throw error;
  }
  await notifyOwner(store.db);
  return readBackup(deps, id);
}
