import type { App } from '@homeport/contract/apps';

/** `undeployed`: nothing was ever deployed, so there is nothing that could run or be paused. */
export type AppStatus = 'running' | 'paused' | 'undeployed';

/** Paused is what somebody stopped; an app whose first deploy is still to come is neither running nor paused. */
export function appStatus({ stopped, deployment }: Pick<App, 'stopped' | 'deployment'>): AppStatus {
  if (stopped) return 'paused';
  // A server without a deploy history says that it succeeded, but not when.
  return deployment.at !== null || deployment.status === 'succeeded' ? 'running' : 'undeployed';
}

/** Where the app answers; null while it is stopped or was never deployed. */
export const openUrl = (app: Pick<App, 'stopped' | 'url'>): string | null => (app.stopped ? null : app.url);
