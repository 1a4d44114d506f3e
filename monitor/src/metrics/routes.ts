import { ownerFromSession } from '@homeport/store';
import type { FastifyInstance } from 'fastify';
import { sendProblem } from '../problem.ts';
import type { StatsDeps } from '../stats/as-owner.ts';
import { expositionType, writeExposition } from './exposition.ts';
import { readMetrics } from './metrics.ts';
import { createRecentAnswers } from './recent-answers.ts';

type Deps = StatsDeps & { clock: () => number; enabled: boolean };

/** What the console measures, for a scraper with a token of the owner. A recent answer takes no connection of the store. */
export async function metricsRoutes(
  app: FastifyInstance,
  { store, identify, clock, enabled }: Deps,
): Promise<void> {
  const recent = createRecentAnswers(clock);
  app.get('/metrics', async (request, reply) => {
    // Without the route the console would answer with the page, which no scraper can read.
    if (!enabled)
      return sendProblem(reply, 'not_found', 'Metrics are off. HOMEPORT_METRICS=true turns them on.');
    const identity = await identify(request);
    if (!identity) return sendProblem(reply, 'not_signed_in', 'Sign in to see stats.');
    const owner = ownerFromSession(identity.userId);
    const text = await recent(owner, async () => {
      const metrics = await store.read(owner, (scope) => readMetrics(scope, clock()));
      return writeExposition(metrics);
    });
    return reply.type(expositionType).send(text);
  });
}
