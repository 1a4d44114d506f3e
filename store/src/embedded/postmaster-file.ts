import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The facts that a running server writes into its data folder (`src/include/utils/pidfile.h` of PostgreSQL). */
export type Postmaster = { pid: number; ready: boolean };

/** The server that has, or had, this cluster open. Undefined when the last server ended cleanly. */
export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    },
  );
  return parsePostmaster(text);
}

/** Line 1 is the pid, line 8 the status, padded with spaces. A half-written file names no server yet. */
export function parsePostmaster(text: string): Postmaster | undefined {
  const lines = text.split('\n');
  const pid = Math.abs(Number(lines[0]));
  return pid > 0 ? { pid, ready: lines[7]?.trim() === 'ready' } : undefined;
}
