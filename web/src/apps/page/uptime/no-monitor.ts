import type { AppPlace } from '../../on-server/app-place.ts';

/** Why the outside checks cannot check the app now. null when they can. */
export function noMonitorReason({ app, server }: Pick<AppPlace, 'app' | 'server'>): string | null {
  if (server.simulated) return 'The apps of a simulated server have no address.';
  if (app.domains.length === 0) return 'A check needs a domain: add one first.';
  return null;
}
