import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from '../store-error.ts';
import { isAlive } from './is-alive.ts';

/** A whole new cluster that waits to take the place of the old one, with the process that holds it. */
const movedName = /^postgres\.moved(?:\.(\d{1,10}))?$/;

/** The name by which a process holds the new cluster. One rename takes it, so one process alone can. */
export const claimIn = (dataFolder: string): string => join(dataFolder, `postgres.moved.${process.pid}`);

export async function namesOfMoved(dataFolder: string): Promise<string[]> {
  return (await readdir(dataFolder)).filter((name) => movedName.test(name));
}

/** Takes hold of the new cluster that waits. Undefined where none does. Throws `StoreError` while the process that holds it lives. */
export async function claimMoved(dataFolder: string): Promise<string | undefined> {
  const [name, another] = await namesOfMoved(dataFolder);
  if (name === undefined) return undefined;
  if (another !== undefined) throw twoMoved(dataFolder, name, another);
  const holder = Number(movedName.exec(name)?.[1] ?? 0);
  // A container may give each of its processes the same number.
  if (holder > 0 && holder !== process.pid && isAlive(holder)) throw heldBy(dataFolder, holder, name);
  const claim = claimIn(dataFolder);
  await rename(join(dataFolder, name), claim).catch(orDisturbed(dataFolder));
  return claim;
}

/** For a rename that fails because another process renamed before. */
export const orDisturbed =
  (dataFolder: string) =>
  (error: unknown): never => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTEMPTY' || code === 'EEXIST') throw disturbed(dataFolder, error);
    throw error;
  };

export const disturbed = (dataFolder: string, cause?: unknown) =>
  new StoreError(
    'second_console',
    `Another Homeport moves the data in ${dataFolder} to a newer PostgreSQL, or has just done so.`,
    'Nothing is lost. Use that console, or start again when it has ended.',
    cause,
  );

const heldBy = (dataFolder: string, holder: number, name: string) =>
  new StoreError(
    'second_console',
    `Process ${holder} moves the data in ${dataFolder} to a newer PostgreSQL.`,
    `Nothing was changed. Use that console. If process ${holder} is no Homeport, rename ${join(dataFolder, name)} to postgres.moved, and start again.`,
  );

const twoMoved = (dataFolder: string, one: string, other: string) =>
  new StoreError(
    'folder_unusable',
    `${dataFolder} has two clusters that a move to a newer PostgreSQL made: ${one} and ${other}.`,
    'Nothing was changed. Move the one that you do not need to another folder, and start again.',
  );
