import type { ConsoleBackupTable } from '@homeport/store';
import type { Updateable } from 'kysely';
import { BackupFailed } from './backup-folder.ts';
import type { BackupDeps } from './deps.ts';
import { notifyOwner } from './notify-owner.ts';

/** Copies the file to where the operator wants copies, and notes what came of it. Never throws: a backup is whole without its copy. */
export async function copyAway(
  { store, folder: { copies }, clock, report }: BackupDeps,
  { id, file }: { id: string; file: string },
): Promise<void> {
  if (copies === null) return;
  const note = async (values: Updateable<ConsoleBackupTable>) => {
    await store.db.updateTable('console_backups').set(values).where('id', '=', id).execute();
    await notifyOwner(store.db);
  };
  try {
    await note({ copy_state: 'copying', copied_to: copies.target });
    await copies.put(file);
    await note({ copy_state: 'copied', copy_at: clock() });
  } catch (error) {
    if (!(error instanceof BackupFailed)) report(error);
    const copy_note =
      error instanceof BackupFailed ? error.message : 'It ended for a reason that the console’s log has.';
    await note({ copy_state: 'failed', copy_at: clock(), copy_note }).catch(report);
  }
}
