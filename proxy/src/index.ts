import Fastify from 'fastify';

export type ProxyDeps = {
  host: string;
  port: number;
};

export type ProxyService = {
  close(): Promise<void>;
};

/** Starts the proxy service on a port of its own. It answers its health check, and 421 for every domain, because it serves none yet. */
export async function startProxy({ host, port }: ProxyDeps): Promise<ProxyService> {
  const fastify = Fastify({ forceCloseConnections: true });
  fastify.get('/healthz', async () => ({ product: 'homeport proxy', status: 'ok' }));
  fastify.setNotFoundHandler(async (_request, reply) =>
    reply.code(421).type('text/plain').send('This domain is not served here.\n'),
  );
  await fastify.listen({ host, port });
  return {
    close: () => fastify.close(),
  };
}
