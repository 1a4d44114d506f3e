import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Leads page visits under any other name to the console's one origin. 127.0.0.1, localhost and the public name have
 * separate key stores in the browser: a key added under one would be missing under the other.
 */
export function leadToOrigin(fastify: FastifyInstance, publicUrl: string): void {
  const { host } = new URL(publicUrl);
  fastify.addHook('onRequest', async (request, reply) => {
    if (!isPageVisit(request) || request.headers.host === host) return;
    return reply.redirect(publicUrl + pathOf(request.url), 307);
  });
}

/** A browser that opens a page, as opposed to a script, an agent or a health check. */
function isPageVisit(request: FastifyRequest): boolean {
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    (request.headers.accept ?? '').includes('text/html') &&
    request.headers.upgrade === undefined
  );
}

/** The request line may hold a whole URL (RFC 9112, 3.2.2); only what follows its authority is kept. */
function pathOf(url: string): string {
  return url.startsWith('/') ? url : '/';
}
