import type { FastifyInstance, FastifyReply } from 'fastify';

/** Requests under way get this long when the console ends. */
const answeredWithinMs = 5_000;

/**
 * Lets the requests that are under way end before the web server closes. From the moment of `fastify.close()` on, nobody new can
 * connect, and a request over an open connection is answered 503 at once, `/readyz` too. Event streams have no end of their own,
 * so nothing waits for them. Requests that take longer than `withinMs` are cut.
 */
export function drainBeforeClose(fastify: FastifyInstance, withinMs = answeredWithinMs): void {
  const open = new Set<FastifyReply>();
  let answered = () => {};
  fastify.addHook('onRequest', async (_request, reply) => {
    open.add(reply);
    reply.raw.once('close', () => {
      open.delete(reply);
      answered();
    });
  });
  fastify.addHook('preClose', async () => {
    fastify.server.close();
    fastify.server.closeIdleConnections();
    const late = AbortSignal.timeout(withinMs);
    while ([...open].some(hasAnEnd) && !late.aborted) {
      await new Promise<void>((resolve) => {
        answered = resolve;
        late.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  });
}

const hasAnEnd = (reply: FastifyReply): boolean =>
  !String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream');
