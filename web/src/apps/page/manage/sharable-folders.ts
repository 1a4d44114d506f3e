import type { Mount } from '@homeport/contract/apps/settings-schema';

export interface SharableFolder {
  hostPath: string;
  /** Where it is in the app. */
  places: string[];
}

/** The folders that an app has, each once, to be mounted at a further place. */
export function sharableFolders(
  mounts: readonly Pick<Mount, 'hostPath' | 'containerPath'>[],
): SharableFolder[] {
  const folders = new Map<string, string[]>();
  for (const { hostPath, containerPath } of mounts)
    folders.set(hostPath, [...(folders.get(hostPath) ?? []), containerPath]);
  return [...folders].map(([hostPath, places]) => ({ hostPath, places }));
}
