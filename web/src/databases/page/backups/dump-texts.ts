import { type DumpOrigin, dumpBytes } from '@homeport/contract/databases/facts';
import { formatBytes } from '../../../ui/text/format.ts';

export const originTexts: Record<DumpOrigin, string> = {
  made: 'Made here',
  before_restore: 'Kept before a restore',
  uploaded: 'Uploaded',
  scheduled: 'Schedule',
};

/** Enough of a checksum to tell two dumps apart. */
export const shortChecksum = (sha256: string) => sha256.slice(0, 12);

/** Why a file is not sent. null: it may be. */
export function uploadRefusal(bytes: number, freeBytes: number | null): string | null {
  if (bytes === 0) return 'The file is empty.';
  if (bytes > dumpBytes) return `A dump has at most ${formatBytes(dumpBytes)}.`;
  if (freeBytes !== null && bytes > freeBytes)
    return `The server has ${formatBytes(freeBytes)} free, and the file has ${formatBytes(bytes)}. Nothing was sent.`;
  return null;
}
