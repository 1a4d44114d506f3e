import type { Configuration } from '@homeport/contract/identity/schema';
import type { Database, Store } from '@homeport/store';
import { type Kysely, sql } from 'kysely';
import { ProblemError } from '../http/problem.ts';
import { acceptInvitation } from './invitations.ts';

export type SignUps = Configuration['signUps'];

export type SignUpPolicy = {
  /** Who may sign up now. */
  current(): Promise<SignUps>;
  /**
   * Runs `signUp` if the policy lets the visitor in, and tells it whether an invitation proved the address.
   * Throws `not_allowed` otherwise. A `signUp` that resolves uses the invitation up, so a failed one must
   * throw.
   */
  admit<T>(visitor: Visitor, signUp: (addressProven: boolean) => Promise<T>): Promise<T>;
};

export type Visitor = { email: string; invitation: string | undefined };

/**
 * A visitor of a loopback address is on the console's own machine, so sign-up is open. Elsewhere the first
 * account is let in, because it is the owner's. Later accounts are let in as `configured`.
 */
export function createSignUpPolicy(
  store: Store,
  loopback: boolean,
  configured: SignUps,
  clock: () => number,
): SignUpPolicy {
  const current = async (): Promise<SignUps> => {
    if (loopback || configured === 'open') return 'open';
    return (await findOwnerId(store)) === null ? 'open' : configured;
  };
  let queue: Promise<unknown> = Promise.resolve();

  return {
    current,
    async admit(visitor, signUp) {
      const open = loopback || configured === 'open';
      if (open && visitor.invitation === undefined) return signUp(false);
      // One sign-up at a time, here and in every replica, so that only one of two first visitors becomes the
      // owner. The queue comes before the lock, because each lock holds a connection that the sign-up itself
      // needs too.
      const turn = queue.then(() =>
        store.db.transaction().execute(async (lock) => {
          await sql`select pg_advisory_xact_lock(hashtext('homeport sign-up'))`.execute(lock);
          const policy = await current();
          if (policy === 'closed') throw closed();
          return signUp(await usesInvitation(lock, visitor, policy, clock()));
        }),
      );
      queue = turn.catch(() => {});
      return turn;
    },
  };
}

/** The earliest account owns the console; null while there is none. */
export async function findOwnerId(store: Store): Promise<string | null> {
  const first = await store.db.selectNoFrom(ownerId().as('id')).executeTakeFirst();
  return first?.id ?? null;
}

/** The owner's id, as a subquery. */
export const ownerId = () =>
  sql<string | null>`(select id from auth."user" order by "createdAt", id limit 1)`;

const closed = () => new ProblemError('not_allowed', 'This console does not take new accounts.');

/**
 * Returns whether an invitation proves the address. Throws if the policy needs an invitation and this one is
 * not valid. If the policy needs none, an invalid invitation is ignored.
 */
async function usesInvitation(
  db: Kysely<Database>,
  { email, invitation }: Visitor,
  policy: SignUps,
  now: number,
): Promise<boolean> {
  const needed = policy === 'invite';
  if (invitation === undefined) {
    if (!needed) return false;
    throw new ProblemError('not_allowed', 'You need an invitation to make an account on this console.', {
      recovery: 'Open the link in your invitation, or ask the owner of this console for an invitation.',
    });
  }
  const answer = await acceptInvitation(db, { token: invitation, email, now });
  if (answer.kind === 'accepted') return answer.proven;
  if (!needed) return false;
  if (answer.kind === 'other_address') {
    const message = 'This invitation is for another e-mail address.';
    throw new ProblemError('invalid_input', message, { fields: { email: message } });
  }
  throw new ProblemError('not_allowed', 'This invitation has expired, was withdrawn or was used already.', {
    recovery: 'Ask the owner of this console for a new one.',
  });
}
