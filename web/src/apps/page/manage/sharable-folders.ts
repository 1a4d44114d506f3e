import type { Mount } from '@homeport/contract/apps/settings-schema';

export interface SharableFolder {
  hostPath: string;
  /** The paths in the app at which the folder is mounted. */
  places: string[];
}

/** The app's folders, each once. Each can be mounted at one more path. */
export function sharableFolders(
  mounts: readonly Pick<Mount, 'hostPath' | 'containerPath'>[],
): SharableFolder[] {
  const folders = new Map<string, string[]>();
  for (const { hostPath, containerPath } of mounts)
    folders.set(hostPath, [...(folders.get(hostPath) ?? []), containerPath]);
  return [...folders].map(([hostPath, places]) => ({ hostPath, places }));
}
