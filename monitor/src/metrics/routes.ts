import type { FastifyInstance } from 'fastify';
import { sendProblem } from '../problem.ts';
import { asOwner, type StatsDeps } from '../stats/as-owner.ts';
import { expositionType, writeExposition } from './exposition.ts';
import { readMetrics } from './metrics.ts';
import { createRecentAnswers } from './recent-answers.ts';

type Deps = StatsDeps & { clock: () => number; enabled: boolean };

/** What the console measures, for a scraper with a token of the owner. */
export async function metricsRoutes(app: FastifyInstance, { clock, enabled, ...deps }: Deps): Promise<void> {
  const recent = createRecentAnswers(clock);
  app.get('/metrics', (request, reply) => {
    // Without the route the console would answer with the page, which no scraper can read.
    if (!enabled)
      return sendProblem(reply, 'not_found', 'Metrics are off. HOMEPORT_METRICS=true turns them on.');
    return asOwner(deps, request, reply, async (scope) => {
      const text = await recent(scope.owner, async () => writeExposition(await readMetrics(scope, clock())));
      return reply.type(expositionType).send(text);
    });
  });
}
