import { confirmedMinutes } from '@homeport/contract/identity/facts';
import type { SessionIdentity } from '@homeport/contract/services';
import type { Database, OwnerWrite } from '@homeport/store';
import type { Kysely } from 'kysely';
import { ProblemError } from '../http/problem.ts';
import { holdAccount } from '../records/account-lock.ts';

const confirmedMs = confirmedMinutes * 60_000;

/** @throws ProblemError `confirmation_required` where the person neither signed in nor confirmed within the last minutes. */
export async function requireConfirmed(
  db: Kysely<Database>,
  { sessionId }: Pick<SessionIdentity, 'sessionId'>,
  now: number,
): Promise<void> {
  const row = await db
    .selectFrom('auth.session as session')
    .leftJoin('session_confirmations as confirmation', 'confirmation.session_id', 'session.id')
    .select(['session.createdAt', 'confirmation.confirmed_at'])
    .where('session.id', '=', sessionId)
    .executeTakeFirst();
  const provenAt = Math.max(row?.createdAt.getTime() ?? 0, row?.confirmed_at ?? 0);
  if (provenAt > now - confirmedMs) return;
  throw new ProblemError('confirmation_required', 'Confirm first that it is you. Nothing was changed.');
}

/** Remembers that the person has just proved who they are. Returns until when the session counts as confirmed. */
export async function keepConfirmation(
  db: Kysely<Database>,
  sessionId: string,
  now: number,
): Promise<number> {
  await db
    .insertInto('session_confirmations')
    .values({ session_id: sessionId, confirmed_at: now })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet({ confirmed_at: now }))
    .execute();
  return now + confirmedMs;
}

/**
 * Holds the account and the session until the transaction ends; call it first. An act that makes a way in and the end of all sessions then happen one after the
 * other, so that whoever ends the sessions afterwards finds the new way in.
 *
 * @throws ProblemError `not_signed_in` for a session that has ended meanwhile.
 */
export async function holdSession(scope: Pick<OwnerWrite, 'db' | 'owner'>, sessionId: string): Promise<void> {
  await holdAccount(scope);
  const session = await scope.db
    .selectFrom('auth.session')
    .select('id')
    .where('id', '=', sessionId)
    .forKeyShare()
    .executeTakeFirst();
  if (!session)
    throw new ProblemError('not_signed_in', 'You are not signed in any more. Nothing was changed.');
}
