import type { ServerStatus } from '@homeport/contract/servers/health';
import type { Server } from '@homeport/contract/servers/schema';

export const simulatedReason = 'This server is simulated: there is no machine to connect to.';

/** Why no app can be created on a server now; null where one can. */
export function noAppsReason(
  server: Pick<Server, 'simulated' | 'metal' | 'setup'>,
  status: ServerStatus,
): string | null {
  if (server.simulated) return 'This server is simulated: no app can run on it.';
  if (server.setup !== 'ready') return 'Install Dokku on this server first.';
  if (server.metal) return 'This server was set up without Dokku, which runs apps.';
  if (status === 'offline') return 'This server is offline.';
  return null;
}
