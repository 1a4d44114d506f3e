import type { Mount } from '@homeport/contract/apps/settings-schema';
import type { AppStats } from '@homeport/contract/stats/schema';

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

/** The total size by the agent's reports. null if the reports do not tell. */
export function reportedUse({
  STORAGE,
  storage_measured,
}: Pick<AppStats, 'STORAGE' | 'storage_measured'>): StorageUse | null {
  if (STORAGE === null || storage_measured === null) return null;
  return { kind: 'known', bytes: STORAGE, measuredAt: storage_measured };
}
