import type { FastifyInstance, FastifyRequest } from 'fastify';

/**
 * Redirects page visits under any other name to the console's one origin. A browser keeps the keys of 127.0.0.1, localhost and
 * the public name apart, so a key that was added under one name would be missing under another.
 */
export function leadToOrigin(fastify: FastifyInstance, publicUrl: string): void {
  const { host } = new URL(publicUrl);
  fastify.addHook('onRequest', async (request, reply) => {
    if (!isPageVisit(request) || request.headers.host === host) return;
    return reply.redirect(publicUrl + pathOf(request.url), 307);
  });
}

/** Whether a browser opens a page, as opposed to a script, an agent or a health check. */
function isPageVisit(request: FastifyRequest): boolean {
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    (request.headers.accept ?? '').includes('text/html') &&
    request.headers.upgrade === undefined
  );
}

/** The request line may hold a whole URL (RFC 9112, 3.2.2). Only the part after its authority is used. */
function pathOf(url: string): string {
  return url.startsWith('/') ? url : '/';
}
