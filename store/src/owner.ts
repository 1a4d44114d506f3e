import type { Kysely } from 'kysely';
import type { Channel, Payload } from './channels.ts';
import type { Database } from './database.ts';
import { notify } from './listen.ts';

declare const ownerBrand: unique symbol;

/** The id of the signed-in user who owns the rows. Only identity makes an `Owner`, from a session that it has checked. */
export type Owner = string & { readonly [ownerBrand]: true };

export function ownerFromSession(userId: string): Owner {
  return userId as Owner;
}

/** The access of a function that reads one owner's rows. `db` is one consistent snapshot, in which PostgreSQL refuses writes. */
export type OwnerRead = { owner: Owner; db: Kysely<Database> };

/** The access of a function that changes one owner's rows. All its changes are kept, or none. */
export type OwnerWrite = OwnerRead & {
  /** Tells every replica if and when the transaction commits. */
  notify<C extends Channel>(channel: C, payload: Payload<C>): Promise<void>;
  /** Runs `effect` after the commit, in order. For mail, streams and anything that cannot be undone. */
  onCommit(effect: () => void | Promise<void>): void;
};

/** Gives `fn` a read-only view of one owner's rows. */
export async function readAs<T>(
  db: Kysely<Database>,
  owner: Owner,
  fn: (scope: OwnerRead) => Promise<T>,
): Promise<T> {
  return db
    .transaction()
    .setAccessMode('read only')
    .setIsolationLevel('repeatable read')
    .execute((transaction) => fn({ owner, db: transaction }));
}

/** Runs `fn` in one transaction, then the effects that `fn` gave to `onCommit`. */
export async function transactAs<T>(
  db: Kysely<Database>,
  owner: Owner,
  fn: (scope: OwnerWrite) => Promise<T>,
): Promise<T> {
  const effects: (() => void | Promise<void>)[] = [];
  const result = await db.transaction().execute((transaction) =>
    fn({
      owner,
      db: transaction,
      notify: (channel, payload) => notify(transaction, channel, payload),
      onCommit: (effect) => effects.push(effect),
    }),
  );
  for (const effect of effects) await effect();
  return result;
}
