import { ownerFromSession, type Store } from '@homeport/store';
import { sql } from 'kysely';
import { ProblemError } from '../../http/problem.ts';
import { notifyChange } from '../../live/notify-change.ts';
import { lockAccount } from '../../records/account-lock.ts';
import { type EventOrigin, noteSecurityEvent } from '../../security-events/note-event.ts';
import type { createPasswords } from '../passwords.ts';
import { type DisconnectGithub, endEmailChange, endSecondStep, endWaysIn, inWords } from './end-ways-in.ts';
import { findResetLink, type ResetLink } from './reset-links.ts';

export type ResetDeps = {
  store: Store;
  passwords: Pick<ReturnType<typeof createPasswords>, 'hash' | 'refuseWeak'>;
  disconnectGithub: DisconnectGithub;
  clock: () => number;
};

/**
 * Sets a password with the token of a link. Ends every sign-in and, unless the person keeps them, the other ways in. A mailed link proves
 * the mailbox. An address that was not verified before may have been somebody else's account until now: then everything of before
 * ends, the second step too, because its codes would lock the person out. A link of the operator's proves no mailbox, and says itself
 * whether the second step ends. One transaction, so that no way in is left where the new password is kept. Returns the e-mail address of
 * the account.
 *
 * @throws ProblemError `invalid_input` for a link that is used, expired or invented, or for a weak password.
 */
export async function resetPassword(
  { store, passwords, disconnectGithub, clock }: ResetDeps,
  given: { token: string; newPassword: string; keepOtherWays: boolean },
  from: EventOrigin,
): Promise<string> {
  const link = await findResetLink(store, given.token);
  if (link === null) throw linkIsOver();
  const { account } = link;
  passwords.refuseWeak(given.newPassword, account, 'newPassword');
  const hashed = await passwords.hash(given.newPassword);
  const at = clock();
  await store.transact(ownerFromSession(account.id), async (scope) => {
    const { db, owner, notify } = scope;
    await lockAccount(scope);
    const isProven = await useLink(scope, link, at);
    await sql`with changed as (
        update auth.account set password = ${hashed}, "updatedAt" = ${new Date(at)}
        where "userId" = ${owner} and "providerId" = 'credential' returning id)
      insert into auth.account ("accountId", "providerId", "userId", password, "updatedAt")
      select ${owner}, 'credential', ${owner}, ${hashed}, ${new Date(at)} where not exists (select from changed)`.execute(
      db,
    );
    const sessions = await db
      .deleteFrom('auth.session')
      .where('userId', '=', owner)
      .returning('id')
      .execute();
    for (const { id } of sessions) await notify('session', { ended: id });
    const keeps = isProven && given.keepOtherWays;
    const ended = keeps ? null : await endWaysIn(scope, disconnectGithub);
    const secondStep = (link.endsSecondStep || !isProven) && (await endSecondStep(scope));
    if (!keeps) await endEmailChange(scope);
    const subject = inWords([ended, secondStep ? 'the second step' : null]);
    await noteSecurityEvent(db, {
      owner,
      kind: link.from === 'mail' ? 'password_reset' : 'password_reset_by_operator',
      subject: subject === null ? undefined : `ended: ${subject}`,
      from,
      at,
    });
    await notifyChange(db, owner, 'sessions', null);
    await notifyChange(db, owner, 'profile', null);
  });
  return account.email;
}

/**
 * Uses the link up. A mailed one marks the address as verified. Returns whether the account was its person's before: its address was
 * verified, or the operator says so.
 */
async function useLink(
  { db, owner }: Parameters<typeof endSecondStep>[0],
  { identifier, from }: ResetLink,
  at: number,
): Promise<boolean> {
  const used = await sql`delete from auth.verification
    where identifier = ${identifier} and value = ${owner} and "expiresAt" > ${new Date(at)}`.execute(db);
  if (used.numAffectedRows !== 1n) throw linkIsOver();
  if (from === 'operator') return true;
  const { emailVerified } = await db
    .selectFrom('auth.user')
    .select('emailVerified')
    .where('id', '=', owner)
    .executeTakeFirstOrThrow();
  await db
    .updateTable('auth.user')
    .set({ emailVerified: true, updatedAt: new Date(at) })
    .where('id', '=', owner)
    .execute();
  return emailVerified;
}

const linkIsOver = () =>
  new ProblemError('invalid_input', 'This link has expired or has been used.', {
    recovery: 'Ask for a new message and open its link.',
  });
