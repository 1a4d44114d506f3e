import type { App } from '@homeport/contract/apps/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { openExchange } from '../data/open-stream.ts';
import type { TerminalSize } from './terminal-session.ts';

/** Where a terminal goes. */
export type TerminalPlace =
  | {
      kind: 'app';
      app: Pick<App, 'id' | 'name'>;
      serverName: string;
      /** `web.1`; null: a new container. */
      process: string | null;
    }
  | { kind: 'server'; server: Pick<Server, 'id' | 'name' | 'username'> };

/** Two drawings with the same key show the same terminal. */
export const placeKey = (place: TerminalPlace): string =>
  place.kind === 'app' ? `app ${place.app.id} ${place.process ?? ''}` : `server ${place.server.id}`;

export const placeTexts = (place: TerminalPlace): { name: string; title: string; where: string } =>
  place.kind === 'app'
    ? {
        name: place.app.name,
        title: place.process ?? 'New container',
        where: `${place.app.name} on ${place.serverName}`,
      }
    : { name: place.server.name, title: place.server.username, where: `on ${place.server.name}` };

export function openPlace(place: TerminalPlace, size: TerminalSize, signal: AbortSignal) {
  if (place.kind === 'server')
    return openExchange(
      'GET /api/servers/:id/terminal',
      { params: { id: place.server.id }, query: size },
      signal,
    );
  const { app, process } = place;
  const query = { ...(process !== null && { process }), ...size };
  return openExchange('GET /api/apps/:id/terminal', { params: { id: app.id }, query }, signal);
}
