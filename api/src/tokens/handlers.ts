import type { Ceilings } from '@homeport/contract/limits';
import { ownerFromSession, type Store } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { listTokens } from './list-tokens.ts';
import { makeToken } from './make-token.ts';
import { revokeToken } from './revoke-token.ts';

type Deps = { store: Store; clock: () => number; ceilings: Ceilings };

export function tokenHandlers({ store, clock, ceilings }: Deps) {
  return {
    'GET /api/tokens': ({ session }) => listTokens(store, ownerFromSession(session.userId)),
    'POST /api/tokens': ({ session, body }) =>
      makeToken({ store, clock, most: ceilings.tokens }, session, body),
    'DELETE /api/tokens/:id': async ({ session, params }) => {
      await revokeToken({ store, clock }, session, params.id);
      return { revoked: true };
    },
  } satisfies Partial<Handlers>;
}
