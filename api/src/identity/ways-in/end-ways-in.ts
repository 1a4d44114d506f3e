import { forgetSettled, type OwnerWrite } from '@homeport/store';
import { sql } from 'kysely';
import { notifyChange } from '../../live/notify-change.ts';
import { lockAccount } from '../../records/account-lock.ts';

/** How an account leaves GitHub: reads what it has there inside the transaction. The returned function takes it away. */
export type DisconnectGithub = (scope: OwnerWrite) => Promise<() => Promise<void>>;

/**
 * Ends what opens an account beside its password: API tokens with their streams, passkeys, the link to GitHub with its grant, sign-ins
 * that wait for a code, and mailed links. The destinations of its news end with them: whoever had the account for a moment could listen
 * for years. The account's own address stays one, without the quiet hours in which it would hear of nothing. Sign-ins are the caller's. Returns what ended in words, or null.
 */
export async function endWaysIn(
  scope: OwnerWrite,
  disconnectGithub: DisconnectGithub,
): Promise<string | null> {
  const { db, owner, notify, onCommit } = scope;
  await lockAccount(scope);
  const tokens = await db.deleteFrom('api_tokens').where('owner_id', '=', owner).returning('id').execute();
  for (const { id } of tokens) await notify('session', { ended: id });
  const passkeys = await db.deleteFrom('passkeys').where('owner_id', '=', owner).returning('id').execute();
  const leave = await disconnectGithub(scope);
  const github = await db
    .deleteFrom('linked_accounts')
    .where('owner_id', '=', owner)
    .where('service', '=', 'github')
    .returning('name')
    .executeTakeFirst();
  // A terminal that was approved and has not fetched its token yet gets none.
  await db.deleteFrom('device_codes').where('owner_id', '=', owner).execute();
  await db.deleteFrom('github_visits').where('owner_id', '=', owner).execute();
  await db
    .deleteFrom('passkey_challenges')
    .where('session_id', 'in', (eb) =>
      eb.selectFrom('auth.session').select('id').where(sql<boolean>`"userId" = ${owner}`),
    )
    .execute();
  await sql`delete from auth.verification where value = ${owner}`.execute(db);
  const destinations = await db
    .deleteFrom('notice_destinations')
    .where('owner_id', '=', owner)
    .where('kind', '!=', 'email')
    .returning('id')
    .execute();
  // What waits or is muted would keep news from the person. Nothing is planned meanwhile, because the account is held.
  const late = await db
    .selectFrom('notice_destinations')
    .select('id')
    .where('owner_id', '=', owner)
    .where('after_minutes', '>', 0)
    .execute();
  await forgetSettled(
    db,
    late.map(({ id }) => id),
  );
  await db
    .updateTable('notice_destinations')
    .set({ after_minutes: 0 })
    .where('owner_id', '=', owner)
    .execute();
  const quiet = await db
    .updateTable('notice_destinations')
    .set({ quiet_hours: null })
    .where('owner_id', '=', owner)
    .where('quiet_hours', 'is not', null)
    .returning('id')
    .execute();
  await db.deleteFrom('notice_timed_mutes').where('owner_id', '=', owner).execute();
  for (const topic of ['tokens', 'passkeys', 'github', 'profile', 'destinations', 'notifications'] as const)
    await notifyChange(db, owner, topic, null);
  onCommit(leave);
  return inWords([
    counted(tokens.length, 'API token'),
    counted(passkeys.length, 'passkey'),
    github ? `the link to ${github.name ?? 'GitHub'} at GitHub` : null,
    counted(destinations.length, 'destination', ' of news'),
    quiet.length > 0 ? 'quiet hours' : null,
  ]);
}

/** Turns the second step off. Returns whether the account had one. */
export async function endSecondStep({ db, owner }: OwnerWrite): Promise<boolean> {
  const user = await db
    .selectFrom('auth.user')
    .select('twoFactorEnabled')
    .where('id', '=', owner)
    .forUpdate()
    .executeTakeFirst();
  await sql`delete from auth."twoFactor" where "userId" = ${owner}`.execute(db);
  await db.updateTable('auth.user').set({ twoFactorEnabled: false }).where('id', '=', owner).execute();
  return user?.twoFactorEnabled === true;
}

/** Ends a change of the address that is not over. */
export async function endEmailChange({ db, owner }: OwnerWrite): Promise<void> {
  await db.deleteFrom('email_changes').where('owner_id', '=', owner).execute();
}

const counted = (count: number, what: string, of = '') =>
  count === 0 ? null : `${count} ${what}${count === 1 ? '' : 's'}${of}`;

/** "2 API tokens, 1 passkey"; null for nothing. */
export const inWords = (parts: readonly (string | null)[]): string | null =>
  parts.filter((each) => each !== null).join(', ') || null;
