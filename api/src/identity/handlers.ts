import type { Configuration } from '@homeport/contract/identity/schema';
import type { Ceilings } from '@homeport/contract/limits';
import type { Store } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import type { Mailer } from '../mail/mailer.ts';
import { listOutbox } from '../mail/outbox.ts';
import { describeSession } from './describe-session.ts';
import { invite, listInvitations, withdrawInvitation } from './invitations.ts';
import { changeName, readProfile } from './profile.ts';
import type { SignUpPolicy } from './sign-up-policy.ts';

type Options = {
  store: Store;
  clock: () => number;
  signUps: SignUpPolicy;
  mailer: Mailer;
  ceilings: Ceilings;
  /** The settings that stay the same while the console runs. */
  configuration: Omit<Configuration, 'signUps'>;
};

export function identityHandlers({ store, clock, signUps, mailer, ceilings, configuration }: Options) {
  const { mailConfigured, publicUrl } = configuration;
  const inviting = { store, clock, signUps, mailer, mailConfigured, publicUrl, most: ceilings.invitations };
  return {
    'GET /api/configuration': async () => ({ ...configuration, signUps: await signUps.current() }),
    'GET /api/session': ({ session }) => describeSession({ store, mailConfigured }, session),
    'GET /api/profile': ({ session }) => readProfile(store, session),
    'PATCH /api/profile': ({ session, body }) => changeName(store, session, body.name, clock()),
    'GET /api/outbox': () => listOutbox(store),
    'GET /api/invitations': ({ session }) => listInvitations(inviting, session),
    'POST /api/invitations': ({ session, body }) => invite(inviting, session, body.email),
    'POST /api/invitations/:id/withdraw': ({ session, params }) =>
      withdrawInvitation(inviting, session, params.id),
  } satisfies Partial<Handlers>;
}
