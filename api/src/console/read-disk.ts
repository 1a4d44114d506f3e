import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ConsoleFacts } from '@homeport/contract/console/schema';

/**
 * The disk that a folder is on, as `statfs(2)` says it. The folder of backups comes with the first backup; until then the folder
 * above answers. Null where neither can be read.
 */
export async function readDisk(folder: string): Promise<ConsoleFacts['disk']> {
  const found = await statfs(folder).catch(() => statfs(dirname(folder)).catch(() => null));
  if (!found) return null;
  const { bsize, blocks, bavail } = found;
  return { bytes: blocks * bsize, freeBytes: bavail * bsize };
}
