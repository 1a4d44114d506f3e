import type { App } from '@homeport/contract/apps/schema';
import { isWebAddress } from '../ui/button/web-address.ts';

/** `undeployed`: nothing was ever deployed, so there is nothing that could run or be paused. */
export type AppStatus = 'running' | 'paused' | 'undeployed';

/** Paused is what somebody stopped; an app whose first deploy is still to come is neither running nor paused. */
export function appStatus({ stopped, deployment }: Pick<App, 'stopped' | 'deployment'>): AppStatus {
  if (stopped) return 'paused';
  // A server without a deploy history says that it succeeded, but not when.
  return deployment.at !== null || deployment.status === 'succeeded' ? 'running' : 'undeployed';
}

/** Where the app answers; null while it is stopped, was never deployed, or its server reports no web address. */
export const openUrl = ({ stopped, url }: Pick<App, 'stopped' | 'url'>): string | null =>
  !stopped && url !== null && isWebAddress(url) ? url : null;
