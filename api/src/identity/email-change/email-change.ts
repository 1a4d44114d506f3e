import { hash, randomBytes } from 'node:crypto';
import type { EmailChange } from '@homeport/contract/identity/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { type Database, isUniqueViolation, type Owner, ownerFromSession, type Store } from '@homeport/store';
import { type Kysely, type Selectable, sql } from 'kysely';
import { ProblemError, wrongField } from '../../http/problem.ts';
import { tooManyTries } from '../../http/too-many-tries.ts';
import { notifyChange } from '../../live/notify-change.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { Message } from '../../mail/message.ts';
import { holdAccount, lockAccount } from '../../records/account-lock.ts';
import { type EventOrigin, noteSecurityEvent } from '../../security-events/note-event.ts';
import type { AccountLimits } from '../account-limits.ts';
import type { createPasswords } from '../passwords.ts';
import { addressTakenMessage, confirmNewAddressMessage, confirmPresentAddressMessage } from './messages.ts';

/** How long each of the two links works. */
const linkMs = 60 * 60_000;

export type EmailChangeDeps = {
  store: Store;
  mailer: Pick<Mailer, 'send'>;
  limits: Pick<AccountLimits, 'take'>;
  publicUrl: string;
  clock: () => number;
};
type Row = Selectable<Database['email_changes']>;

/**
 * Begins to change the person's e-mail address, in place of an earlier change that is not over, and mails a link to the present
 * address. Whether the new address has an account is told to nobody but itself. Throws `ProblemError` beside a field, `too_many`
 * after many passwords or many changes, `unavailable` if the mail server takes no message: then no change is under way.
 */
export async function beginEmailChange(
  deps: EmailChangeDeps & { passwords: Pick<ReturnType<typeof createPasswords>, 'prove'> },
  session: SessionIdentity,
  { email, password }: { email: string; password: string },
): Promise<EmailChange> {
  const address = email.toLowerCase();
  if (address === session.email) throw wrongField('email', 'This is your address already.');
  await deps.passwords.prove(session, password, 'password');
  await takeMessage(deps, 'email-change', session.email);
  const token = newToken();
  const begun_at = deps.clock();
  const values = {
    email: address,
    waits_for: 'present' as const,
    token_hash: hashOf(token),
    begun_at,
    expires_at: begun_at + linkMs,
  };
  const owner = ownerFromSession(session.userId);
  await deps.store.transact(owner, async (scope) => {
    const { db } = scope;
    await holdAccount(scope);
    await db
      .insertInto('email_changes')
      .values({ owner_id: owner, ...values })
      .onConflict((conflict) => conflict.column('owner_id').doUpdateSet(values))
      .execute();
    const from = { sessionId: session.sessionId };
    await noteSecurityEvent(db, { owner, kind: 'email_change_begun', subject: address, from, at: begun_at });
    await notifyChange(db, owner, 'profile', null);
  });
  try {
    await sendMessage(deps, confirmPresentAddressMessage(session, address, linkTo(deps, token)));
  } catch (error) {
    await forget(deps.store, owner, values.token_hash);
    throw error;
  }
  return toEmailChange(values);
}

/** Ends a change that is not over: its links stop working. */
export function cancelEmailChange(
  { store }: Pick<EmailChangeDeps, 'store'>,
  session: SessionIdentity,
): Promise<void> {
  return forget(store, ownerFromSession(session.userId));
}

/** The change that is not over; null without one. */
export async function readEmailChange(
  db: Kysely<Database>,
  owner: Owner,
  now: number,
): Promise<EmailChange | null> {
  const row = await db
    .selectFrom('email_changes')
    .selectAll()
    .where('owner_id', '=', owner)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row ? toEmailChange(row) : null;
}

/**
 * Confirms a change with the token of a link: first from the present address, then from the new one. Resolves with true when both
 * have confirmed, and the address is changed. Throws `not_found` for a link that is used, replaced, expired or invented.
 */
export async function confirmEmailChange(
  deps: EmailChangeDeps,
  token: string,
  from: EventOrigin,
): Promise<boolean> {
  const row = await deps.store.db
    .selectFrom('email_changes')
    .selectAll()
    .where('token_hash', '=', hashOf(token))
    .where('expires_at', '>', deps.clock())
    .executeTakeFirst();
  if (!row) throw linkIsOver();
  if (row.waits_for === 'new') await changeAddress(deps, row, from);
  else await askNewAddress(deps, row);
  return row.waits_for === 'new';
}

