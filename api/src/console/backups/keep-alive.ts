import type { BackupDeps } from './deps.ts';

const aliveEveryMs = 10_000;
/** A process that was silent for so long is gone, and what it did with its backup as well. */
export const goneAfterMs = 60_000;

/** Says in the backup's row that this process works on it, until it is told to stop. */
export function keepAlive(
  { store, clock, report }: Pick<BackupDeps, 'store' | 'clock' | 'report'>,
  id: string,
): { stop(): void } {
  const alive = setInterval(() => {
    store.db
      .updateTable('console_backups')
      .set({ alive_at: clock() })
      .where('id', '=', id)
      .execute()
      .catch(report);
  }, aliveEveryMs);
  alive.unref();
  return { stop: () => clearInterval(alive) };
}
