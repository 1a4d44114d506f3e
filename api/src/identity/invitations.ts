import { hash, randomBytes } from 'node:crypto';
import type { Configuration, Invitation } from '@homeport/contract/identity/schema';
import { invitationDays, invitationsPerHour } from '@homeport/contract/limits';
import type { SessionIdentity } from '@homeport/contract/services';
import { type Database, type OwnerWrite, ownerFromSession, type Store } from '@homeport/store';
import { type Kysely, type Selectable, sql } from 'kysely';
import { refuseAbove } from '../http/ceiling.ts';
import { notFound, ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import type { Mailer } from '../mail/mailer.ts';
import { invitationMessage } from './messages.ts';

const hourMs = 3_600_000;
const lifeMs = invitationDays * 24 * hourMs;
const listed = 200;

type Deps = {
  store: Store;
  mailer: Mailer;
  /** Whether messages leave the console, so that opening a link proves an address. */
  mailConfigured: boolean;
  publicUrl: string;
  signUps: { current(): Promise<Configuration['signUps']> };
  clock: () => number;
  /** How many unused invitations one person may have. */
  most: number;
};

/** The invitations of the console's owner, newest first. */
export async function listInvitations(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  session: SessionIdentity,
): Promise<Invitation[]> {
  const owner = ownerFromSession(session.userId);
  const rows = await store.read(owner, ({ db }) =>
    db
      .selectFrom('invitations')
      .selectAll()
      .where('owner_id', '=', owner)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(listed)
      .execute(),
  );
  return rows.map((row) => toInvitation(row, clock()));
}

/**
 * Sends an address a link that makes one account within a week. Withdraws an earlier unused invitation of the
 * same address. Throws `conflict` if sign-up is closed or the address has an account, `too_many` after twenty
 * in an hour, `limit_reached` with too many unused invitations, and `unavailable` if the mail server takes no
 * message. Then no new invitation is kept, and the earlier one stands again.
 */
export async function invite(deps: Deps, session: SessionIdentity, address: string): Promise<Invitation> {
  const { store, mailer, mailConfigured, publicUrl, signUps, clock, most } = deps;
  if ((await signUps.current()) === 'closed')
    throw new ProblemError('conflict', 'Sign-up is closed on this console, so invitations do not work.', {
      recovery: 'Set HOMEPORT_SIGNUPS=invite and start the console again.',
    });
  const owner = ownerFromSession(session.userId);
  const email = address.toLowerCase();
  const token = randomBytes(32).toString('base64url');
  const now = clock();
  const { row, withdrawn } = await store.transact(owner, async (scope) => {
    await lockInvitations(scope.db);
    await refuseKnown(scope.db, email);
    await refuseFlood(scope, now);
    // There is at most one: the index `invitations_open` holds that.
    const earlier = await scope.db
      .updateTable('invitations')
      .set({ withdrawn_at: now })
      .where('email', '=', email)
      .where('accepted_at', 'is', null)
      .where('withdrawn_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    await refuseAbove(scope, 'invitations', most);
    const made = await scope.db
      .insertInto('invitations')
      .values({
        owner_id: owner,
        email,
        token_hash: hashOf(token),
        mailed: mailConfigured,
        created_at: now,
        expires_at: now + lifeMs,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { row: made, withdrawn: earlier?.id ?? null };
  });
  // The token stands behind the `#`, which browsers never send (RFC 9110, 7.1).
  const link = `${new URL(publicUrl).origin}/signup?${new URLSearchParams({ email })}#token=${token}`;
  try {
    await mailer.send(invitationMessage(session.name, email, link));
  } catch (error) {
    await store.transact(owner, ({ db }) => undo(db, { sent: row, withdrawn }));
    throw new ProblemError('unavailable', 'The mail server did not take the message.', {}, { cause: error });
  }
  await notifyChange(store.db, owner, 'invitations', row.id);
  return toInvitation(row, now);
}

/** Ends an unused invitation: its link stops working. Throws `conflict` for a used one. */
export async function withdrawInvitation(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  session: SessionIdentity,
  id: string,
): Promise<Invitation> {
  const owner = ownerFromSession(session.userId);
  return store.transact(owner, async ({ db }) => {
    const row = await db
      .selectFrom('invitations')
      .selectAll()
      .where('owner_id', '=', owner)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw notFound('invitation');
    if (row.accepted_at !== null)
      throw new ProblemError('conflict', 'This invitation was used, and its account exists.', {
        recovery: 'Withdrawing an invitation does not remove its account.',
      });
    const withdrawn_at = row.withdrawn_at ?? clock();
    await db.updateTable('invitations').set({ withdrawn_at }).where('id', '=', id).execute();
    await notifyChange(db, owner, 'invitations', id);
    return toInvitation({ ...row, withdrawn_at }, clock());
  });
}

export type Acceptance =
  /** `proven`: a mail server delivered the link, so the holder of the link reads that mailbox. */
  { kind: 'accepted'; proven: boolean } | { kind: 'other_address' } | { kind: 'gone' };

/**
 * Uses up an invitation, in the transaction of the sign-up that it allows. If the sign-up fails, the
 * invitation stays open.
 */
export async function acceptInvitation(
  db: Kysely<Database>,
  { token, email, now }: { token: string; email: string; now: number },
): Promise<Acceptance> {
  const row = await db
    .selectFrom('invitations')
    .select(['id', 'owner_id', 'email', 'mailed'])
    .where('token_hash', '=', hashOf(token))
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return { kind: 'gone' };
  if (row.email !== email.toLowerCase()) return { kind: 'other_address' };
  await db.updateTable('invitations').set({ accepted_at: now }).where('id', '=', row.id).execute();
  await notifyChange(db, ownerFromSession(row.owner_id), 'invitations', row.id);
  return { kind: 'accepted', proven: row.mailed };
}

/** One at a time: the second of two invitations for one address must see the first. */
const lockInvitations = (db: Kysely<Database>) =>
  sql`select pg_advisory_xact_lock(hashtext('homeport invitations'))`.execute(db);

/** Takes back an invitation that was not mailed. The earlier one stands again, unless a newer one does. */
async function undo(
  db: Kysely<Database>,
  {
    sent,
    withdrawn,
  }: { sent: Pick<Selectable<Database['invitations']>, 'id' | 'email'>; withdrawn: string | null },
): Promise<void> {
  await lockInvitations(db);
  await db.deleteFrom('invitations').where('id', '=', sent.id).execute();
  if (withdrawn === null) return;
  await db
    .updateTable('invitations')
    .set({ withdrawn_at: null })
    .where('id', '=', withdrawn)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('invitations as open')
            .select('open.id')
            .where('open.email', '=', sent.email)
            .where('open.accepted_at', 'is', null)
            .where('open.withdrawn_at', 'is', null),
        ),
      ),
    )
    .execute();
}

/** SHA-256 is enough for 256 random bits. */
const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer');

async function refuseKnown(db: Kysely<Database>, email: string): Promise<void> {
  const known = await db.selectFrom('auth.user').select('id').where('email', '=', email).executeTakeFirst();
  if (!known) return;
  const message = 'This address already has an account.';
  throw new ProblemError('conflict', message, { fields: { email: message } });
}

async function refuseFlood({ owner, db }: OwnerWrite, now: number): Promise<void> {
  const recent = await db
    .selectFrom('invitations')
    .select('created_at')
    .where('owner_id', '=', owner)
    .where('created_at', '>', now - hourMs)
    .orderBy('created_at', 'desc')
    .limit(invitationsPerHour)
    .execute();
  const oldest = recent[invitationsPerHour - 1];
  if (!oldest) return;
  throw new ProblemError(
    'too_many',
    `This console sends at most ${invitationsPerHour} invitations an hour.`,
    {
      retryAfterSeconds: Math.ceil((oldest.created_at + hourMs - now) / 1000),
    },
  );
}

function toInvitation(row: Selectable<Database['invitations']>, now: number): Invitation {
  return {
    id: row.id,
    email: row.email,
    state: stateOf(row, now),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

function stateOf(row: Selectable<Database['invitations']>, now: number): Invitation['state'] {
  if (row.accepted_at !== null) return 'accepted';
  if (row.withdrawn_at !== null) return 'withdrawn';
  return row.expires_at > now ? 'pending' : 'expired';
}
