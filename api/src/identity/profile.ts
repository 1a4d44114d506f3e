import type { Profile } from '@homeport/contract/identity/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { ownerFromSession, type Store } from '@homeport/store';
import { notifyChange } from '../live/notify-change.ts';
import { readEmailChange } from './email-change/email-change.ts';
import { storedPassword } from './passwords.ts';

/** The store makes the profile and its pepper together with the account. */
export async function readProfile(store: Store, session: SessionIdentity, now: number): Promise<Profile> {
  const owner = ownerFromSession(session.userId);
  const { pepper, twoFactorEnabled, emailChange } = await store.read(owner, async ({ db }) => {
    const row = await db
      .selectFrom('profiles')
      .innerJoin('auth.user as user', 'user.id', 'profiles.owner_id')
      .select(['pepper', 'user.twoFactorEnabled'])
      .where('owner_id', '=', owner)
      .executeTakeFirstOrThrow();
    return { ...row, emailChange: await readEmailChange(db, owner, now) };
  });
  const hasPassword = (await storedPassword(store, session.userId)) !== null;
  return {
    name: session.name,
    email: session.email,
    pepper,
    hasPassword,
    secondStep: twoFactorEnabled ?? false,
    emailChange,
  };
}

export async function changeName(
  store: Store,
  session: SessionIdentity,
  name: string,
  now: number,
): Promise<Profile> {
  const owner = ownerFromSession(session.userId);
  await store.transact(owner, async ({ db }) => {
    await db
      .updateTable('auth.user')
      .set({ name, updatedAt: new Date(now) })
      .where('id', '=', owner)
      .execute();
    await notifyChange(db, owner, 'profile', null);
  });
  return readProfile(store, { ...session, name }, now);
}
