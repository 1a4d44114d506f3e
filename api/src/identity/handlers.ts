import type { Configuration } from '@homeport/contract/identity/schema';
import type { Ceilings } from '@homeport/contract/limits';
import type { Store } from '@homeport/store';
import { sql } from 'kysely';
import type { Handlers } from '../http/handlers.ts';
import { ProblemError } from '../http/problem.ts';
import type { Mailer } from '../mail/mailer.ts';
import { listOutbox } from '../mail/outbox.ts';
import { invite, listInvitations, withdrawInvitation } from './invitations.ts';
import { changeName, readProfile } from './profile.ts';
import { findOwnerId, type SignUpPolicy } from './sign-up-policy.ts';

type Options = {
  store: Store;
  clock: () => number;
  signUps: SignUpPolicy;
  mailer: Mailer;
  ceilings: Ceilings;
  /** What does not change while the console runs. */
  configuration: Omit<Configuration, 'signUps'>;
};

export function identityHandlers({ store, clock, signUps, mailer, ceilings, configuration }: Options) {
  const { mailConfigured, publicUrl } = configuration;
  const inviting = { store, clock, signUps, mailer, mailConfigured, publicUrl, most: ceilings.invitations };
  return {
    'GET /api/configuration': async () => ({ ...configuration, signUps: await signUps.current() }),
    'GET /api/session': async ({ session }) => {
      const row = await store.db
        .selectFrom('auth.session')
        .innerJoin('auth.user', 'auth.user.id', 'auth.session.userId')
        .select(['auth.session.expiresAt', 'auth.user.image'])
        .where('auth.session.id', '=', session.sessionId)
        .where('auth.user.id', '=', session.userId)
        .executeTakeFirst();
      if (!row) throw new ProblemError('not_signed_in', 'You are not signed in.');
      const { userId, name, email, emailVerified } = session;
      return {
        id: session.sessionId,
        user: { id: userId, name, email, emailVerified, avatar: row.image },
        owner: (await findOwnerId(store)) === userId,
        githubLinked: await isLinked(store, userId, 'github'),
        expiresAt: row.expiresAt.getTime(),
      };
    },
    'GET /api/profile': ({ session }) => readProfile(store, session, clock()),
    'PATCH /api/profile': ({ session, body }) => changeName(store, session, body.name, clock()),
    'GET /api/outbox': () => listOutbox(store),
    'GET /api/invitations': ({ session }) => listInvitations(inviting, session),
    'POST /api/invitations': ({ session, body }) => invite(inviting, session, body.email),
    'POST /api/invitations/:id/withdraw': ({ session, params }) =>
      withdrawInvitation(inviting, session, params.id),
  } satisfies Partial<Handlers>;
}

async function isLinked(store: Store, userId: string, provider: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from auth.account where "userId" = ${userId} and "providerId" = ${provider} limit 1
  `.execute(store.db);
  return rows.length > 0;
}
