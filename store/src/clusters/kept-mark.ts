import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from './durable-files.ts';

const markName = 'homeport-kept.json';

/** By which Homeport knows a cluster that it put aside itself, and nobody used since. */
const markSchema = z.object({
  /** Of its folder. A copy of it, or one that was moved, is somebody's own. */
  name: z.string(),
  /** Of its control file: every start of a PostgreSQL on it writes another one, also that of a Homeport that knows no marks. */
  controlSha256: z.string(),
  since: z.int().nonnegative(),
  /** The days since then in which a console ran. A clock that is wrong once counts as one of them. */
  days: z.int().nonnegative(),
  countedAt: z.int().nonnegative(),
});
export type KeptMark = z.output<typeof markSchema>;

/** Undefined where the cluster is somebody's own, or its mark cannot be read: then nothing removes it. */
export async function readKeptMark(folder: string, name: string): Promise<KeptMark | undefined> {
  try {
    const mark = markSchema.parse(JSON.parse(await readFile(join(folder, markName), 'utf8')));
    return mark.name === name && mark.controlSha256 === (await controlOf(folder)) ? mark : undefined;
  } catch {
    return undefined;
  }
}

export const writeKeptMark = (folder: string, mark: KeptMark): Promise<void> =>
  writeDurably(join(folder, markName), JSON.stringify(mark));

/** Of a cluster that is in use again. */
export const dropKeptMark = (cluster: string): Promise<void> => rm(join(cluster, markName), { force: true });

export async function controlOf(cluster: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(join(cluster, 'global/pg_control')))
    .digest('hex');
}
