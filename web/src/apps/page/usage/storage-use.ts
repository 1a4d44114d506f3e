import type { Mount } from '@homeport/contract/apps/settings-schema';

export type StorageUse =
  | { kind: 'none' }
  /** At least one folder could not be read completely or is a volume, so a sum would be wrong. */
  | { kind: 'unknown' }
  | { kind: 'known'; bytes: number; measuredAt: number };

/** The total size of the app's folders, each counted once. Its age is that of the oldest measurement. */
export function storageUse(mounts: readonly Mount[]): StorageUse {
  if (mounts.length === 0) return { kind: 'none' };
  let bytes = 0;
  const folders = new Map(mounts.map((mount) => [mount.hostPath, mount]));
  for (const { usedBytes } of folders.values()) {
    if (usedBytes === null) return { kind: 'unknown' };
    bytes += usedBytes;
  }
  return { kind: 'known', bytes, measuredAt: Math.min(...mounts.map(({ measuredAt }) => measuredAt)) };
}
