import type { ConsoleBackup } from '@homeport/contract/console/schema';
import { ProblemError } from '../../http/problem.ts';
import { BackupFailed } from './backup-folder.ts';
import type { BackupDeps } from './deps.ts';
import { findBackup, readBackup } from './list-backups.ts';
import { notifyOwner } from './notify-owner.ts';

/** Reads the file of a backup, and its copy, and remembers whether they are what was written. */
export async function checkBackup(deps: BackupDeps, id: string): Promise<ConsoleBackup> {
  const { store, folder, clock } = deps;
  const { file, sha256, copy_state, copied_to } = await findBackup(deps, id);
  const isHere = await folder.has(file);
  const copies = copy_state === 'copied' && folder.copies?.target === copied_to ? folder.copies : null;
  if (sha256 === null || (!isHere && copies === null))
    throw new ProblemError('not_found', 'The file of this backup is not on this machine.');
  try {
    const here = isHere ? await folder.isIntact(file, sha256) : null;
    const copy = copies && (await copies.isIntact(file, sha256));
    const now = clock();
    await store.db
      .updateTable('console_backups')
      .set({
        ...{ is_intact: here ?? copy, checked_at: now },
        ...(copy === false && {
          copy_state: 'failed',
          copy_at: now,
          copy_note: 'It differs from what was written.',
          // Only from a file that is whole: another one would be taken for a good copy.
          ...{ copy_tries: 0, copy_due_at: here === true ? now : null },
        }),
      })
      .where('id', '=', id)
      .execute();
  } catch (error) {
    if (error instanceof BackupFailed) throw new ProblemError('unavailable', error.message);
    throw error;
  }
  await notifyOwner(store.db);
  return readBackup(deps, id);
}
