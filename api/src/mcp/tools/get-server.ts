import { urlHost } from '@homeport/contract/fields/server-address';
import type { LatestStats } from '@homeport/contract/stats/schema';
import { z } from 'zod';
import { serverOf } from '../named-records.ts';
import { moment, recordName } from '../records.ts';
import { orUndefined, readReports, stateOfServer } from '../states.ts';
import { defineTool } from '../tool.ts';

export const getServer = defineTool({
  name: 'get_server',
  title: 'One server',
  description:
    'Shows one server with its last report: load, memory and disk in bytes and percent. `server` is its name or id. latestReport is null where nothing was reported or the token lacks stats:read.',
  scopes: ['servers:read'],
  input: z.strictObject({ server: recordName }),
  async run(caller, { server: name }) {
    const server = serverOf(caller, await caller.read('GET /api/servers'), name);
    const { id, key, ip, port, username, description, location, country, setup, metal } = server;
    const [reports, latest] = await Promise.all([
      readReports(caller, 'servers'),
      server.monitorId === null
        ? undefined
        : orUndefined(
            caller.read('GET /monitor/dump/:monitorId', {
              path: { monitorId: server.monitorId },
            }),
          ),
    ]);
    return {
      ...{
        id,
        key,
        name: server.name,
        address: `${urlHost(ip)}:${port}`,
        username,
        description,
        location,
        country,
      },
      ...{ state: stateOfServer(reports, server.monitorId, caller.now()), setup, usesDokku: !metal },
      ...{ dokkuVersion: server.dokkuVersion, agentInstalled: server.agentInstalled },
      latestReport: latest ? figuresOf(latest) : null,
    };
  },
});

/** The figures of a report. Its texts, such as the names of processes, are whatever runs on the server. */
function figuresOf(report: LatestStats) {
  const { update_time, uptime, load, load_percent, cpu_cores } = report;
  const { ram_usage, ram_total, ram_percent, swap_usage, swap_total } = report;
  const { disk_usage, disk_total, disk_percent } = report;
  return {
    ...{ measuredAt: moment(update_time), uptime, load, load_percent, cpu_cores },
    ...{ ram_usage, ram_total, ram_percent, swap_usage, swap_total, disk_usage, disk_total, disk_percent },
  };
}
