import { mkdir, rm, statfs } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { loadArchive, openForRestore, readMigrations, StoreError } from '@homeport/store';
import pg from 'pg';
import { ofDatabase } from '../data-place.ts';
import type { Cleanup } from '../shutdown.ts';
import { StartError } from '../start-error.ts';
import { unsealWith } from './seal.ts';

export type ProofOrder = {
  file: string;
  /** A private key of age that opens the file; null: the file is in clear. */
  identity: string | null;
  /** A folder for the throw-away PostgreSQL. What is in it goes before and after. */
  scratch: string;
  /** As HOMEPORT_POSTGRES. */
  programs?: string | undefined;
  /** What the archive takes as text. */
  bytes: number;
};

/** `failed`: nobody could restore this backup. `skipped`: this machine could not try. The notes are words for the owner. */
export type Proof = { state: 'proven' } | { state: 'failed' | 'skipped'; note: string };

/** Tables, indexes and log of PostgreSQL beside the text that they are loaded from, and an empty cluster. */
const roomFor = (bytes: number) => 4 * bytes + 512 * 1_048_576;

/**
 * Restores a backup's file into a PostgreSQL of its own, which goes again. The restore reads every table once more and compares it,
 * and PostgreSQL checks every reference between rows.
 */
export async function proveBackup(
  { file, identity, scratch, programs, bytes }: ProofOrder,
  cleanup: Cleanup,
): Promise<Proof> {
  await removeScratch(scratch);
  const { bavail, bsize } = await statfs(dirname(scratch));
  if (bavail * bsize < roomFor(bytes))
    return skipped(
      `A test restore needs ${inMiB(roomFor(bytes))} MiB, and the disk of ${dirname(scratch)} has ${inMiB(bavail * bsize)} MiB left.`,
    );
  // Everybody else's requests come first. PostgreSQL inherits the priority.
  setPriority(constants.priority.PRIORITY_LOW);
  cleanup.add('the folder of the test restore', () => removeScratch(scratch));
  let close: (() => Promise<void>) | undefined;
  try {
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    const opening = openForRestore({ dataFolder: scratch, programs });
    let closing: Promise<void> | undefined;
    // Also of one that is still being made: it would write into the folder while that is removed.
    close = () =>
      (closing ??= opening.then(
        (database) => database.close(),
        () => {},
      ));
    cleanup.add('the PostgreSQL of the test restore', close);
    const database = await opening;
    await loadArchive(database.client, await unsealWith(file, identity), {
      ...{ migrations: await readMigrations(), keepTokens: false, now: Date.now() },
      beforeCommit: async () => {},
    });
    return { state: 'proven' };
  } catch (error) {
    return judge(ofDatabase(error));
  } finally {
    await close?.();
    await removeScratch(scratch);
  }
}

/** Only what is wrong with the backup itself is its failure: SQL states of class 22 and 23 say that its rows do not fit. */
function judge(error: unknown): Proof {
  if (error instanceof StoreError || error instanceof StartError)
    return { state: isDamaged(error) ? 'failed' : 'skipped', note: error.message };
  const why = error instanceof Error ? error.message : String(error);
  if (error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? ''))
    return { state: 'failed', note: `PostgreSQL refused what the backup holds: ${why}.` };
  return skipped(`The test restore ended early: ${why}.`);
}

const isDamaged = (error: Error) => error instanceof StoreError && error.code === 'archive_damaged';

/** What a process that was killed left there is removed, too. */
export const removeScratch = (scratch: string) => rm(scratch, { recursive: true, force: true });

const skipped = (note: string): Proof => ({ state: 'skipped', note });

const inMiB = (bytes: number) => Math.ceil(bytes / 1_048_576);
