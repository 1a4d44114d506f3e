import type { OwnerWrite } from '@homeport/store';

type Scope = Pick<OwnerWrite, 'db' | 'owner'>;

/**
 * For a transaction that ends ways into the account, or changes its address: those that make one wait until it is over, or it waits for
 * them and finds what they made.
 */
export async function lockAccount({ db, owner }: Scope): Promise<void> {
  await db.selectFrom('auth.user').select('id').where('id', '=', owner).forUpdate().execute();
}

/**
 * For a transaction that makes a way into the account, or changes what `lockAccount` would end. Ask for the account before any other row:
 * a new security event needs the account too, and whoever held another row by then would wait for the account while the other waits for
 * the row. Returns the account's address; undefined where the account is gone.
 */
export async function holdAccount({ db, owner }: Scope): Promise<{ email: string } | undefined> {
  return db.selectFrom('auth.user').select('email').where('id', '=', owner).forKeyShare().executeTakeFirst();
}
