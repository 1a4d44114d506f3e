import { type Snapshot, writeSnapshot } from './snapshot.ts';

/** Writes snapshots, one at a time. Changes that follow each other closely share one. */
export function keepSnapshot(
  file: string,
  waitMs: number,
  current: () => Snapshot,
  failed: (error: unknown) => void,
): { saveSoon(): void; close(): Promise<void> } {
  let waiting: NodeJS.Timeout | undefined;
  let saved: Promise<void> = Promise.resolve();

  function save(): Promise<void> {
    waiting = undefined;
    saved = saved.then(() => writeSnapshot(file, current())).catch(failed);
    return saved;
  }
  return {
    saveSoon() {
      waiting ??= setTimeout(() => void save(), waitMs);
    },
    async close() {
      const isDue = waiting !== undefined;
      clearTimeout(waiting);
      if (isDue) await save();
      await saved;
    },
  };
}