/** The message goes out first: if it cannot, or not yet, the link of the present address still works. */
async function askNewAddress(deps: EmailChangeDeps, row: Row): Promise<void> {
  const { store, clock } = deps;
  await takeMessage(deps, 'email-change-to', row.email);
  const token = newToken();
  const { name, taken } = await peopleOf(store.db, row);
  const message = taken
    ? addressTakenMessage(row.email, new URL(deps.publicUrl).host)
    : confirmNewAddressMessage({ name, email: row.email }, linkTo(deps, token));
  await sendMessage(deps, message);
  const owner = ownerFromSession(row.owner_id);
  await store.transact(owner, async ({ db }) => {
    const { numUpdatedRows } = await db
      .updateTable('email_changes')
      .set({ waits_for: 'new', token_hash: hashOf(token), expires_at: clock() + linkMs })
      .where('owner_id', '=', owner)
      .where('token_hash', '=', row.token_hash)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw linkIsOver();
    await notifyChange(db, owner, 'profile', null);
  });
}

async function peopleOf(
  db: Kysely<Database>,
  { owner_id, email }: Row,
): Promise<{ name: string; taken: boolean }> {
  const people = await db
    .selectFrom('auth.user')
    .select(['id', 'name', 'email'])
    .where((where) => where.or([where('id', '=', owner_id), where('email', '=', email)]))
    .execute();
  return {
    name: people.find(({ id }) => id === owner_id)?.name ?? '',
    taken: people.some(({ id }) => id !== owner_id),
  };
}

/** Links that were mailed to the earlier address end: whoever reads it now could set a new password. */
async function changeAddress({ store, clock }: EmailChangeDeps, row: Row, from: EventOrigin): Promise<void> {
  const owner = ownerFromSession(row.owner_id);
  const at = clock();
  const change = store.transact(owner, async (scope) => {
    const { db } = scope;
    await lockAccount(scope);
    const { numDeletedRows } = await db
      .deleteFrom('email_changes')
      .where('owner_id', '=', owner)
      .where('token_hash', '=', row.token_hash)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw linkIsOver();
    const { email: mailTo } = await db
      .selectFrom('auth.user')
      .select('email')
      .where('id', '=', owner)
      .executeTakeFirstOrThrow();
    await db
      .updateTable('auth.user')
      .set({ email: row.email, emailVerified: true, updatedAt: new Date(at) })
      .where('id', '=', owner)
      .execute();
    await sql`delete from auth.verification where value = ${owner}`.execute(db);
    await noteSecurityEvent(db, { owner, kind: 'email_changed', subject: row.email, from, at, mailTo });
    await notifyChange(db, owner, 'profile', null);
  });
  await change.catch((error: unknown) => {
    // Somebody made an account with the address since its link was mailed.
    throw isUniqueViolation(error) ? linkIsOver() : error;
  });
}

async function forget(store: Store, owner: Owner, tokenHash?: Buffer): Promise<void> {
  await store.transact(owner, async ({ db }) => {
    const own = db.deleteFrom('email_changes').where('owner_id', '=', owner);
    await (tokenHash ? own.where('token_hash', '=', tokenHash) : own).execute();
    await notifyChange(db, owner, 'profile', null);
  });
}

/** The same for an address with an account and for one without, so that nobody learns which it is. */
async function takeMessage(
  { limits }: Pick<EmailChangeDeps, 'limits'>,
  kind: 'email-change' | 'email-change-to',
  email: string,
): Promise<void> {
  const seconds = await limits.take(kind, { email, cookies: undefined });
  if (seconds > 0) throw tooManyTries(seconds, 'messages about a change of the e-mail address');
}

async function sendMessage({ mailer }: Pick<EmailChangeDeps, 'mailer'>, message: Message): Promise<void> {
  try {
    await mailer.send(message);
  } catch (error) {
    throw new ProblemError('unavailable', 'The mail server did not take the message.', {}, { cause: error });
  }
}

const linkIsOver = () =>
  new ProblemError('not_found', 'This link no longer works. Your e-mail address stays as it is.', {
    recovery: 'Change the address on your profile again.',
  });

const newToken = () => randomBytes(32).toString('base64url');
/** SHA-256 is enough for 256 random bits. */
const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer');

/** The token stands behind the `#`, which browsers never send (RFC 9110, 7.1). */
const linkTo = ({ publicUrl }: Pick<EmailChangeDeps, 'publicUrl'>, token: string) =>
  `${new URL(publicUrl).origin}/confirm-email#token=${token}`;

const toEmailChange = ({
  email,
  waits_for,
  expires_at,
}: Pick<Row, 'email' | 'waits_for' | 'expires_at'>): EmailChange => ({
  email,
  waitsFor: waits_for,
  expiresAt: expires_at,
});
