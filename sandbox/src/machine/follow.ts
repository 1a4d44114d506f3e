import { setTimeout as sleep } from 'node:timers/promises';
import { readState, readText } from './files.ts';
import type { Paths } from './paths.ts';
import { isAlive } from './processes.ts';

/**
 * Prints the new lines of files until the next line finds no reader any more. Like the readers of the real Dokku, this process
 * does not notice a closed SSH channel while nothing is written, except on a terminal, which hangs up. `from` is the number of
 * characters already printed.
 */
export async function follow<T extends { path: string; from: number }>(
  paths: Paths,
  files: readonly T[],
  print: (line: string, file: T) => void,
): Promise<void> {
  while (isSwitchedOn(paths)) {
    for (const file of files) {
      const text = readText(file.path) ?? '';
      const end = text.lastIndexOf('\n') + 1;
      for (const line of text.slice(file.from, end).split('\n').slice(0, -1)) print(line, file);
      file.from = Math.max(file.from, end);
    }
    await sleep(100);
  }
}

/** The front runs as long as the host. */
function isSwitchedOn(paths: Paths): boolean {
  const front = readState<{ pid: number; ticks: string | null }>(paths.front);
  return front !== undefined && isAlive(front.pid, front.ticks);
}
