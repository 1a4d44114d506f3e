import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageDocuments } from './page-document.ts';
import { StartError } from './start-error.ts';

/** The built page. `scripts/build.mjs` writes it, with a compressed copy beside each file. */
export const builtPage = fileURLToPath(new URL('../../web/dist/', import.meta.url));

/** Paths that are never a page. An unknown path among them answers 404 and not the page. */
const notPages = /^\/(api|mcp|monitor|status|assets|healthz|readyz)(\/|\?|$)/;

/** Serves the page's files. Any other address gets one of the page's documents, whose program decides what to show. */
export async function serveWebPage(
  fastify: FastifyInstance,
  { folder = builtPage, github }: { folder?: string; github: boolean },
): Promise<void> {
  if (!existsSync(join(folder, 'index.html'))) {
    throw new StartError(
      'The web page is not built.',
      'Run `npm run build`, or start without it: --only api,monitor,proxy.',
    );
  }
  const documentFor = pageDocuments(folder, { github });
  await fastify.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    index: false,
    wildcard: true,
    decorateReply: true,
    cacheControl: false,
    setHeaders(reply, path) {
      // Files below assets/ have a hash of their content in their name. The others change under the same name.
      const hashed = path.startsWith(join(folder, 'assets'));
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    const answer = documentFor(request.url, request.headers.cookie);
    reply.header('vary', 'cookie');
    if ('file' in answer) return reply.sendFile(answer.file);
    return reply.header('cache-control', 'no-cache').redirect(answer.redirect, 302);
  };
  fastify.get('/', sendPage);
  fastify.setNotFoundHandler(async (request, reply) => {
    if (isPage(request)) return sendPage(request, reply);
    return reply.code(404).send({
      code: 'not_found',
      message: 'There is nothing at this address.',
      recovery: 'Check the address.',
    });
  });
}

function isPage(request: FastifyRequest): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && !notPages.test(request.url);
}
