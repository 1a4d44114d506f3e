import { type AppFacts, appState, appStateText } from '@homeport/contract/apps/health';
import { appSchema } from '@homeport/contract/apps/schema';
import { type DatabaseFacts, databaseStatus, databaseStatusText } from '@homeport/contract/databases/health';
import { databaseSchema } from '@homeport/contract/databases/schema';
import { type ServerStatus, serverStatus, serverStatusText } from '@homeport/contract/servers/health';
import { serverSchema } from '@homeport/contract/servers/schema';
import { latestStatsSchema } from '@homeport/contract/stats/schema';
import { z } from 'zod';
import type { Console } from '../console/ask-console.ts';
import { readIfPossible, readRoute } from '../console/read-route.ts';

/** What the commands show of each record, and what its state follows from. */
export const serverShape = serverSchema.pick({
  ...{ id: true, name: true, ip: true, port: true, metal: true, monitorId: true, dokkuVersion: true },
});
export const appShape = appSchema.pick({
  ...{ id: true, name: true, longname: true, serverName: true, monitorId: true, domains: true, url: true },
  ...{ stopped: true, crash: true, deployment: true, startedAt: true, unread: true, missingSince: true },
});
export const databaseShape = databaseSchema.pick({
  ...{ id: true, name: true, serverId: true, serverName: true, type: true, imageVersion: true },
  ...{ stopped: true, state: true },
});

/** What reports say. Empty for a token without the scope stats:read. */
export interface Reports {
  /** By monitor id. undefined: not to be had. */
  servers: Map<string, z.output<typeof reportShape>> | undefined;
  /** When a report last named an app, by the app's monitor id. */
  apps: Map<string, number> | undefined;
}

const reportShape = latestStatsSchema.pick({ status: true, update_time: true }).extend({ key: z.string() });
const measuredShape = z.object({ key: z.string(), measuredAt: z.number() });

export async function readReports(console: Console): Promise<Reports> {
  const [servers, apps] = await Promise.all([
    readIfPossible(readRoute(console, 'GET /monitor/dumps', z.array(reportShape))),
    readIfPossible(readRoute(console, 'GET /monitor/apps', z.array(measuredShape))),
  ]);
  return {
    servers: servers ? new Map(servers.value.map((report) => [report.key, report])) : undefined,
    apps: apps ? new Map(apps.value.map(({ key, measuredAt }) => [key, measuredAt])) : undefined,
  };
}

export function statusOfServer(
  { servers }: Reports,
  monitorId: string | null,
  now: number,
): ServerStatus | undefined {
  return servers && serverStatus(servers.get(monitorId ?? ''), now);
}

/** A state in a person's words, as the pages say it. `-` where reports cannot be had. */
export const serverState = (status: ServerStatus | undefined): string =>
  status === undefined ? '-' : serverStatusText(status);

export const stateOfApp = (reports: Reports, app: AppFacts & { monitorId: string }, now: number): string =>
  appStateText(appState(app, reports.apps && (reports.apps.get(app.monitorId) ?? null), now), now);

export const stateOfDatabase = (database: DatabaseFacts, server: ServerStatus | undefined): string =>
  databaseStatusText(databaseStatus(database, server));
