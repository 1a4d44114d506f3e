import type { Configuration } from '@homeport/contract/identity/schema';
import type { Ceilings } from '@homeport/contract/limits';
import { confirmRestoration, type Store } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import type { Mailer } from '../mail/mailer.ts';
import { listOutbox } from '../mail/outbox.ts';
import { describeSession } from './describe-session.ts';
import { beginEmailChange, cancelEmailChange } from './email-change/email-change.ts';
import type { Identity } from './identity.ts';
import { invite, listInvitations, withdrawInvitation } from './invitations.ts';
import { changeName, readProfile } from './profile.ts';
import { findOwnerId, type SignUpPolicy } from './sign-up-policy.ts';

type Options = {
  store: Store;
  clock: () => number;
  signUps: SignUpPolicy;
  mailer: Mailer;
  passwords: Identity['passwords'];
  limits: Identity['limits'];
  ceilings: Ceilings;
  /** The settings that stay the same while the console runs. */
  configuration: Omit<Configuration, 'signUps' | 'hasOwner' | 'githubSignIn'>;
  /** The console's OAuth app at GitHub; null: none is set up. */
  readApp(): Promise<object | null>;
};

export function identityHandlers(options: Options) {
  const { store, clock, signUps, mailer, passwords, limits, ceilings, configuration, readApp } = options;
  const { mailConfigured, publicUrl } = configuration;
  const inviting = { store, clock, signUps, mailer, mailConfigured, publicUrl, most: ceilings.invitations };
  const changing = { store, clock, mailer, passwords, limits, publicUrl };
  return {
    'GET /api/configuration': async () => ({
      ...configuration,
      signUps: await signUps.current(),
      hasOwner: (await findOwnerId(store)) !== null,
      githubSignIn: (await readApp()) !== null,
    }),
    'GET /api/session': ({ session }) => describeSession({ store, mailConfigured }, session),
    'GET /api/profile': ({ session }) => readProfile(store, session, clock()),
    'PATCH /api/profile': ({ session, body }) => changeName(store, session, body.name, clock()),
    'PUT /api/profile/email-change': ({ session, body }) => beginEmailChange(changing, session, body),
    'DELETE /api/profile/email-change': async ({ session }) => {
      await cancelEmailChange(changing, session);
      return { cancelled: true };
    },
    'GET /api/outbox': () => listOutbox(store),
    'POST /api/console/confirm': async () => {
      await confirmRestoration(store.pool, clock());
      return { confirmed: true as const };
    },
    'GET /api/invitations': ({ session }) => listInvitations(inviting, session),
    'POST /api/invitations': ({ session, body }) => invite(inviting, session, body.email),
    'POST /api/invitations/:id/withdraw': ({ session, params }) =>
      withdrawInvitation(inviting, session, params.id),
  } satisfies Partial<Handlers>;
}
