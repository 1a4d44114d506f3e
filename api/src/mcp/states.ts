import { type AppFacts, type AppStateKind, appState } from '@homeport/contract/apps/health';
import { type DatabaseFacts, type DatabaseStatus, databaseStatus } from '@homeport/contract/databases/health';
import { type ServerStatus, serverStatus } from '@homeport/contract/servers/health';
import type { LatestStats } from '@homeport/contract/stats/schema';
import { ProblemError } from '../http/problem.ts';
import type { Caller } from './caller.ts';

/** What reports say, by monitor id. undefined: not to be had, as for a token without stats:read. */
export type Reports = {
  servers: Map<string, Pick<LatestStats, 'status' | 'update_time'>> | undefined;
  apps: Map<string, number> | undefined;
};

export async function readReports(caller: Caller, ...of: readonly (keyof Reports)[]): Promise<Reports> {
  const [servers, apps] = await Promise.all([
    of.includes('servers') ? orUndefined(caller.read('GET /monitor/dumps')) : undefined,
    of.includes('apps') ? orUndefined(caller.read('GET /monitor/apps')) : undefined,
  ]);
  return {
    servers: servers && new Map(servers.map((report) => [report.key, report])),
    apps: apps && new Map(apps.map(({ key, measuredAt }) => [key, measuredAt])),
  };
}

/** What only adds to an answer: undefined where the token may not read it, or this process does not serve it. */
export function orUndefined<T>(read: Promise<T>): Promise<T | undefined> {
  return read.catch((error: unknown) => {
    if (error instanceof ProblemError && absent.has(error.code)) return undefined;
    throw error;
  });
}

const absent: ReadonlySet<string> = new Set(['not_allowed', 'not_signed_in', 'not_found']);

/** Null: the token does not read stats. */
export const stateOfServer = (
  { servers }: Reports,
  monitorId: string | null,
  now: number,
): ServerStatus | null => (servers ? serverStatus(servers.get(monitorId ?? ''), now) : null);

export const stateOfApp = (
  { apps }: Reports,
  app: AppFacts & { monitorId: string },
  now: number,
): AppStateKind => appState(app, apps && (apps.get(app.monitorId) ?? null), now).kind;

export const stateOfDatabase = (database: DatabaseFacts, server: ServerStatus | null): DatabaseStatus =>
  databaseStatus(database, server ?? undefined);
