import type { SessionIdentity } from '@homeport/contract/services';
import { type OwnerRead, type OwnerWrite, ownerFromSession, type Store } from '@homeport/store';
import { sql } from 'kysely';
import { requireConfirmed } from '../confirmation/confirmed.ts';
import { ProblemError, wrongField } from '../http/problem.ts';
import type { Passwords } from './change-password.ts';

/** How an account leaves other services. */
export type LeavingDeps = {
  /** Reads what the account has there. The returned function takes it away. */
  readLeaving: (scope: OwnerRead) => Promise<() => Promise<void>>;
  /** Hears of an error after the account has gone, which is nobody's to mend any more. */
  report: (error: unknown) => void;
};

type Deps = LeavingDeps & {
  store: Store;
  passwords: Passwords;
  clock: () => number;
  /** Whether the person owns the console. */
  isOwner: (userId: string) => Promise<boolean>;
};

/**
 * Deletes the account and everything that the store holds for it. Its sign-ins and tokens end in every replica, and
 * with them the connections. Nothing changes on its servers. What it has at other services goes after the rows, so that
 * a refusal leaves all as it was. A domain that a proxy held keeps the person's id for a while, so that nobody takes the
 * domain over at once.
 *
 * @throws ProblemError `confirmation_required` for an account without a password whose person did not just sign in, `conflict` for the owner of a console that other people use, `busy` while work goes on.
 */
export async function deleteAccount(
  { store, passwords, isOwner, clock, readLeaving, report }: Deps,
  session: SessionIdentity,
  password: string | null,
): Promise<void> {
  if (password !== null) await passwords.prove(session, password, 'password');
  else if (await passwords.has(session)) throw wrongField('password', 'Enter your password.');
  else await requireConfirmed(store.db, session, clock());
  const owns = await isOwner(session.userId);
  const leave = await store.transact(ownerFromSession(session.userId), async (scope) => {
    if (owns) await refuseToLeaveOthers(scope);
    await refuseWhileWorking(scope);
    const { db, owner, notify } = scope;
    const leaveOthers = await readLeaving(scope);
    const sessions = db.selectFrom('auth.session').select('id').where('userId', '=', owner);
    const tokens = db.selectFrom('api_tokens').select('id').where('owner_id', '=', owner);
    const ended = await sessions.unionAll(tokens).execute();
    await sql`delete from auth.verification where value = ${owner}`.execute(db);
    await db.deleteFrom('outbox_messages').where('recipient', '=', session.email).execute();
    await db.deleteFrom('auth.user').where('id', '=', owner).execute();
    for (const { id } of ended) await notify('session', { ended: id });
    return leaveOthers;
  });
  await leave().catch(report);
}

/** The next account would own the console without having been asked. */
async function refuseToLeaveOthers({ db, owner }: OwnerWrite): Promise<void> {
  const other = await db.selectFrom('auth.user').select('id').where('id', '<>', owner).executeTakeFirst();
  if (other)
    throw new ProblemError(
      'conflict',
      'You own this console, and other people have accounts on it. Nothing was deleted.',
      { recovery: 'The other accounts have to be deleted first, each by its person.' },
    );
}

async function refuseWhileWorking({ db, owner }: OwnerWrite): Promise<void> {
  const working = await db
    .selectFrom('operations')
    .select('title')
    .where('owner_id', '=', owner)
    .where('state', 'in', ['queued', 'running', 'waiting'])
    .executeTakeFirst();
  if (working) throw new ProblemError('busy', `“${working.title}” is not over yet. Nothing was deleted.`);
}
