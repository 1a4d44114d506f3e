import { readFile } from 'node:fs/promises';
import { isAlive } from '../clusters/is-alive.ts';

/**
 * Whether this process is a running PostgreSQL. After a reboot the number in a file may be any other program's. A killed
 * process keeps its number, without a command line, until its parent collects its exit code.
 */
export async function isPostgres(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.split('\0')[0]?.endsWith('postgres') ?? false;
}
