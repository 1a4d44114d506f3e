import { ownerFromSession, type Store } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { createLocations } from '../location/locations.ts';
import { listCalls } from './list-calls.ts';
import { listFormerPrograms } from './list-former-programs.ts';

export function programCallHandlers({ store, clock }: { store: Store; clock: () => number }) {
  const locations = createLocations();
  return {
    'GET /api/tokens/former': ({ session }) =>
      listFormerPrograms(store, ownerFromSession(session.userId), clock()),
    'GET /api/tokens/:id/calls': ({ session, params }) =>
      listCalls(store, locations, ownerFromSession(session.userId), { id: params.id, now: clock() }),
  } satisfies Partial<Handlers>;
}
