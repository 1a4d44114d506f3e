import { ownerFromSession, type Store } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import type { Identity } from '../identity/identity.ts';
import { createLocations } from '../location/locations.ts';
import { listSecurityEvents } from '../security-events/list-events.ts';
import { changePassword } from './change-password.ts';
import { beginConfirmation, confirm } from './confirm.ts';
import { deleteAccount, type LeavingDeps } from './delete-account.ts';
import { endOtherSessions, endSession } from './end-sessions.ts';
import { exportData } from './export/export-data.ts';
import { listSessions } from './list-sessions.ts';

type Deps = LeavingDeps & {
  store: Store;
  identity: Pick<Identity, 'passwords' | 'isOwner' | 'disconnectGithub'>;
  publicUrl: string;
  clock: () => number;
};

export function accountHandlers({ store, identity, publicUrl, clock, ...leaving }: Deps) {
  const locations = createLocations();
  const { passwords, isOwner, disconnectGithub } = identity;
  const deps = { store, locations, passwords, isOwner, disconnectGithub, publicUrl, clock, ...leaving };
  return {
    'POST /api/session/confirm/begin': ({ session }) => beginConfirmation(deps, session),
    'POST /api/session/confirm': ({ session, body }) => confirm(deps, session, body),
    'PUT /api/profile/password': async ({ session, body }) => ({
      endedSessions: await changePassword(deps, session, body),
    }),
    'GET /api/profile/export': async ({ session, signal }) => exportData(deps, session, signal),
    'POST /api/profile/delete': async ({ session, body }) => {
      await deleteAccount(deps, session, body.password);
      return { deleted: true };
    },
    'GET /api/sessions': ({ session }) => listSessions(deps, session),
    'POST /api/sessions/:id/end': async ({ session, params }) => {
      await endSession(deps, session, params.id);
      return { ended: true };
    },
    'POST /api/sessions/end-others': async ({ session }) => ({
      ended: await endOtherSessions(deps, session),
    }),
    'GET /api/security-events': ({ session }) =>
      listSecurityEvents(store, locations, ownerFromSession(session.userId)),
  } satisfies Partial<Handlers>;
}
