import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Of a removal that was begun. */
const goingName = /^homeport-removed\.(?:moving|postgres\.(?:moved|\d{1,3}))(?:\.\d+)+$/;

/** Removes a folder. Its name goes first, so that a kill leaves no half of a cluster under a name that is taken for a whole one. */
export async function discard(folder: string): Promise<void> {
  const going = join(dirname(folder), `homeport-removed.${basename(folder)}.${process.pid}`);
  await remove(going);
  try {
    await rename(folder, going);
  } catch (error) {
    // Another process did it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await remove(going);
}

/** The rest of removals that a kill ended. */
export async function discardRest(dataFolder: string): Promise<void> {
  for (const name of await readdir(dataFolder).catch((): string[] => []))
    if (goingName.test(name)) await remove(join(dataFolder, name));
}

/** A program that was killed may go on for a moment, and write while its folder is removed. */
const remove = (folder: string) =>
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
