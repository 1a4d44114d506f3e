import type { SessionIdentity } from '@homeport/contract/services';
import { ownerFromSession, type Store } from '@homeport/store';
import { sql } from 'kysely';
import { type DisconnectGithub, endWaysIn } from '../identity/ways-in/end-ways-in.ts';
import { notifyChange } from '../live/notify-change.ts';
import { lockAccount } from '../records/account-lock.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';
import { deleteOtherSessions } from './end-sessions.ts';

/** What the account asks of identity about passwords. */
export type Passwords = {
  /**
   * Resolves if this is the password of the person.
   *
   * @throws ProblemError beside the field for a wrong password or none, `too_many` after many tries.
   */
  prove(session: SessionIdentity, typed: string, field: string): Promise<void>;
  hash(password: string): Promise<string>;
  /** Throws beside the field for a password that a guesser tries first. */
  refuseWeak(password: string, person: { name: string; email: string }, field: string): void;
  /** Whether the person has a password. */
  has(session: SessionIdentity): Promise<boolean>;
};

type Deps = { store: Store; passwords: Passwords; disconnectGithub: DisconnectGithub; clock: () => number };

/**
 * Sets a new password and ends every other sign-in, because somebody else may know the old password. The asking
 * sign-in and its connections go on. API tokens, passkeys, the link to GitHub and destinations of news end where the person says
 * so. Returns how many sign-ins ended.
 */
export async function changePassword(
  { store, passwords, disconnectGithub, clock }: Deps,
  session: SessionIdentity,
  {
    currentPassword,
    newPassword,
    endOtherWays,
  }: { currentPassword: string; newPassword: string; endOtherWays: boolean },
): Promise<number> {
  await passwords.prove(session, currentPassword, 'currentPassword');
  passwords.refuseWeak(newPassword, session, 'newPassword');
  const hashed = await passwords.hash(newPassword);
  const at = clock();
  return store.transact(ownerFromSession(session.userId), async (scope) => {
    const { owner, db } = scope;
    await lockAccount(scope);
    await sql`update auth.account set password = ${hashed}, "updatedAt" = ${new Date(at)}
      where "userId" = ${owner} and "providerId" = 'credential'`.execute(db);
    const ended = await deleteOtherSessions(scope, session.sessionId);
    const from = { sessionId: session.sessionId };
    const ways = endOtherWays ? await endWaysIn(scope, disconnectGithub) : null;
    const subject = ways === null ? undefined : `ended: ${ways}`;
    await noteSecurityEvent(db, { owner, kind: 'password_changed', subject, from, at });
    await notifyChange(db, owner, 'profile', null);
    return ended;
  });
}
