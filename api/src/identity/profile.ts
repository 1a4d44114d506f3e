import { randomBytes } from 'node:crypto';
import type { Profile } from '@homeport/contract/identity/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { ownerFromSession, type Store } from '@homeport/store';
import { tellChange } from '../live/tell-change.ts';

const pepperBytes = 32;

/** Reads the profile. The first read makes the pepper, once for all replicas. */
export async function readProfile(store: Store, session: SessionIdentity, now: number): Promise<Profile> {
  const owner = ownerFromSession(session.userId);
  const find = () =>
    store.read(owner, ({ db }) =>
      db.selectFrom('profiles').select('pepper').where('owner_id', '=', owner).executeTakeFirst(),
    );
  let profile = await find();
  if (!profile) {
    const pepper = randomBytes(pepperBytes).toString('base64');
    await store.transact(owner, ({ db }) =>
      db
        .insertInto('profiles')
        .values({ owner_id: owner, pepper, created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
    profile = await find();
  }
  if (!profile) throw new Error('The profile that was just made is not there.');
  return { name: session.name, email: session.email, pepper: profile.pepper };
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
    await tellChange(db, owner, 'profile', null);
  });
  return readProfile(store, { ...session, name }, now);
}
