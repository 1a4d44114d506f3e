import { link, lstat, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartError } from '../start-error.ts';

export type NewFile = {
  /** Writes everything to the disk and gives the file its name. */
  write(chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Removes what is unfinished. */
  discard(): Promise<void>;
};

/** A file that has its name when it is whole, and never takes the place of another one. It is for its owner alone. Throws `StartError`. */
export async function newFile(file: string): Promise<NewFile> {
  await refuseExisting(file);
  const part = `${file}.part`;
  // Left by a process that was killed.
  await rm(part, { force: true });
  const handle = await open(part, 'wx', 0o600).catch((error: unknown) => {
    throw notWritable(file, error);
  });
  let isFinished = false;
  const close = () => handle.close().catch(() => {});
  return {
    async write(chunks) {
      try {
        await writeFile(handle, chunks);
        await handle.sync();
        const { ino } = await handle.stat();
        if ((await lstat(part)).ino !== ino) throw new Error('another program replaced it meanwhile');
        await giveName(part, file);
      } catch (error) {
        throw isFault(error) ? notWritable(file, error) : error;
      } finally {
        await close();
      }
      isFinished = true;
      await syncFolder(dirname(file));
    },
    async discard() {
      if (isFinished) return;
      await close();
      await rm(part, { force: true });
    },
  };
}

/** Codes of a full disk, a quota and a limit of the process, and of a place that takes no file. */
const faults = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO', 'EROFS', 'EACCES', 'ENOENT']);
const isFault = (error: unknown): boolean => faults.has((error as NodeJS.ErrnoException).code ?? '');

async function refuseExisting(file: string): Promise<void> {
  const found = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw notWritable(file, error);
  });
  if (found) throw exists(file);
}

/** `link` fails where the name is taken, which `rename` does not. Some file systems have no links. */
async function giveName(part: string, file: string): Promise<void> {
  try {
    await link(part, file);
    await rm(part);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw exists(file);
    await refuseExisting(file);
    await rename(part, file);
  }
}

/** A new name is kept over a power loss only when its folder is written. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().catch(() => {});
  await handle.close();
}

function exists(file: string): StartError {
  return new StartError(
    `${file} exists already.`,
    'Nothing was changed. Choose another name: a backup never replaces a file.',
  );
}

function notWritable(file: string, error: unknown): StartError {
  const { code, message } = error as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
  return new StartError(
    isFull ? `There is not enough space for ${file}.` : `${file} cannot be written: ${message}.`,
    'Nothing is left of the unfinished backup. Free some space there, or choose another folder.',
  );
}
