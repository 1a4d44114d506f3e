import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** What stays open for a while after any work: connections to PostgreSQL and to websites that wait for the next request. */
const spare = 10;
const lookEveryMs = 100;

export type OpenFiles = {
  atRest: number;
  atMost: number;
  /** As they were at the last look. */
  last: number;
  /** Looks once more. */
  look(): number;
  isAtRest(): boolean;
};

/** Counts the descriptors that a process has open, beginning with those at rest (proc(5)). A process that has ended has none. */
export function watchOpenFiles(pid: number): OpenFiles {
  const folder = `/proc/${pid}/fd`;
  const count = () => (existsSync(folder) ? readdirSync(folder).length : 0);
  const atRest = count();
  const files = {
    ...{ atRest, atMost: atRest, last: atRest },
    look() {
      files.last = count();
      files.atMost = Math.max(files.atMost, files.last);
      return files.last;
    },
    isAtRest: () => files.look() <= atRest + spare,
  };
  return files;
}

/** Resolves with the seconds until all are back at rest; infinite where that takes longer than `withinMs`. */
export async function secondsUntilRest(all: readonly OpenFiles[], withinMs: number): Promise<number> {
  const begun = performance.now();
  // Each is looked at each time, so that `last` is of now for all of them.
  while (!all.map((files) => files.isAtRest()).every(Boolean)) {
    if (performance.now() - begun > withinMs) return Number.POSITIVE_INFINITY;
    await pause(lookEveryMs);
  }
  return (performance.now() - begun) / 1_000;
}
