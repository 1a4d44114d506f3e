import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Ingest } from './ingest.ts';
import type { TakePost } from './take-post.ts';
import { tokenHashOf } from './token.ts';

/**
 * Takes the posts of servers that are in memory before the framework sees them. All other posts and requests go to the
 * framework. Both ways store and answer the same; this lane only saves a third of the time.
 */
export function addFastLane(server: Server, path: string, ingest: Pick<Ingest, 'isCached'>, take: TakePost) {
  const hashOf = rememberedHashes(ingest);
  const listeners = server.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === path && request.method === 'POST') {
      const tokenHash = hashOf(request.headers.authorization);
      if (tokenHash !== null) return take(request, response, tokenHash);
    }
    for (const listener of listeners) listener.call(server, request, response);
  });
}

const hashesInMemory = 20_000;

/** Remembers the token hash for each header of a server in memory. A hash costs 10 µs and is the same for all reports of a server. */
function rememberedHashes(ingest: Pick<Ingest, 'isCached'>) {
  const hashes = new Map<string, string>();
  return (authorization: string | undefined): string | null => {
    if (authorization === undefined) return null;
    const remembered = hashes.get(authorization);
    const hash = remembered ?? tokenHashOf(authorization);
    if (hash === null || !ingest.isCached(hash)) {
      hashes.delete(authorization);
      return null;
    }
    if (remembered === undefined) {
      if (hashes.size >= hashesInMemory) hashes.clear();
      hashes.set(authorization, hash);
    }
    return hash;
  };
}
