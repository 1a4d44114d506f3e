import type { Mount } from '@homeport/contract/apps/settings-schema';

export type StorageUse =
  | { kind: 'none' }
  /** At least one folder could not be read whole, or is a volume, so there is no honest sum. */
  | { kind: 'unknown' }
  | { kind: 'known'; bytes: number; measuredAt: number };

/** What the folders of an app hold together, each counted once, as old as the oldest of the measurements. */
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
