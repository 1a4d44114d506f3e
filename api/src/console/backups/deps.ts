import type { Store } from '@homeport/store';
import type { BackupFolder } from './backup-folder.ts';

export type BackupDeps = {
  store: Store;
  folder: BackupFolder;
  clock: () => number;
  /** Takes an error that nobody waits for. */
  report: (error: unknown) => void;
  /** The backups that this process makes. */
  running: Set<Promise<void>>;
};

/** What all of the feature works with. `close` ends the backups under way and waits until their rows say so. */
export function openBackups(given: Omit<BackupDeps, 'running'>): BackupDeps & { close(): Promise<void> } {
  const running: BackupDeps['running'] = new Set();
  return {
    ...{ ...given, running },
    async close() {
      await given.folder.close();
      await Promise.all(running);
    },
  };
}
