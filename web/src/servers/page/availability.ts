import { closedTexts } from '@homeport/contract/servers/closed';
import { lacksDokku } from '@homeport/contract/servers/platform';
import type { Server } from '@homeport/contract/servers/schema';

const withoutDokku = 'This server was set up without Dokku, which runs apps. Install it under Settings.';

/**
 * Why a server accepts no new app. null when it accepts one. The page refuses what the api refuses, and no more: a silent agent, or
 * a record that knows of no Dokku, is no reason. The creation asks the server, and says so where it does not answer or has none.
 */
export function noAppsReason(server: Pick<Server, 'simulated' | 'credential' | 'metal'>): string | null {
  const texts = closedTexts(server);
  if (texts) return texts.create;
  return server.metal ? withoutDokku : null;
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
