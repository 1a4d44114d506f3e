import type { FastifyBaseLogger } from 'fastify';
import type { Handlers } from '../http/handlers.ts';
import type { OpenStream } from '../http/open-stream.ts';
import type { Changes } from './changes.ts';
import type { LiveLimits } from './live-limits.ts';
import { createLiveSocket } from './live-socket.ts';

type Deps = { changes: Changes; openStream: OpenStream; limits: LiveLimits; log: FastifyBaseLogger };

export function liveHandlers({ changes, openStream, limits, log }: Deps) {
  return {
    'GET /api/events': ({ session, signal, lastEventId, query }) =>
      changes.follow(
        session.userId,
        { lastEventId, readMsAgo: query.readMsAgo, scopes: session.scopes },
        signal,
      ),
    'GET /api/live': createLiveSocket({ openStream, limits, log }),
  } satisfies Partial<Handlers>;
}
