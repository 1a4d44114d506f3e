import type { Uptime } from '@homeport/contract/uptime/schema';

/** The ids of the apps that the outside checks found down. A stopped app does not count as offline. */
export const offlineApps = (
  checked: readonly Pick<Uptime, 'appId' | 'online' | 'state'>[],
): ReadonlySet<string> =>
  new Set(
    checked.filter(({ online, state }) => online === false && state !== 'paused').map(({ appId }) => appId),
  );
