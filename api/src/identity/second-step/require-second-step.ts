import type { Store } from '@homeport/store';
import { APIError } from 'better-auth/api';

/** Paths of the library that make a session and ask for the second step by themselves. */
const asksItself = (path: string | undefined) =>
  path === '/sign-in/email' || path?.startsWith('/two-factor/') === true;

/**
 * Refuses a session for a person with a second step where nothing has asked for it: any further way of signing
 * in is closed to that person until it asks too.
 */
export async function refuseWithoutSecondStep(
  store: Pick<Store, 'db'>,
  userId: string,
  path: string | undefined,
): Promise<void> {
  if (asksItself(path)) return;
  if (await hasSecondStep(store, userId))
    throw new APIError('FORBIDDEN', {
      message: 'This account has a second step of signing in. Sign in with your password.',
    });
}

/** Whether the account asks for a code before it lets anybody in. */
export async function hasSecondStep({ db }: Pick<Store, 'db'>, userId: string): Promise<boolean> {
  const user = await db
    .selectFrom('auth.user')
    .select('twoFactorEnabled')
    .where('id', '=', userId)
    .executeTakeFirst();
  return user?.twoFactorEnabled === true;
}
