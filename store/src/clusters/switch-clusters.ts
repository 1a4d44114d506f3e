import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

import { makeDurable, writeDurably } from './durable-files.ts';
import { nameForKept } from './kept-clusters.ts';
import { controlOf, writeKeptMark } from './kept-mark.ts';

/** A data folder, and where its cluster stands. */
type Folders = { data: string; cluster: string };

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
    const name = await nameForKept(folders.data, mark.from);
    const { controlSha256 } = mark;
    await writeKeptMark(folders.cluster, { name, controlSha256, since: now, days: 0, countedAt: now });
    await rename(folders.cluster, join(folders.data, name));
    await makeDurable(folders.data);
  }
  await rename(moved, folders.cluster);
  await makeDurable(folders.data);
}
