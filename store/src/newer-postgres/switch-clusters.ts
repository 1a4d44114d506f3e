import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Folders } from '../embedded/folders.ts';
import { keptSinceName, nameForKept } from './kept-clusters.ts';

/** A whole new cluster that waits to take the place of the old one. */
const movedName = 'postgres.moved';
const markName = 'homeport-moved.json';

const markSchema = z.object({
  /** The major version that wrote the old cluster. */
  from: z.int(),
  /** Of the old cluster’s control file when it was read: every start of a PostgreSQL on it writes another one. */
  controlSha256: z.string(),
});

/** The major version that wrote a cluster. Undefined where none is. */
export async function majorOf(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  return text === undefined ? undefined : Number.parseInt(text, 10);
}

/** Puts the new cluster, whose server has ended, in the place of the old one, whose server has ended too. A kill in between is finished by the next start. */
export async function switchClusters(
  folders: Folders,
  made: string,
  from: number,
  now: number,
): Promise<void> {
  const mark = { from, controlSha256: await controlOf(folders.cluster) };
  await writeDurably(join(made, markName), JSON.stringify(mark));
  await rename(made, join(folders.data, movedName));
  await makeDurable(folders.data);
  await finishSwitch(folders, now);
}

/** Ends a switch that was begun. Where an earlier program went on with the old cluster meanwhile, the new one is out of date and goes. */
export async function finishSwitch(folders: Folders, now: number): Promise<void> {
  const moved = join(folders.data, movedName);
  if (!existsSync(moved)) return;
  const mark = markSchema.parse(JSON.parse(await readFile(join(moved, markName), 'utf8')));
  if ((await majorOf(folders.cluster)) !== undefined) {
    if ((await controlOf(folders.cluster)) !== mark.controlSha256)
      return rm(moved, { recursive: true, force: true });
    await writeDurably(join(folders.cluster, keptSinceName), String(now));
    await rename(folders.cluster, join(folders.data, await nameForKept(folders.data, mark.from)));
    await makeDurable(folders.data);
  }
  await rename(moved, folders.cluster);
  await makeDurable(folders.data);
}

async function controlOf(cluster: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(join(cluster, 'global/pg_control')))
    .digest('hex');
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The names in a folder, after a power cut too. */
async function makeDurable(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
