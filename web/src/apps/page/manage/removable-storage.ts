import type { Mount } from '@homeport/contract/apps/settings-schema';
import { formatBytes } from '../../../ui/text/format.ts';

export interface StorageFolder {
  hostPath: string;
  removable: boolean;
  /** "3.2 MB", or "size not known" */
  size: string;
}

/** The app's storage, each folder once. */
export function storageFolders(
  mounts: readonly Pick<Mount, 'hostPath' | 'removable' | 'usedBytes'>[],
): StorageFolder[] {
  const folders = new Map(
    mounts.map(({ hostPath, removable, usedBytes }) => [
      hostPath,
      { hostPath, removable, size: usedBytes === null ? 'size not known' : formatBytes(usedBytes) },
    ]),
  );
  return [...folders.values()];
}

/** The words to type. They name the size of what is deleted, so that nobody deletes data by habit. */
export function wordsToDestroy(
  mounts: readonly Pick<Mount, 'hostPath' | 'usedBytes'>[],
  chosen: ReadonlySet<string>,
): string {
  if (chosen.size === 0) return 'destroy';
  const sizes = new Map(mounts.map(({ hostPath, usedBytes }) => [hostPath, usedBytes]));
  let sum = 0;
  for (const folder of chosen) {
    const bytes = sizes.get(folder) ?? null;
    if (bytes === null) return 'destroy and delete storage';
    sum += bytes;
  }
  return `destroy and delete ${formatBytes(sum)}`;
}
