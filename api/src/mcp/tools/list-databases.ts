import { databaseStatuses } from '@homeport/contract/databases/health';
import type { Database } from '@homeport/contract/databases/schema';
import { databaseTypeNames } from '@homeport/contract/databases/types/database-types';
import { z } from 'zod';
import type { Caller } from '../caller.ts';
import { holds, pageInput, pageOf, recordName } from '../records.ts';
import { orUndefined, readReports, stateOfDatabase, stateOfServer } from '../states.ts';
import { defineTool } from '../tool.ts';

export const listDatabases = defineTool({
  name: 'list_databases',
  title: 'List databases',
  description:
    'Lists databases with server, type, version, state, and whether their last backup is missing or failed.',
  scopes: ['databases:read'],
  input: z.strictObject({
    ...pageInput,
    server: recordName.optional().describe('Only databases of the server with this name.'),
    type: z.enum(databaseTypeNames).optional(),
    state: z.enum(databaseStatuses).optional().describe('Only databases in this state.'),
  }),
  async run(caller, { query, server, type, state, ...page }) {
    const [stateOf, all] = await Promise.all([databaseStates(caller), caller.read('GET /api/databases')]);
    const chosen = all.filter(
      (each) =>
        (holds(each.name, query) || holds(each.longname, query)) &&
        (server === undefined || each.serverName === server || each.serverKey === server) &&
        (type === undefined || each.type === type) &&
        (state === undefined || stateOf(each) === state),
    );
    const { items, ...rest } = pageOf(chosen, page, (each) => ({
      ...{ id: each.id, name: each.name, dokkuName: each.longname, server: each.serverName, type: each.type },
      ...{
        version: each.imageVersion,
        state: stateOf(each),
        backupProblem: each.backupProblem?.kind ?? null,
      },
    }));
    return { databases: items, ...rest };
  },
});

/** The state of each database, which its server's reports decide, too. */
export async function databaseStates(caller: Caller) {
  const [reports, servers] = await Promise.all([
    readReports(caller, 'servers'),
    orUndefined(caller.read('GET /api/servers')),
  ]);
  const ofServer = new Map(
    servers?.map(({ id, monitorId }) => [id, stateOfServer(reports, monitorId, caller.now())]),
  );
  return (database: Database) => stateOfDatabase(database, ofServer.get(database.serverId) ?? null);
}
