import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { diskFull, StoreError } from '../store-error.ts';
import { type Account, blockedAt } from './account.ts';

/** The folders and files of the embedded server, below the console's data folder. */
export type Folders = { data: string; cluster: string; socket: string; copies: string; log: string };

/** A unix socket's whole path has 107 bytes on Linux and 103 on macOS; PostgreSQL adds `/.s.PGSQL.5432`. */
const socketFolderBytes = 85;
const bytesNeededToStart = 64 * 1024 * 1024;

/** Makes the folders, closed to other users. The server's own folders belong to `account`. */
export async function prepareFolders(dataFolder: string, account: Account | undefined): Promise<Folders> {
  const data = resolve(dataFolder);
  try {
    await mkdir(data, { recursive: true, mode: 0o700 });
    // The server's account has to pass through this folder. Secret files in it have a mode of their own.
    if (account && (await blockedAt(data, account)) === data) await chmod(data, 0o711);
    if (await lacksSpace(data)) throw diskFull(data);
    const folders = foldersIn(data);
    const blocked = account && (await blockedAt(data, account));
    if (blocked) throw closedTo(account, blocked);
    await makeOwn(folders.socket, account);
    return folders;
  } catch (error) {
    throw explain(error, data);
  }
}

/** `data` is the whole path of the data folder. */
export const foldersIn = (data: string): Folders => ({
  data,
  cluster: join(data, 'postgres'),
  socket: socketFolder(data),
  copies: join(data, 'programs'),
  log: join(data, 'postgres.log'),
});

/** Whether the disk has too little space for a server to start. A start may include a recovery. */
export async function lacksSpace(data: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(data);
  return bavail * bsize < bytesNeededToStart;
}

/** `data` is the whole path of the data folder. */
export function socketFolder(data: string): string {
  const inside = join(data, 'run');
  if (Buffer.byteLength(inside) <= socketFolderBytes) return inside;
  return join(tmpdir(), `homeport-${createHash('sha256').update(data).digest('hex').slice(0, 16)}`);
}

/** Makes a folder for ourselves alone. Refuses a folder that somebody else made under our name in /tmp. */
async function makeOwn(folder: string, account: Account | undefined): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  const self = process.getuid?.() ?? found.uid;
  if (!found.isDirectory() || (found.uid !== self && found.uid !== account?.uid)) {
    throw new StoreError(
      'folder_unusable',
      `${folder} belongs to somebody else.`,
      'Remove that folder, or choose another data folder with --data.',
    );
  }
  await chmod(folder, 0o700);
  if (account) await chown(folder, account.uid, account.gid);
}

function closedTo(account: Account, blocked: string): StoreError {
  return new StoreError(
    'folder_unusable',
    `PostgreSQL refuses to run as root, so it runs as "${account.name}", who may not enter ${blocked}.`,
    `Choose a folder outside ${blocked} (for example --data /var/lib/homeport), or start Homeport as an ordinary user.`,
  );
}

function explain(error: unknown, data: string): unknown {
  if (error instanceof StoreError) return error;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(data, error);
  return new StoreError(
    'folder_unusable',
    `The data folder ${data} cannot be used: ${(error as Error).message}.`,
    'Choose a folder that you may write to with --data.',
    error,
  );
}
