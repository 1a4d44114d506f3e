import type { App } from '@homeport/contract/apps/schema';
import type { Server } from '@homeport/contract/servers/schema';

/** How far somebody is on the way to a first app. */
export interface FirstSteps {
  /** The demo's sandbox, on which an app can run. null: no server is there yet. */
  sandbox: string | null;
}

type Line = { server: Pick<Server, 'name' | 'simulated' | 'sandbox'> };

/** null: the person has a server, or an app in the demo's sandbox. Simulated servers run nothing, so they are no step. */
export function firstSteps(
  lines: readonly Line[],
  apps: readonly Pick<App, 'id'>[] | undefined,
): FirstSteps | null {
  if (lines.some(({ server }) => !server.simulated && !server.sandbox)) return null;
  const sandbox = lines.find(({ server }) => server.sandbox)?.server.name ?? null;
  return sandbox !== null && apps?.length !== 0 ? null : { sandbox };
}
