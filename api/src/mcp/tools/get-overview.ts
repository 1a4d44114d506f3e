import { isDatabaseDown } from '@homeport/contract/databases/health';
import { overStates } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import { grants, tokenScopes } from '@homeport/contract/tokens/facts';
import { z } from 'zod';
import { shortOperation } from '../describe-operation.ts';
import { fitting } from '../records.ts';
import { orUndefined, readReports, stateOfApp, stateOfDatabase, stateOfServer } from '../states.ts';
import { defineTool } from '../tool.ts';

/** Characters of each of the five lists. */
const roomOfList = 4_000;

export const getOverview = defineTool({
  name: 'get_overview',
  title: 'What runs and what is wrong',
  description:
    'Counts servers, apps and databases by state, names those that are not well, and lists the work that runs, waits or failed last. Begin here. null stands for what the token may not read; missingScopes names why.',
  scopes: [],
  input: z.strictObject({}),
  async run(caller) {
    const now = caller.now();
    const [reports, servers, apps, databases, operations] = await Promise.all([
      readReports(caller, 'servers', 'apps'),
      orUndefined(caller.read('GET /api/servers')),
      orUndefined(caller.read('GET /api/apps')),
      orUndefined(caller.read('GET /api/databases')),
      orUndefined(caller.read('GET /api/operations')),
    ]);
    const ofServers = servers?.map(({ id, name, monitorId }) => ({
      ...{ id, name, state: stateOfServer(reports, monitorId, now) },
    }));
    const stateById = new Map(ofServers?.map(({ id, state }) => [id, state]));
    const ofApps = apps?.map((app) => ({
      ...{ id: app.id, name: app.name, server: app.serverName, state: stateOfApp(reports, app, now) },
    }));
    const ofDatabases = databases?.map((each) => ({
      ...{ id: each.id, name: each.name, server: each.serverName },
      state: stateOfDatabase(each, stateById.get(each.serverId) ?? null),
      backupProblem: each.backupProblem?.kind ?? null,
    }));
    const isWell = (state: string) => state === 'running' || state === 'paused' || state === 'undeployed';
    return {
      servers: summary(ofServers, ({ state }) => state === 'offline'),
      apps: summary(ofApps, ({ state }) => !isWell(state)),
      databases: summary(
        ofDatabases,
        ({ state, backupProblem }) => isDatabaseDown(state) || backupProblem !== null,
      ),
      operations: operations
        ? {
            goingOn: shortened(operations.filter(({ state }) => !overStates.includes(state))),
            failed: shortened(operations.filter(({ state }) => state === 'failed')),
          }
        : null,
      missingScopes: tokenScopes.filter((scope) => scope.endsWith(':read') && !grants(caller.scopes, scope)),
    };
  },
});

function summary<R extends { state: string | null }>(
  records: readonly R[] | undefined,
  isUnwell: (record: R) => boolean,
) {
  if (!records) return null;
  const states: Record<string, number> = {};
  for (const { state } of records) states[state ?? 'unknown'] = (states[state ?? 'unknown'] ?? 0) + 1;
  const { some, leftOut } = fitting(records.filter(isUnwell), roomOfList);
  return { count: records.length, states, notWell: some, notWellLeftOut: leftOut };
}

function shortened(operations: readonly Operation[]) {
  const { some, leftOut } = fitting(operations.map(shortOperation), roomOfList);
  return { some, leftOut };
}
