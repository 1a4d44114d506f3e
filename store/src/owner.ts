import type { Kysely } from 'kysely';
import type { Channel, Payload } from './channels.ts';
import type { Database } from './database.ts';
import { notify } from './listen.ts';

declare const ownerBrand: unique symbol;

/** The id of the signed-in user whose rows are meant. Only identity makes one, from a session that it has checked. */
export type Owner = string & { readonly [ownerBrand]: true };

export function ownerFromSession(userId: string): Owner {
  return userId as Owner;
}

/** What a function needs to read somebody's rows. `db` is one consistent snapshot; PostgreSQL itself refuses writes in it. */
export type OwnerRead = { owner: Owner; db: Kysely<Database> };

/** What a function needs to change somebody's rows: all of it is kept, or nothing. */
export type OwnerWrite = OwnerRead & {
  /** Told to every replica when, and only when, the transaction is kept. */
  notify<C extends Channel>(channel: C, payload: Payload<C>): Promise<void>;
  /** Runs after the transaction is kept, in order: mail, streams, anything that cannot be taken back. */
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

/** Runs `fn` in one transaction, then what it gave to `onCommit`. */
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
