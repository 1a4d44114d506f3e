import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { isPostgres } from './is-postgres.ts';

/**
 * Ends the sessions that a killed server of this cluster left behind. A busy session does not notice that its server is gone, and no
 * new server starts until it ends. What it has not committed is lost anyway. SIGQUIT is what a server itself sends after a crash.
 * Without proc(5) nothing is done.
 */
export async function endLeftBackends(cluster: string, signal: 'SIGQUIT' | 'SIGKILL'): Promise<void> {
  const folder = await realpath(cluster);
  const names = await readdir('/proc').catch((): string[] => []);
  for (const pid of names.filter((name) => /^\d+$/.test(name)).map(Number))
    if (await isLeftBackend(pid, folder)) end(pid, signal);
}

/** Every process of a server works in the cluster's folder. A session of a living server has this server as its parent. */
async function isLeftBackend(pid: number, folder: string): Promise<boolean> {
  const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (!title.startsWith('postgres: ')) return false;
  const works = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  if (works !== folder) return false;
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const parent = /^PPid:\t(\d+)$/m.exec(status)?.[1];
  return parent !== undefined && !(await isPostgres(Number(parent)));
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended between the two steps.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
