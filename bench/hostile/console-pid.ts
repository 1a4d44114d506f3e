import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Console } from '../../e2e/fixtures/console.ts';

/** The console's process: the parent of PostgreSQL. */
export async function consolePid({ folder }: Console): Promise<number> {
  const file = await readFile(join(folder, 'data/postgres/postmaster.pid'), 'utf8');
  const status = await readFile(`/proc/${file.split('\n')[0]}/status`, 'utf8');
  return Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]);
}

/** The session of the console’s first account. */
export function cookieOf({ owner }: Console): string {
  return owner.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}
