import type { Handlers } from '../http/handlers.ts';
import { addPasskey, beginPasskey, type PasskeyDeps } from './add-passkey.ts';
import { listPasskeys, removePasskey, renamePasskey } from './passkey-record.ts';

export function passkeyHandlers(deps: PasskeyDeps) {
  return {
    'GET /api/passkeys': ({ session }) => listPasskeys(deps, session),
    'POST /api/passkeys/begin': ({ session }) => beginPasskey(deps, session),
    'POST /api/passkeys': ({ session, body }) => addPasskey(deps, session, body),
    'PATCH /api/passkeys/:id': ({ session, params, body }) =>
      renamePasskey(deps, session, params.id, body.name),
    'DELETE /api/passkeys/:id': async ({ session, params }) => {
      await removePasskey(deps, session, params.id);
      return { removed: true };
    },
  } satisfies Partial<Handlers>;
}
