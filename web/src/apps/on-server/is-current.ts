import type { ReadingPart } from '@homeport/contract/apps/facts';

/** Measuring folders reads the server's disk, so a size counts for this long. */
const sizesHoldMs = 60 * 60_000;

export interface Kept {
  part: ReadingPart;
  readAt: number;
  /** The server has Homeport's plugin, which reads the app anew whenever its deploys or its containers change. */
  plugin: boolean;
  deployedAt: number | null;
  /** When the last operation on the app ended. */
  changedAt: number | null;
}

/** Whether what the console keeps of an app still holds, so that the page need not ask the server again. */
export function isCurrent({ part, readAt, plugin, deployedAt, changedAt }: Kept, now: number): boolean {
  switch (part) {
    case 'readme':
      return readAt >= (deployedAt ?? 0);
    case 'storage':
      return readAt >= (changedAt ?? 0) && now - readAt < sizesHoldMs;
    case 'resources':
    case 'system':
      // A change of ports or limits need not touch a container or a deploy, so the plugin may not have told of it.
      return plugin && readAt >= (changedAt ?? 0);
    case 'processes':
      // A plugin before 1.11 tells of a deploy and not of the processes, which Dokku told then.
      return plugin && readAt >= Math.max(changedAt ?? 0, deployedAt ?? 0);
    case 'pushers':
      // Lists are changed on the server without a word to the console.
      return false;
    case 'deploys':
      return plugin;
  }
}
