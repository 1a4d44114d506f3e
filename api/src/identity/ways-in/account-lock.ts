import type { OwnerWrite } from '@homeport/store';

type Scope = Pick<OwnerWrite, 'db' | 'owner'>;

/**
 * For a transaction that ends ways into the account: those that make one wait until it is over, or it waits for them and finds what they
 * made. Both ask for the account before any other row, so that neither waits for the other at once.
 */
export async function lockAccount({ db, owner }: Scope): Promise<void> {
  await db.selectFrom('auth.user').select('id').where('id', '=', owner).forUpdate().execute();
}

/** For a transaction that makes a way into the account. Returns the account's address; undefined where the account is gone. */
export async function holdAccount({ db, owner }: Scope): Promise<{ email: string } | undefined> {
  return db.selectFrom('auth.user').select('email').where('id', '=', owner).forKeyShare().executeTakeFirst();
}
