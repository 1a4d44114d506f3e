import { horizons } from '@homeport/contract/horizons';
import { z } from 'zod';
import type { Caller } from '../caller.ts';
import { appOf, databaseOf, serverOf } from '../named-records.ts';
import { moment, recordName } from '../records.ts';
import { defineTool } from '../tool.ts';

export const getStats = defineTool({
  name: 'get_stats',
  title: 'Measured use over time',
  description:
    'Shows what the agent measured of a server, an app or a database: at most 20 points, oldest first. `horizon` all: single reports, three minutes apart; hourly, daily, monthly: averages. Sizes are bytes, times UTC. Needs also the scope to read the record. points is empty where nothing was measured.',
  scopes: ['stats:read'],
  input: z.strictObject({
    subject: z.enum(['server', 'app', 'database']),
    name: recordName,
    horizon: z.enum(horizons).default('hourly'),
  }),
  async run(caller, { subject, name, horizon }) {
    const points = (await seriesOf[subject](caller, name))?.[horizon] ?? [];
    return {
      ...{ subject, name, horizon },
      points: points.map(({ ts, min: _min, max: _max, ...point }) => ({ at: moment(ts), ...point })),
    };
  },
});

const seriesOf = {
  async server(caller: Caller, name: string) {
    const { monitorId } = serverOf(caller, await caller.read('GET /api/servers'), name);
    if (monitorId === null) return null;
    return (await caller.read('GET /monitor/dump/:monitorId', { path: { monitorId } })).timeseries;
  },
  async app(caller: Caller, name: string) {
    const { monitorId } = appOf(caller, await caller.read('GET /api/apps'), name);
    const { stats } = await caller.read('GET /monitor/apps/:monitorId', { path: { monitorId } });
    return stats?.timeseries;
  },
  async database(caller: Caller, name: string) {
    const { id } = databaseOf(caller, await caller.read('GET /api/databases'), name);
    const { stats } = await caller.read('GET /monitor/databases/:id', { path: { id } });
    return stats?.timeseries;
  },
};
