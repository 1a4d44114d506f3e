import { closedTexts } from '@homeport/contract/servers/closed';
import type { ServerStatus } from '@homeport/contract/servers/health';
import type { Server } from '@homeport/contract/servers/schema';

const withoutDokku = 'This server was set up without Dokku, which runs apps. Install it under Settings.';

/** Why a server accepts no new app now. null when it accepts one. */
export function noAppsReason(
  server: Pick<Server, 'simulated' | 'credential' | 'metal' | 'setup'>,
  status: ServerStatus,
): string | null {
  const texts = closedTexts(server);
  if (texts) return texts.create;
  if (server.setup !== 'ready') return 'Install Dokku on this server first.';
  if (server.metal) return withoutDokku;
  if (status === 'offline') return 'This server is offline.';
  return null;
}

/**
 * Why the apps on a server cannot be imported. null when they can. Only the server itself tells its apps, so a
 * silent agent is no reason: the import connects, and a server that does not answer says so then.
 */
export function noImportReason(
  server: Pick<Server, 'simulated' | 'credential' | 'metal' | 'setup'>,
): string | null {
  const texts = closedTexts(server);
  if (texts) return texts.ask;
  if (server.setup !== 'ready') return 'Install Dokku on this server first.';
  if (server.metal) return withoutDokku;
  return null;
}
