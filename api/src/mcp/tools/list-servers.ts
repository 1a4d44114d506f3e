import { urlHost } from '@homeport/contract/fields/server-address';
import { serverStatuses } from '@homeport/contract/servers/health';
import { z } from 'zod';
import { holds, pageInput, pageOf } from '../records.ts';
import { readReports, stateOfServer } from '../states.ts';
import { defineTool } from '../tool.ts';

export const listServers = defineTool({
  name: 'list_servers',
  title: 'List servers',
  description:
    'Lists the linked servers with address, state and version of Dokku. A state of null means that the token lacks stats:read.',
  scopes: ['servers:read'],
  input: z.strictObject({
    ...pageInput,
    state: z.enum(serverStatuses).optional().describe('Only servers in this state.'),
  }),
  async run(caller, { query, state, ...page }) {
    const [reports, all] = await Promise.all([
      readReports(caller, 'servers'),
      caller.read('GET /api/servers'),
    ]);
    const stateOf = (monitorId: string | null) => stateOfServer(reports, monitorId, caller.now());
    const chosen = all.filter(
      ({ name, monitorId }) => holds(name, query) && (state === undefined || stateOf(monitorId) === state),
    );
    const { items, ...rest } = pageOf(chosen, page, (server) => ({
      ...{ id: server.id, name: server.name, address: `${urlHost(server.ip)}:${server.port}` },
      ...{ state: stateOf(server.monitorId), setup: server.setup, usesDokku: !server.metal },
      dokkuVersion: server.dokkuVersion,
    }));
    return { servers: items, ...rest };
  },
});
