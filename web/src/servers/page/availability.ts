import { closedTexts } from '@homeport/contract/servers/closed';
import { lacksDokku } from '@homeport/contract/servers/platform';
import type { Server } from '@homeport/contract/servers/schema';

const withoutDokku = 'This server was set up without Dokku, which runs apps. Install it under Settings.';

/**
 * Why a server accepts no new app. null when it accepts one. A silent agent is no reason: the server itself may answer, and the
 * creation says so where it does not.
 */
export function noAppsReason(
  server: Pick<Server, 'simulated' | 'credential' | 'metal' | 'setup' | 'dokkuVersion'>,
): string | null {
  const texts = closedTexts(server);
  if (texts) return texts.create;
  if (server.metal) return withoutDokku;
  if (lacksDokku(server)) return 'Install Dokku on this server first.';
  return null;
}

/**
 * Why the apps on a server cannot be imported. null when they can. Only the server itself tells its apps, so a
 * silent agent is no reason: the import connects, and a server that does not answer says so then.
 */
export function noImportReason(
  server: Pick<Server, 'simulated' | 'credential' | 'metal' | 'setup' | 'dokkuVersion'>,
): string | null {
  const texts = closedTexts(server);
  if (texts) return texts.ask;
  if (server.metal) return withoutDokku;
  if (lacksDokku(server)) return 'Install Dokku on this server first.';
  return null;
}
