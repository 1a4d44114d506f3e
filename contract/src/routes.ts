import type { z } from 'zod';
import { accountRoutes } from './account/schema.ts';
import { checkRoutes } from './apps/checks/schema.ts';
import { cronRoutes } from './apps/cron/schema.ts';
import { oneOffRoutes } from './apps/one-off/schema.ts';
import { processRoutes } from './apps/processes/schema.ts';
import { pushKeyRoutes } from './apps/push-keys/schema.ts';
import { releaseRoutes } from './apps/releases/schema.ts';
import { appRoutes } from './apps/schema.ts';
import { appSettingsRoutes } from './apps/settings-schema.ts';
import { siteRoutes } from './apps/site/schema.ts';
import { backupRoutes } from './backups/schema.ts';
import { markRoutes } from './charts/schema.ts';
import { consoleRoutes } from './console/schema.ts';
import { credentialRoutes } from './credentials/schema.ts';
import { databaseRoutes } from './databases/schema.ts';
import { destinationRoutes } from './destinations/schema.ts';
import { deviceRoutes } from './device/schema.ts';
import { domainRoutes } from './domains/schema.ts';
import { continuousRoutes, githubRoutes } from './github/schema.ts';
import { identityRoutes } from './identity/schema.ts';
import { liveRoutes } from './live/schema.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { operationRoutes } from './operations/schema.ts';
import { passkeyRoutes } from './passkeys/schema.ts';
import { programCallRoutes } from './program-calls/schema.ts';
import { proposalRoutes } from './proposals/schema.ts';
import { proxyRoutes } from './proxies/schema.ts';
import type { InputOf, ParsedOf, ReplyOf, RouteTable } from './route.ts';
import { serverRoutes } from './servers/schema.ts';
import { statusPageRoutes } from './status-pages/schema.ts';
import { terminalRoutes } from './terminals/schema.ts';
import { tokenRoutes } from './tokens/schema.ts';
import { uptimeRoutes } from './uptime/schema.ts';

/**
 * Every route of the api. Its handlers, the page’s calls, the OpenAPI document and the authorization test
 * derive from this table.
 */
export const routes = {
  ...identityRoutes,
  ...consoleRoutes,
  ...accountRoutes,
  ...tokenRoutes,
  ...programCallRoutes,
  ...proposalRoutes,
  ...deviceRoutes,
  ...destinationRoutes,
  ...passkeyRoutes,
  ...credentialRoutes,
  ...serverRoutes,
  ...appRoutes,
  ...appSettingsRoutes,
  ...processRoutes,
  ...checkRoutes,
  ...pushKeyRoutes,
  ...siteRoutes,
  ...releaseRoutes,
  ...oneOffRoutes,
  ...terminalRoutes,
  ...cronRoutes,
  ...uptimeRoutes,
  ...markRoutes,
  ...databaseRoutes,
  ...githubRoutes,
  ...continuousRoutes,
  ...domainRoutes,
  ...proxyRoutes,
  ...backupRoutes,
  ...operationRoutes,
  ...notificationRoutes,
  ...statusPageRoutes,
  ...liveRoutes,
} as const satisfies RouteTable;

export type Routes = typeof routes;
export type RouteKey = keyof Routes;
export type RouteInput<K extends RouteKey> = InputOf<Routes[K]>;
export type RouteParsed<K extends RouteKey> = ParsedOf<Routes[K]>;
export type RouteOutput<K extends RouteKey> = ReplyOf<Routes[K]>;
/** The routes that a page follows over `GET /api/live` and sends messages to. */
export type ExchangeKey = {
  [K in RouteKey]: Routes[K] extends { kind: 'exchange' } ? K : never;
}[RouteKey];
/** One message of the page that follows an exchange. */
export type MessageTo<K extends ExchangeKey> = Routes[K] extends { fromCaller: infer S extends z.ZodType }
  ? z.output<S>
  : never;
/** The routes that stream: over HTTP as server-sent events, over `GET /api/live` as subscriptions. */
export type StreamKey = {
  [K in RouteKey]: Routes[K] extends { kind: 'stream' } ? K : never;
}[RouteKey];
