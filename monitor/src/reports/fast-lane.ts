import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Ingest } from './ingest.ts';
import type { TakePost } from './take-post.ts';
import { tokenHashOf } from './token.ts';

/**
 * Takes the posts of servers that are in memory before the framework sees them; all others, and all other requests, go
 * to it as ever. The same is kept and answered either way: this lane only saves a third of the time.
 */
export function addFastLane(server: Server, path: string, ingest: Pick<Ingest, 'isCached'>, take: TakePost) {
  const listeners = server.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === path && request.method === 'POST') {
      const tokenHash = tokenHashOf(request.headers.authorization);
      if (tokenHash !== null && ingest.isCached(tokenHash)) return take(request, response, tokenHash);
    }
    for (const listener of listeners) listener.call(server, request, response);
  });
}
