import { appSettingsRoutes } from './app-settings.ts';
import { appRoutes } from './apps.ts';
import { credentialRoutes } from './credentials.ts';
import { identityRoutes } from './identity.ts';
import { liveRoutes } from './live.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { operationRoutes } from './operations.ts';
import type { InputOf, ParsedOf, ReplyOf, RouteTable } from './route.ts';
import { serverRoutes } from './servers.ts';
import { uptimeRoutes } from './uptime.ts';

/** Every route of the api, from which its handlers, the page’s calls, the OpenAPI document and the authorization test derive. */
export const routes = {
  ...identityRoutes,
  ...credentialRoutes,
  ...serverRoutes,
  ...appRoutes,
  ...appSettingsRoutes,
  ...uptimeRoutes,
  ...operationRoutes,
  ...notificationRoutes,
  ...liveRoutes,
} as const satisfies RouteTable;

export type Routes = typeof routes;
export type RouteKey = keyof Routes;
export type RouteInput<K extends RouteKey> = InputOf<Routes[K]>;
export type RouteParsed<K extends RouteKey> = ParsedOf<Routes[K]>;
export type RouteOutput<K extends RouteKey> = ReplyOf<Routes[K]>;
/** The routes that go on telling: over HTTP as server-sent events, over `GET /api/live` as subscriptions. */
export type StreamKey = {
  [K in RouteKey]: Routes[K] extends { kind: 'stream' } ? K : never;
}[RouteKey];
