import type { Uptime } from '@homeport/contract/uptime/schema';

/** The ids of the apps that the checks from outside found down; those that are stopped are not missed. */
export const offlineApps = (
  checked: readonly Pick<Uptime, 'appId' | 'online' | 'state'>[],
): ReadonlySet<string> =>
  new Set(
    checked.filter(({ online, state }) => online === false && state !== 'paused').map(({ appId }) => appId),
  );
