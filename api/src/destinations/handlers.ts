import { ownerFromSession } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { readPushKeys } from '../notifications/web-push/push-keys.ts';
import { addDestination } from './add-destination.ts';
import { sendAgain, testDestination } from './by-hand.ts';
import { changeDestination, removeDestination, replaceSecret } from './change-destination.ts';
import type { DestinationDeps } from './deps.ts';
import { listDestinations, readDestination } from './destination-record.ts';
import { findChat, makeChatLink } from './link-chat.ts';
import { readDeliveries } from './read-deliveries.ts';
import { setEscalation } from './set-escalation.ts';
import { setHourlyLimit } from './set-hourly-limit.ts';
import { setQuietHours } from './set-quiet-hours.ts';

export function destinationHandlers(deps: DestinationDeps) {
  const { store, mailConfigured } = deps;
  return {
    'GET /api/destinations': ({ session }) =>
      store.read(ownerFromSession(session.userId), (scope) => listDestinations(scope, mailConfigured)),
    'GET /api/destinations/push-key': async () => ({ key: (await readPushKeys(deps))?.publicKey ?? null }),
    'POST /api/destinations': ({ session, body }) => addDestination(deps, session, body),
    'PATCH /api/destinations/:id': ({ session, params, body }) =>
      changeDestination(deps, session, params.id, body),
    'DELETE /api/destinations/:id': async ({ session, params }) => {
      await removeDestination(deps, ownerFromSession(session.userId), params.id);
      return { removed: true };
    },
    'PUT /api/destinations/:id/quiet-hours': ({ session, params, body }) =>
      setQuietHours(deps, session, params.id, body.quietHours),
    'PUT /api/destinations/:id/hourly-limit': ({ session, params, body }) =>
      setHourlyLimit(deps, session, params.id, body.perHour),
    'PUT /api/destinations/:id/escalation': ({ session, params, body }) =>
      setEscalation(deps, session, params.id, body),
    'POST /api/destinations/:id/secret': ({ session, params }) => replaceSecret(deps, session, params.id),
    'POST /api/destinations/:id/chat-link': ({ session, params }) => makeChatLink(deps, session, params.id),
    'POST /api/destinations/:id/chat': ({ session, params }) => findChat(deps, session, params.id),
    'POST /api/destinations/:id/test': ({ session, params }) =>
      testDestination(deps, ownerFromSession(session.userId), params.id),
    'GET /api/destinations/:id/deliveries': ({ session, params }) =>
      store.read(ownerFromSession(session.userId), async (scope) => {
        await readDestination(scope, params.id, mailConfigured);
        return readDeliveries(scope, params.id);
      }),
    'POST /api/destinations/:id/send-again': ({ session, params, body }) =>
      sendAgain(deps, ownerFromSession(session.userId), params.id, body.deliveryId),
  } satisfies Partial<Handlers>;
}
