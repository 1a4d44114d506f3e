import type { Ceilings } from '@homeport/contract/limits';
import { ownerFromSession, type Store } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { addKey } from './add-key.ts';
import { listKeys } from './list-keys.ts';
import { removeKey } from './remove-key.ts';
import { renameKey } from './rename-key.ts';

type Deps = { store: Store; clock: () => number; ceilings: Ceilings };

export function credentialHandlers({ store, clock, ceilings }: Deps) {
  return {
    'GET /api/keys': ({ session }) => listKeys(store, ownerFromSession(session.userId)),
    'POST /api/keys': ({ session, body }) => addKey({ store, clock, most: ceilings.keys }, session, body),
    'PATCH /api/keys/:id': ({ session, params, body }) =>
      renameKey(store, ownerFromSession(session.userId), params.id, body.name),
    'DELETE /api/keys/:id': async ({ session, params }) => {
      await removeKey({ store, clock }, session, params.id);
      return { removed: true };
    },
  } satisfies Partial<Handlers>;
}
