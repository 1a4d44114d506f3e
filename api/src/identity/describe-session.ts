import type { Session } from '@homeport/contract/identity/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import type { Store } from '@homeport/store';
import { sql } from 'kysely';
import { ProblemError } from '../http/problem.ts';
import { findOwnerId } from './sign-up-policy.ts';

/** Who is signed in, until when, and what that person is to this console. */
export async function describeSession(store: Store, session: SessionIdentity): Promise<Session> {
  const { sessionId, userId, name, email, emailVerified } = session;
  const row = await store.db
    .selectFrom('auth.session')
    .innerJoin('auth.user', 'auth.user.id', 'auth.session.userId')
    .select(['auth.session.expiresAt', 'auth.user.image'])
    .where('auth.session.id', '=', sessionId)
    .where('auth.user.id', '=', userId)
    .executeTakeFirst();
  if (!row) throw new ProblemError('not_signed_in', 'You are not signed in.');
  return {
    id: sessionId,
    user: { id: userId, name, email, emailVerified, avatar: row.image },
    owner: (await findOwnerId(store)) === userId,
    githubLinked: await isLinked(store, userId, 'github'),
    expiresAt: row.expiresAt.getTime(),
  };
}

async function isLinked(store: Store, userId: string, provider: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from auth.account where "userId" = ${userId} and "providerId" = ${provider} limit 1
  `.execute(store.db);
  return rows.length > 0;
}
