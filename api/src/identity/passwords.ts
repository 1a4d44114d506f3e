import type { SessionIdentity } from '@homeport/contract/services';
import type { Store } from '@homeport/store';
import { APIError } from 'better-auth/api';
import { sql } from 'kysely';
import { ProblemError, wrongField } from '../http/problem.ts';
import { tooManyTries } from '../http/too-many-tries.ts';
import type { AccountLimits } from './account-limits.ts';
import type { Auth } from './auth.ts';
import type { WeakPasswords } from './weak-passwords/weak-passwords.ts';

type Deps = {
  auth: Auth;
  store: Store;
  limits: Pick<AccountLimits, 'take'>;
  weak: WeakPasswords;
};

/** Checks and hashes the passwords of people who are signed in. */
export function createPasswords({ auth, store, limits, weak }: Deps) {
  return {
    refuseWeak: weak.refuse,
    async prove(session: SessionIdentity, typed: string, field: string): Promise<void> {
      const stored = await storedPassword(store, session.userId);
      if (stored === null)
        throw wrongField(
          field,
          'This account has no password yet. Sign out and choose “Forgot password?” to set one.',
        );
      const seconds = await limits.take('password-check', { email: session.email, cookies: undefined });
      if (seconds > 0) throw tooManyTries(seconds);
      const { password } = await auth.$context;
      if (!(await inPlainWords(password.verify({ hash: stored, password: typed }))))
        throw wrongField(field, 'This is not your password.');
    },
    has: async ({ userId }: SessionIdentity) => (await storedPassword(store, userId)) !== null,
    async hash(password: string): Promise<string> {
      const context = await auth.$context;
      return inPlainWords(context.password.hash(password));
    },
  };
}

/** The hash of the person’s password; null for a person without one. */
export async function storedPassword({ db }: Pick<Store, 'db'>, userId: string): Promise<string | null> {
  const { rows } = await sql<{ password: string | null }>`
    select password from auth.account where "userId" = ${userId} and "providerId" = 'credential'`.execute(db);
  return rows[0]?.password ?? null;
}

/** The library’s refusal while too many passwords wait becomes the console’s. */
async function inPlainWords<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof APIError) throw new ProblemError('unavailable', error.message);
    throw error;
  }
}
