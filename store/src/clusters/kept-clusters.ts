import { existsSync } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { discard, discardRest } from './discard.ts';
import { type KeptMark, readKeptMark, writeKeptMark } from './kept-mark.ts';

const dayMs = 24 * 60 * 60_000;
/** On so many days a console runs after a move before the data of the older PostgreSQL go: the way back. */
export const keptForDays = 30;

export type KeptCluster = {
  /** Of its folder, in the data folder. */
  name: string;
  /** The version of PostgreSQL that wrote it. */
  major: number;
  /** Null where the folder cannot be read. */
  bytes: number | null;
  /** When the console removes it, if it runs every day. Null: never, because Homeport did not put it there. */
  goesAt: number | null;
};

/** `postgres.17`, or `postgres.17.2` where that is taken. */
const keptName = /^postgres\.(\d{1,3})(?:\.\d{1,3})?$/;

export async function nameForKept(dataFolder: string, major: number): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? `postgres.${major}` : `postgres.${major}.${number}`;
    if (!existsSync(join(dataFolder, name))) return name;
  }
}

/** The clusters beside the one that is used: those from before a move, and what somebody put there under such a name. The newest version is first. */
export async function clustersBeside(dataFolder: string): Promise<Pick<KeptCluster, 'name' | 'major'>[]> {
  const found: Pick<KeptCluster, 'name' | 'major'>[] = [];
  for (const name of await readdir(dataFolder).catch((): string[] => [])) {
    const major = await majorOfKept(join(dataFolder, name), name);
    if (major !== undefined) found.push({ name, major });
  }
  return found.sort((one, other) => other.major - one.major || one.name.localeCompare(other.name, 'en'));
}

/** The clusters beside the one that is used, with their sizes and until when they stay. */
export async function listKept(dataFolder: string): Promise<KeptCluster[]> {
  const kept: KeptCluster[] = [];
  for (const { name, major } of await clustersBeside(dataFolder)) {
    const folder = join(dataFolder, name);
    const mark = await readKeptMark(folder, name);
    kept.push({ name, major, bytes: await sizeOf(folder), goesAt: mark ? goesAt(mark) : null });
  }
  return kept;
}

/** Removes what was kept on enough days, and the rest of removals that a kill ended. Tells each cluster before it goes. */
export async function pruneKept(
  dataFolder: string,
  now: number,
  removing: (name: string) => void = () => {},
): Promise<void> {
  for (const name of await readdir(dataFolder).catch((): string[] => [])) {
    if (keptName.test(name)) await countDay(dataFolder, name, now, removing);
  }
  await discardRest(dataFolder);
}

/** Each day counts once, so a clock that jumps ahead removes nothing, and neither does one that was wrong when the mark was written. */
async function countDay(
  dataFolder: string,
  name: string,
  now: number,
  removing: (name: string) => void,
): Promise<void> {
  const folder = join(dataFolder, name);
  const mark = await readKeptMark(folder, name);
  if (!mark) return;
  const isAhead = mark.countedAt > now;
  if (!isAhead && now - mark.countedAt < dayMs) return;
  const days = isAhead ? mark.days : mark.days + 1;
  if (days < keptForDays) return writeKeptMark(folder, { ...mark, days, countedAt: now });
  removing(name);
  await discard(folder);
}

const goesAt = ({ countedAt, days }: KeptMark): number => countedAt + (keptForDays - days) * dayMs;

/** Undefined for what is no cluster. */
async function majorOfKept(folder: string, name: string): Promise<number | undefined> {
  const named = keptName.exec(name)?.[1];
  if (named === undefined) return undefined;
  const found = await lstat(folder).catch(() => undefined);
  if (!found?.isDirectory()) return undefined;
  const written = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) =>
    // Who may not read it knows only the name.
    error.code === 'EACCES' ? named : '',
  );
  const major = Number.parseInt(written, 10);
  return Number.isNaN(major) ? undefined : major;
}

/** What goes while it is looked at has no size. */
async function sizeOf(folder: string): Promise<number | null> {
  const names = await readdir(folder, { recursive: true }).catch(() => undefined);
  if (!names) return null;
  let bytes = 0;
  for (const name of names) {
    const found = await lstat(join(folder, name)).catch(() => undefined);
    if (found?.isFile()) bytes += found.size;
  }
  return bytes;
}
