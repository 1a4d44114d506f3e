import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { OlderData } from '@homeport/store';
import { createCleanup } from '../shutdown.ts';
import { StartError } from '../start-error.ts';
import { version } from '../version.ts';
import { makeBackup } from './make-backup.ts';

export type CopyOrder = {
  /** In the data folder: a copy in clear is as safe as the data and the secret beside it. */
  folder: string;
  secret: string;
  /** A public key of age. Null: the copy is in clear. */
  recipient: string | null;
  clock: () => number;
};

const kept = 3;
const closeWithinMs = 5_000;
const copyName = /^before-.*\.(tar\.gz|age)$/;
/** Left by a process that was killed. Only one copies at a time. */
const isUnfinished = (name: string) => name.startsWith('before-') && name.endsWith('.part');

/**
 * Copies an older program's data before this program changes their tables, so that the older one can be had back by a restore. Returns
 * the file. The newest copies stay, and the first one of this version: an upgrade that fails half way is tried at each start, and only the
 * first copy holds what the older program wrote. Throws `StartError` where there is no room, and `StoreError`: then nothing was upgraded.
 */
export async function copyBeforeUpgrade(
  { folder, secret, recipient, clock }: CopyOrder,
  { url, bytes }: OlderData,
): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: Error) => {
    throw notCopied(`${folder} cannot be made: ${error.message}.`);
  });
  await remove(folder, await namesIn(folder, isUnfinished));
  await refuseFullDisk(folder, bytes);
  const moment = new Date(clock()).toISOString().replaceAll(':', '').replace('.', '');
  const file = join(folder, `before-${moment}-${version}.${recipient === null ? 'tar.gz' : 'age'}`);
  const cleanup = createCleanup(closeWithinMs, () => undefined);
  try {
    const recipients = recipient === null ? [] : [recipient];
    await makeBackup({ place: { url }, secret, file, recipients }, cleanup);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw notCopied(error.message);
  } finally {
    await cleanup.run();
  }
  const copies = await namesIn(folder, (name) => copyName.test(name));
  const first = copies.find((name) => name.includes(`-${version}.`));
  await remove(
    folder,
    copies.slice(0, -kept).filter((name) => name !== first),
  );
  return file;
}

async function namesIn(folder: string, fits: (name: string) => boolean): Promise<string[]> {
  return (await readdir(folder)).filter((name) => fits(name)).sort();
}

async function remove(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(folder, name), { force: true });
}

/** The copy is compressed, so it is smaller than the data; the upgrade itself needs room, too. */
async function refuseFullDisk(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytes) return;
  throw notCopied(
    `They take ${inMiB(bytes)} MiB, and the disk of ${folder} has ${inMiB(bavail * bsize)} MiB left.`,
  );
}

const notCopied = (why: string) =>
  new StartError(
    `The data could not be copied before the upgrade. ${why}`,
    'Nothing was upgraded. Free some space there, or make a backup yourself and set HOMEPORT_COPY_BEFORE_UPGRADE=false.',
  );

const inMiB = (bytes: number) => Math.ceil(bytes / 1_048_576);
