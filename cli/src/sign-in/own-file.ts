import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { CommandProblem } from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';

const mostBytes = 256 * 1024;
const revokeToken = 'revoke the token if somebody else may have read it.';
/** Bits of the mode that let the group or others in. */
const forOthers = 0o077;

/**
 * Reads a file of this program. null: there is none. `ifRead`: what to do where others could read a secret one.
 *
 * @throws CommandProblem for a secret file that others may read, and for one that this program did not write
 */
export async function readOwnFile<S extends z.ZodType>(
  path: string,
  schema: S,
  { isSecret, ifRead = revokeToken }: { isSecret: boolean; ifRead?: string },
): Promise<z.output<S> | null> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw unusable(path, `${path} cannot be read (${error.code}).`);
  });
  if (!file) return null;
  try {
    const { mode, size } = await file.stat();
    if (isSecret && process.platform !== 'win32' && (mode & forOthers) !== 0)
      throw new CommandProblem(exitCodes.notAllowed, `Others on this machine may read ${path}.`, {
        recovery: `Run \`chmod 600 ${path}\`, and ${ifRead}`,
      });
    const read = size > mostBytes ? null : schema.safeParse(parsed(await file.readFile('utf8')));
    if (!read?.success) throw unusable(path, `${path} is not as this command wrote it.`);
    return read.data;
  } finally {
    await file.close();
  }
}

/** Writes a file that only its person may read, in a folder that only its person may enter. Readers see the old file or the new one. */
export async function writeOwnFile(path: string, value: unknown): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const fresh = `${path}.${randomUUID()}`;
  try {
    const file = await open(fresh, 'wx', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(value, undefined, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

const unusable = (path: string, message: string) =>
  new CommandProblem(exitCodes.failed, message, {
    recovery: `Correct or remove ${path}, then try again.`,
  });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
