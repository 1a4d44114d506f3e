import { type Store, tendPartitions } from '@homeport/store';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { chartRoutes } from './charts/routes.ts';
import { metricsRoutes } from './metrics/routes.ts';
import { startWatch } from './notices/start-watch.ts';
import { sendProblem } from './problem.ts';
import { createIngest, type Ingest } from './reports/ingest.ts';
import { reportRoutes } from './reports/routes.ts';
import { createUnknownTokens } from './reports/unknown-tokens.ts';
import type { Identify } from './stats/as-owner.ts';
import { createRequestLimit } from './stats/request-limit.ts';
import { statsRoutes } from './stats/routes.ts';
import { openPageMemory } from './status-pages/page-memory.ts';
import { statusPageRoutes } from './status-pages/routes.ts';
import { startRenderer } from './status-pages/start-renderer.ts';
import { uptimeRoutes } from './uptime/routes.ts';
import { type CheckSettings, openNetwork, startChecks } from './uptime/start-checks.ts';

export type MonitorDeps = {
  store: Pick<Store, 'pool' | 'read'>;
  /** Names the person of a request's session. Null without a session. */
  identify: Identify;
  log: Pick<FastifyBaseLogger, 'error'>;
  /** How to check apps from outside. Without it this monitor makes no checks and raises no news. */
  checks?: CheckSettings;
  /** Whether `GET /metrics` answers. */
  metrics?: boolean;
  /** How to make and serve public status pages. Without it this monitor does neither. */
  statusPages?: { publicUrl: string; listener: Store['listener'] } | undefined;
  /** Epoch milliseconds. */
  clock?: () => number;
};

export type Monitor = {
  /** Adds `POST /api/v2/report`, `POST /api/agent.json`, `GET /metrics` and `GET /monitor/…`, with body parsing of their own. */
  register(fastify: FastifyInstance): Promise<void>;
  /** For reports from inside this process, as the simulated fleet makes them. */
  ingest: Ingest;
  /** Waits until pending reports are stored, and gives running checks back. */
  close(): Promise<void>;
};

const tendEveryMs = 3_600_000;

/** Starts the monitor on a store whose schema is up to date. */
export async function createMonitor({
  store,
  identify,
  log,
  checks,
  metrics = false,
  statusPages,
  clock = Date.now,
}: MonitorDeps): Promise<Monitor> {
  await tendPartitions(store.pool, clock());
  const tending = setInterval(() => {
    tendPartitions(store.pool, clock()).catch((error: unknown) =>
      log.error({ err: error }, 'the partitions of the series could not be made or dropped'),
    );
  }, tendEveryMs);
  tending.unref();
  const ingest = createIngest(store.pool, log);
  const unknownTokens = createUnknownTokens(clock);
  const limit = createRequestLimit(clock);
  const background = checks ? startBackground(checks, { pool: store.pool, log, clock }) : [];
  const memory = statusPages && (await openPageMemory({ ...statusPages, pool: store.pool, log, clock }));
  const renderer = statusPages && (await startRenderer({ ...statusPages, pool: store.pool, log, clock }));
  return {
    ingest,
    async register(fastify) {
      await fastify.register((app) => reportRoutes(app, { ingest, unknownTokens, clock, log }));
      if (memory) await fastify.register((app) => statusPageRoutes(app, memory));
      await fastify.register(async (app) => {
        app.addHook('onRequest', async (request, reply) => {
          reply.header('cache-control', 'no-store');
          // The limit comes before the session, because reading the session costs a query to the store.
          const wait = limit.waitSeconds(request.ip);
          if (wait > 0)
            return sendProblem(
              reply,
              'too_many',
              'Too many requests arrived at once. This request was refused, and nothing was changed.',
              { retryAfterSeconds: wait },
            );
        });
        await statsRoutes(app, { store, identify });
        await uptimeRoutes(app, { store, identify, clock });
        await chartRoutes(app, { store, identify, clock });
        await metricsRoutes(app, { store, identify, clock, enabled: metrics });
      });
    },
    async close() {
      clearInterval(tending);
      await renderer?.close();
      await memory?.close();
      for (const work of background) await work.close();
      await ingest.close();
    },
  };
}

function startBackground(
  checks: CheckSettings,
  deps: { pool: Store['pool']; log: MonitorDeps['log']; clock: () => number },
): { close(): Promise<void> }[] {
  const network = openNetwork(checks, deps.clock);
  return [startChecks(checks, { ...deps, network }), startWatch({ ...deps, network })];
}
