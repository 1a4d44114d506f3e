import type { RouteSchemas } from '../route.ts';
import { type TokenScope, tokenAreas } from './facts.ts';

/** What a token needs for a route, or why no token may call the route. */
export type RouteScope =
  | { kind: 'scope'; scope: TokenScope }
  /** Any scope: the route tells each token only what its scopes include. */
  | { kind: 'any' }
  /** The route acts on a server over a connection, for which the browser signs with its SSH key. */
  | { kind: 'needs-browser' }
  /** The route is about the person, the session or the console itself. */
  | { kind: 'person' };

/**
 * Routes of an area that stay with the person. A program must not decide which host key is right or where a server is, must not take
 * work over from the browser that began it, must not decide who runs commands, and has no business with the credential at Cloudflare.
 */
const forPersons: ReadonlySet<string> = new Set([
  'PUT /api/servers/:id/host-key',
  'PUT /api/servers/:id/address',
  'POST /api/servers/:id/commands/allow',
  'POST /api/servers/:id/commands/forbid',
  'POST /api/servers/:id/shell/allow',
  'POST /api/servers/:id/shell/forbid',
  'POST /api/operations/:id/continue',
  'PUT /api/zones/account',
  'POST /api/zones/account/check',
  'DELETE /api/zones/account',
]);

/**
 * What a program proposes, it reads and takes back. Approving and declining are the person's. The proposal's own route asks for the scope to
 * propose in its area, and all areas that can be proposed are these.
 */
const forProposers: ReadonlySet<string> = new Set([
  'GET /api/proposals',
  'POST /api/proposals',
  'GET /api/proposals/:id',
  'POST /api/proposals/:id/withdraw',
]);

/** A terminal opens and closes its own connections (`overTerminals`). */
const forConnections: ReadonlySet<string> = new Set([
  'GET /api/servers/:id/connection',
  'DELETE /api/servers/:id/connection',
]);

/**
 * Where a connection counts that a terminal opened: the person's own SSH agent signed for it, and it is one of the account `homeport`
 * (`consoleUser`). Every other route finds no connection for a terminal. A route that takes something away, needs root or shows a
 * secret never stands here.
 */
const overTerminals: ReadonlySet<string> = new Set([
  ...forConnections,
  'GET /api/apps/:id/logs',
  'POST /api/apps/:id/start',
  'POST /api/apps/:id/stop',
  'POST /api/apps/:id/restart',
  'POST /api/apps/:id/deploy-commit',
]);

export const worksOverTerminal = (key: string): boolean => overTerminals.has(key);

/** Changes are filtered by the token’s scopes (`topic-scope.ts`). */
const forAnyScope: ReadonlySet<string> = new Set(['GET /api/events']);

/** Routes about an app or a server that read or change records at Cloudflare: a token for apps is none for domains. */
const ofZones: ReadonlySet<string> = new Set([
  'GET /api/apps/:id/dns',
  'POST /api/apps/:id/dns',
  'GET /api/apps/:id/records',
  'GET /api/servers/:id/dns',
  'GET /api/servers/:id/records',
]);

/**
 * What an app has of GitHub. These routes ask with the person's own grant, which reads private repositories: whoever names a
 * repository for an app could read its readme and its commits. No scope of a token is for that.
 */
const partsOfGithub: ReadonlySet<string> = new Set([
  'repository',
  'commit',
  'deploy-commit',
  'deploy-key',
  'continuous-deployment',
]);

/**
 * Derived from the route table: the word after `/api/` names the area, and GET reads. A route that begins an
 * operation (202) and a route that opens a socket or an exchange need the browser.
 */
export function scopeOfRoute(
  key: string,
  route: Pick<RouteSchemas, 'access' | 'kind' | 'status'>,
): RouteScope {
  if (forAnyScope.has(key)) return { kind: 'any' };
  if (forProposers.has(key)) return { kind: 'scope', scope: 'apps:propose' };
  if (forConnections.has(key)) return { kind: 'scope', scope: connectScope };
  const [method, path = ''] = key.split(' ');
  const word = ofZones.has(key) ? 'zones' : path.split('/')[2];
  const area = tokenAreas.find((each) => each === word);
  if (route.access !== 'signed-in' || area === undefined || forPersons.has(key)) return { kind: 'person' };
  if (route.kind === 'socket' || route.kind === 'exchange' || route.status === 202)
    return { kind: 'needs-browser' };
  if (partsOfGithub.has(path.split('/')[4] ?? '')) return { kind: 'person' };
  return { kind: 'scope', scope: `${area}:${method === 'GET' ? 'read' : 'write'}` };
}

/** With it, a token opens connections. Only a terminal can have it. */
export const connectScope: TokenScope = 'servers:connect';

/** The monitor's routes for a person all read. */
export const statsScope: TokenScope = 'stats:read';
