import type { ServerStatus } from '@homeport/contract/servers/health';
import type { Server } from '@homeport/contract/servers/schema';
import { simulatedTexts } from '@homeport/contract/servers/simulated';

export const simulatedReason = simulatedTexts.connect;

/** Why a server accepts no new app now. null when it accepts one. */
export function noAppsReason(
  server: Pick<Server, 'simulated' | 'metal' | 'setup'>,
  status: ServerStatus,
): string | null {
  if (server.simulated) return simulatedTexts.create;
  if (server.setup !== 'ready') return 'Install Dokku on this server first.';
  if (server.metal) return 'This server was set up without Dokku, which runs apps.';
  if (status === 'offline') return 'This server is offline.';
  return null;
}

/**
 * Why the apps on a server cannot be imported. null when they can. Only the server itself tells its apps, so a
 * silent agent is no reason: the import connects, and a server that does not answer says so then.
 */
export function noImportReason(server: Pick<Server, 'simulated' | 'metal' | 'setup'>): string | null {
  if (server.simulated) return simulatedTexts.ask;
  if (server.setup !== 'ready') return 'Install Dokku on this server first.';
  if (server.metal) return 'This server was set up without Dokku, which runs apps.';
  return null;
}
