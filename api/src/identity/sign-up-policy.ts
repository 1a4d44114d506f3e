import type { Configuration } from '@homeport/contract/identity';
import type { Store } from '@homeport/store';
import { sql } from 'kysely';
import { ProblemError } from '../http/problem.ts';

export type SignUps = Configuration['signUps'];

export type SignUpPolicy = {
  /** What a visitor may do now. */
  current(): Promise<SignUps>;
  /** Runs `signUp` if the policy lets the visitor in; throws `not_allowed` otherwise. */
  admit<T>(signUp: () => Promise<T>): Promise<T>;
};

/**
 * On a loopback address whoever reaches the console is at home: sign-up is open. Elsewhere the first account is let in (it
 * is the owner's) and later ones as `configured`.
 */
export function createSignUpPolicy(store: Store, loopback: boolean, configured: SignUps): SignUpPolicy {
  const current = async (): Promise<SignUps> => {
    if (loopback || configured === 'open') return 'open';
    return (await findOwnerId(store)) === null ? 'open' : configured;
  };
  let queue: Promise<unknown> = Promise.resolve();

  return {
    current,
    async admit(signUp) {
      if (loopback || configured === 'open') return signUp();
      // One at a time, here and in every replica: of two first visitors only one becomes the owner. The queue comes first
      // because each lock holds a connection that the sign-up itself needs too.
      const turn = queue.then(() =>
        store.db.transaction().execute(async (lock) => {
          await sql`select pg_advisory_xact_lock(hashtext('homeport sign-up'))`.execute(lock);
          if ((await current()) !== 'open') throw closed(configured);
          return signUp();
        }),
      );
      queue = turn.catch(() => {});
      return turn;
    },
  };
}

/** The earliest account owns the console; null while there is none. */
export async function findOwnerId(store: Store): Promise<string | null> {
  const first = await store.db
    .selectFrom('auth.user')
    .select('id')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return first?.id ?? null;
}

const closed = (configured: SignUps) =>
  new ProblemError(
    'not_allowed',
    configured === 'invite'
      ? 'New accounts on this console are by invitation.'
      : 'This console does not take new accounts.',
  );
