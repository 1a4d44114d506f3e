import type { RouteSchemas } from '../route.ts';
import { type TokenScope, tokenAreas } from './facts.ts';

/** What a token needs for a route, or why no token may call the route. */
export type RouteScope =
  | { kind: 'scope'; scope: TokenScope }
  /** The route acts on a server over a connection, for which the browser signs with its SSH key. */
  | { kind: 'needs-browser' }
  /** The route is about the person, the session or the console itself. */
  | { kind: 'person' };

/**
 * Routes of an area that stay with the person. A program must not decide which host key is right, and must not
 * take work over from the browser that began it.
 */
const forPersons: ReadonlySet<string> = new Set([
  'PUT /api/servers/:id/host-key',
  'DELETE /api/servers/:id/connection',
  'POST /api/operations/:id/continue',
]);

/**
 * Derived from the route table: the word after `/api/` names the area, and GET reads. A route that begins an
 * operation (202) and a route that opens a socket need the browser.
 */
export function scopeOfRoute(
  key: string,
  route: Pick<RouteSchemas, 'access' | 'kind' | 'status'>,
): RouteScope {
  const [method, path = ''] = key.split(' ');
  const word = path.split('/')[2];
  const area = tokenAreas.find((each) => each === word);
  if (route.access !== 'signed-in' || area === undefined || forPersons.has(key)) return { kind: 'person' };
  if (route.kind === 'socket' || route.status === 202) return { kind: 'needs-browser' };
  return { kind: 'scope', scope: `${area}:${method === 'GET' ? 'read' : 'write'}` };
}

/** The monitor's routes for a person all read. */
export const statsScope: TokenScope = 'stats:read';
