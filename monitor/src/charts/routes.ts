import { type ChartMeasure, chartSpanSeconds } from '@homeport/contract/charts/facts';
import type { ChartSeries } from '@homeport/contract/charts/schema';
import { monitorRoutes } from '@homeport/contract/stats/schema';
import {
  type ChartKind,
  findAppSeries,
  findDatabaseSeries,
  findServerSeries,
  type OwnerRead,
} from '@homeport/store';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from '../problem.ts';
import { asOwner, type StatsDeps } from '../stats/as-owner.ts';
import { readRange } from './read-range.ts';

type Asked = { kind: ChartKind; series: number | null };

/** One measure over any range, of the signed-in person's own servers, apps and databases. Other people's are not found. */
export async function chartRoutes(
  app: FastifyInstance,
  { clock, ...deps }: StatsDeps & { clock: () => number },
): Promise<void> {
  app.get('/monitor/dump/:monitorId/series', (request, reply) => {
    const { params, query } = monitorRoutes['GET /monitor/dump/:monitorId/series'];
    return answer(request, reply, params.safeParse(request.params), query.safeParse(request.query), {
      find: async (scope, { monitorId }) => {
        const found = await findServerSeries(scope, monitorId);
        return found && { kind: 'server', ...found };
      },
    });
  });

  app.get('/monitor/apps/:monitorId/series', (request, reply) => {
    const { params, query } = monitorRoutes['GET /monitor/apps/:monitorId/series'];
    return answer(request, reply, params.safeParse(request.params), query.safeParse(request.query), {
      find: async (scope, { monitorId }, measure) => {
        const found = await findAppSeries(scope, monitorId);
        if (!found) return undefined;
        return measure === 'answer-time'
          ? { kind: 'check', series: found.checks }
          : { kind: 'app', series: found.series };
      },
    });
  });

  app.get('/monitor/databases/:id/series', (request, reply) => {
    const { params, query } = monitorRoutes['GET /monitor/databases/:id/series'];
    return answer(request, reply, params.safeParse(request.params), query.safeParse(request.query), {
      find: async (scope, { id }) => {
        const found = await findDatabaseSeries(scope, id);
        return found && { kind: 'app', ...found };
      },
    });
  });

  type Parsed<T> = { success: true; data: T } | { success: false };
  type Range = { measure: ChartMeasure; spanSeconds: number; to?: number | undefined };

  function answer<Params>(
    request: FastifyRequest,
    reply: FastifyReply,
    params: Parsed<Params>,
    query: Parsed<Range>,
    {
      find,
    }: { find: (scope: OwnerRead, params: Params, measure: ChartMeasure) => Promise<Asked | undefined> },
  ) {
    return asOwner(deps, request, reply, async (scope): Promise<ChartSeries | FastifyReply> => {
      if (!query.success) return sendProblem(reply, 'invalid_input', wrongQuery);
      const { measure, spanSeconds, to } = query.data;
      const asked = params.success ? await find(scope, params.data, measure) : undefined;
      if (!asked) return sendProblem(reply, 'not_found', 'There are no stats under this id.');
      return readRange(scope, { ...asked, measure, spanMs: spanSeconds * 1000, to, now: clock() });
    });
  }
}

const wrongQuery = `measure: a measure of this kind of record; spanSeconds: ${chartSpanSeconds.least} to ${chartSpanSeconds.most}; to: the end in milliseconds since 1970`;
