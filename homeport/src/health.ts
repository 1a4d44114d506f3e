import type { Store } from '@homeport/store';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { LoopDelay, LoopWatch } from './loop-watch.ts';

export type Health = {
  product: 'homeport';
  status: 'ok' | 'store_unavailable';
  version: string;
  services: string[];
  /** Only for `/readyz`: how late the event loop was in the last minute or two. */
  loop?: LoopDelay;
};

const answerWithinMs = 2_000;

/**
 * `/healthz`: the process answers, and its `status` says whether the store does. `/readyz`: the process can also serve, because the
 * store answers (else 503). Both need no sign-in and show nobody's data.
 */
export function addHealth(
  fastify: FastifyInstance,
  store: Store,
  about: { version: string; services: string[] },
  loop: Pick<LoopWatch, 'delay'>,
): void {
  const health = (status: Health['status']): Health => ({ product: 'homeport', status, ...about });
  const look = async () => health((await storeAnswers(store)) ? 'ok' : 'store_unavailable');
  // Whoever restarts a process that is not healthy must not restart this one: it recovers by itself.
  fastify.get('/healthz', look);
  fastify.get('/readyz', async (_request, reply) => {
    const found = await look();
    return reply.code(found.status === 'ok' ? 200 : 503).send({ ...found, loop: loop.delay() });
  });
}

async function storeAnswers(store: Store): Promise<boolean> {
  let late: NodeJS.Timeout | undefined;
  const answer = sql`select 1`.execute(store.db).then(
    () => true,
    () => false,
  );
  const timeout = new Promise<boolean>((resolve) => {
    late = setTimeout(() => resolve(false), answerWithinMs);
  });
  const answers = await Promise.race([answer, timeout]);
  clearTimeout(late);
  return answers;
}
