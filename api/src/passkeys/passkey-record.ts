import type { Passkey } from '@homeport/contract/passkeys/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { type Database, ownerFromSession, type Store } from '@homeport/store';
import type { Selectable } from 'kysely';
import { notFound } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { holdAccount } from '../records/account-lock.ts';
import { noteSecurityEvent } from '../security-events/note-event.ts';

type Deps = { store: Store; clock: () => number };

export const toPasskey = (row: Selectable<Database['passkeys']>): Passkey => ({
  id: row.id,
  name: row.name,
  backedUp: row.backed_up,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});

export async function listPasskeys({ store }: Deps, { userId }: SessionIdentity): Promise<Passkey[]> {
  const rows = await store.read(ownerFromSession(userId), ({ db, owner }) =>
    db
      .selectFrom('passkeys')
      .selectAll()
      .where('owner_id', '=', owner)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute(),
  );
  return rows.map(toPasskey);
}

export async function renamePasskey(
  { store }: Deps,
  { userId }: SessionIdentity,
  id: string,
  name: string,
): Promise<Passkey> {
  return store.transact(ownerFromSession(userId), async ({ db, owner }) => {
    const row = await db
      .updateTable('passkeys')
      .set({ name })
      .where('owner_id', '=', owner)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw notFound('passkey');
    await notifyChange(db, owner, 'passkeys', id);
    return toPasskey(row);
  });
}

/** The device keeps its half, which is worth nothing from then on. Sign-ins that were made with it go on. */
export async function removePasskey(
  { store, clock }: Deps,
  { userId, sessionId }: SessionIdentity,
  id: string,
): Promise<void> {
  await store.transact(ownerFromSession(userId), async (scope) => {
    const { db, owner } = scope;
    await holdAccount(scope);
    const row = await db
      .deleteFrom('passkeys')
      .where('owner_id', '=', owner)
      .where('id', '=', id)
      .returning('name')
      .executeTakeFirst();
    if (!row) throw notFound('passkey');
    const from = { sessionId };
    await noteSecurityEvent(db, { owner, kind: 'passkey_removed', subject: row.name, from, at: clock() });
    await notifyChange(db, owner, 'passkeys', id);
  });
}
