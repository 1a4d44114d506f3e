import type { Handlers } from '../http/handlers.ts';
import type { Changes } from './changes.ts';

export function liveHandlers({ changes }: { changes: Changes }) {
  return {
    'GET /api/events': ({ session, signal, lastEventId }) =>
      changes.follow(session.userId, lastEventId, signal),
  } satisfies Partial<Handlers>;
}
