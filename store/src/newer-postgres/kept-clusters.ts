import { existsSync } from 'node:fs';
import { lstat, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** So long the data of the older PostgreSQL stay after a move: the way back. */
export const keptForMs = 30 * 24 * 60 * 60_000;
export const keptSinceName = 'homeport-kept-since';

export type KeptCluster = {
  /** Of its folder, in the data folder. */
  name: string;
  /** The version of PostgreSQL that wrote it. */
  major: number;
  bytes: number;
  since: number;
};

/** `postgres.17`, or `postgres.17.2` where that is taken. */
const keptName = /^postgres\.(\d{1,3})(?:\.\d{1,3})?$/;
/** Of a removal that was begun. */
const goingPrefix = 'removed.';

export async function nameForKept(dataFolder: string, major: number): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `postgres.${major}` : `postgres.${major}.${number}`;
    if (!existsSync(join(dataFolder, name))) return name;
  }
}

/** The clusters from before a move, the newest first. */
export async function listKept(dataFolder: string): Promise<KeptCluster[]> {
  const kept: KeptCluster[] = [];
  for (const name of await readdir(dataFolder).catch((): string[] => [])) {
    const major = keptName.exec(name)?.[1];
    if (major === undefined) continue;
    const folder = join(dataFolder, name);
    kept.push({ name, major: Number(major), bytes: await sizeOf(folder), since: await sinceOf(folder) });
  }
  return kept.sort((one, other) => other.since - one.since);
}

/** False where it is not there. The name goes first, so that no half of a cluster is taken for a whole one. */
export async function removeKept(dataFolder: string, name: string): Promise<boolean> {
  if (!keptName.test(name)) return false;
  const going = join(dataFolder, `${goingPrefix}${name}`);
  await rm(going, { recursive: true, force: true });
  try {
    await rename(join(dataFolder, name), going);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  await rm(going, { recursive: true, force: true });
  return true;
}

/** Removes what was kept long enough, and the rest of removals that a kill ended. */
export async function pruneKept(dataFolder: string, now: number): Promise<void> {
  for (const { name, since } of await listKept(dataFolder))
    if (now - since >= keptForMs) await removeKept(dataFolder, name);
  for (const name of await readdir(dataFolder).catch((): string[] => []))
    if (name.startsWith(goingPrefix) && keptName.test(name.slice(goingPrefix.length)))
      await rm(join(dataFolder, name), { recursive: true, force: true });
}

/** Somebody who put it there by hand has the day of the folder's last change. */
async function sinceOf(folder: string): Promise<number> {
  const written = Number(await readFile(join(folder, keptSinceName), 'utf8').catch(() => Number.NaN));
  return Number.isSafeInteger(written) && written > 0 ? written : (await stat(folder)).ctimeMs;
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    const found = await lstat(join(folder, name)).catch(() => undefined);
    if (found?.isFile()) bytes += found.size;
  }
  return bytes;
}
