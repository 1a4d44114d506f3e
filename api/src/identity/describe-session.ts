import type { Session } from '@homeport/contract/identity/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import type { Store } from '@homeport/store';
import { sql } from 'kysely';
import { avatarAddress } from '../avatar/avatars.ts';
import { ProblemError } from '../http/problem.ts';
import { ownerId } from './sign-up-policy.ts';

/** The signed-in user, the end of the session, whether the user owns this console, and how far the console acts by itself. */
export async function describeSession(
  { store, mailConfigured }: { store: Store; mailConfigured: boolean },
  session: SessionIdentity,
): Promise<Session> {
  const { sessionId, userId, name, email, emailVerified } = session;
  const row = await store.db
    .selectFrom('auth.session')
    .innerJoin('auth.user', 'auth.user.id', 'auth.session.userId')
    .leftJoin('avatars', 'avatars.owner_id', 'auth.user.id')
    .select(['auth.session.expiresAt', 'avatars.version as avatar_version'])
    .select([ownerId().as('owner_id'), isLinked(userId, 'github').as('github_linked')])
    .select(unconfirmedRestore.as('restored'))
    .where('auth.session.id', '=', sessionId)
    .where('auth.user.id', '=', userId)
    .executeTakeFirst();
  if (!row) throw new ProblemError('not_signed_in', 'You are not signed in.');
  return {
    id: sessionId,
    user: {
      id: userId,
      name,
      email,
      emailVerified,
      avatar: row.avatar_version === null ? null : avatarAddress(row.avatar_version),
    },
    owner: row.owner_id === userId,
    githubLinked: row.github_linked,
    mailConfigured,
    restored: row.restored,
    expiresAt: row.expiresAt.getTime(),
  };
}

const isLinked = (userId: string, service: string) => sql<boolean>`exists (
  select 1 from linked_accounts where owner_id = ${userId} and service = ${service}
)`;

const unconfirmedRestore = sql<Session['restored']>`(
  select json_build_object('backupAt', backup_at, 'restoredAt', restored_at) from restorations where confirmed_at is null
)`;
