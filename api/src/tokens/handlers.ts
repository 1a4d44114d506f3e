import type { Ceilings } from '@homeport/contract/limits';
import { ownerFromSession, type Store } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { createLocations } from '../location/locations.ts';
import { listTokens } from './list-tokens.ts';
import { makeToken } from './make-token.ts';
import { revokeAllTokens } from './revoke-all-tokens.ts';
import { revokeToken } from './revoke-token.ts';

type Deps = { store: Store; clock: () => number; ceilings: Ceilings };

export function tokenHandlers({ store, clock, ceilings }: Deps) {
  const locations = createLocations();
  return {
    'GET /api/tokens': ({ session }) => listTokens(store, locations, ownerFromSession(session.userId)),
    'POST /api/tokens': ({ session, body }) =>
      makeToken({ store, clock, locations, most: ceilings.tokens }, session, body),
    'POST /api/tokens/revoke-all': async ({ session }) => ({
      revoked: await revokeAllTokens({ store, clock }, session),
    }),
    'DELETE /api/tokens/:id': async ({ session, params }) => {
      await revokeToken({ store, clock }, session, params.id);
      return { revoked: true };
    },
  } satisfies Partial<Handlers>;
}
