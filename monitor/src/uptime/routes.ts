import { chartPoints } from '@homeport/contract/limits';
import { monitorRoutes } from '@homeport/contract/stats/schema';
import { listUptime, readUptimeBars, readUptimeSeries } from '@homeport/store';
import type { FastifyInstance } from 'fastify';
import { sendProblem } from '../problem.ts';
import { asOwner, ownsApp, type StatsDeps } from '../stats/as-owner.ts';

/** The results of checks of the signed-in person's own apps. Other people's apps are not found. */
export async function uptimeRoutes(
  app: FastifyInstance,
  { clock, ...deps }: StatsDeps & { clock: () => number },
): Promise<void> {
  app.get('/monitor/uptime', (request, reply) => asOwner(deps, request, reply, listUptime));

  app.get('/monitor/uptime/:monitorId', (request, reply) => {
    const params = monitorRoutes['GET /monitor/uptime/:monitorId'].params.safeParse(request.params);
    return asOwner(deps, request, reply, async (scope) => {
      const id = params.success ? params.data.monitorId : null;
      if (id === null || !(await ownsApp(scope, id)))
        return sendProblem(reply, 'not_found', 'There is no app under this id.');
      return { uptime: (await readUptimeSeries(scope, id, { now: clock(), points: chartPoints })) ?? null };
    });
  });

  app.get('/monitor/uptime/:monitorId/bars', (request, reply) => {
    const { params, query } = monitorRoutes['GET /monitor/uptime/:monitorId/bars'];
    const [named, asked] = [params.safeParse(request.params), query.safeParse(request.query)];
    return asOwner(deps, request, reply, async (scope) => {
      if (!asked.success) return sendProblem(reply, 'invalid_input', 'period: 24h, 7d, 30d or 90d');
      const { period } = asked.data;
      const bars = named.success
        ? await readUptimeBars(scope, named.data.monitorId, { period, now: clock() })
        : undefined;
      return bars ?? sendProblem(reply, 'not_found', 'There is no app under this id.');
    });
  });
}
