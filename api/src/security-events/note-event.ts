import {
  eventSubjectCharacters,
  failedSignInsTogetherMs,
  type SecurityEventKind,
  securityEventsKept,
  userAgentCharacters,
} from '@homeport/contract/account/facts';
import type { Database } from '@homeport/store';
import { type Kysely, sql } from 'kysely';
import { notifyChange } from '../live/notify-change.ts';
import { queueSecurityMail } from './queue-mail.ts';

/** Where an event came from: the sign-in that caused it, or the request of somebody who was not signed in. */
export type EventOrigin =
  | { sessionId: string }
  | { address: string | null; userAgent: string | null | undefined };

export type NewSecurityEvent = {
  owner: string;
  kind: SecurityEventKind;
  /** The name of the thing that the event is about. */
  subject?: string | undefined;
  from: EventOrigin;
  /** The address that hears of the event, if it is not the account's present one. */
  mailTo?: string;
  /** Epoch milliseconds. */
  at: number;
};

/**
 * Adds an event to the list that the person reads on the profile page, and removes the oldest of its kind beyond the bound: somebody
 * inside could otherwise push what they did out of the list by doing something harmless many times.
 * Failed sign-ins within an hour are counted in one event, so that a stranger cannot push the others out. Returns
 * the id of a new event.
 */
export async function noteSecurityEvent(
  db: Kysely<Database>,
  event: NewSecurityEvent,
): Promise<string | null> {
  const { owner, kind, at } = event;
  const { address, userAgent } = await originOf(db, event.from);
  const user_agent = userAgent?.slice(0, userAgentCharacters) ?? null;
  let added: string | null = null;
  if (kind !== 'sign_in_failed' || !(await countFailedAgain(db, owner, { address, user_agent, at }))) {
    const subject = event.subject?.slice(0, eventSubjectCharacters) ?? null;
    const { id } = await db
      .insertInto('security_events')
      .values({ owner_id: owner, kind, subject, address, user_agent, at })
      .returning('id')
      .executeTakeFirstOrThrow();
    added = id;
    await removeOldest(db, owner, kind);
    await queueSecurityMail(db, { ...event, subject, address, user_agent });
  }
  await notifyChange(db, owner, 'security-events', null);
  return added;
}

async function originOf(db: Kysely<Database>, from: EventOrigin) {
  if ('address' in from) return from;
  const session = await db
    .selectFrom('auth.session')
    .select(['ipAddress as address', 'userAgent'])
    .where('id', '=', from.sessionId)
    .executeTakeFirst();
  return session ?? { address: null, userAgent: null };
}

/** Returns false if there is no event that this one belongs to. */
async function countFailedAgain(
  db: Kysely<Database>,
  owner: string,
  { address, user_agent, at }: { address: string | null; user_agent: string | null; at: number },
): Promise<boolean> {
  const counted = await db
    .updateTable('security_events')
    .set({ count: sql`count + 1`, address, user_agent, at })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('security_events')
        .select('id')
        .where('owner_id', '=', owner)
        .where('kind', '=', 'sign_in_failed')
        .where('at', '>', at - failedSignInsTogetherMs)
        .orderBy('number', 'desc')
        .limit(1),
    )
    .returning('id')
    .executeTakeFirst();
  return counted !== undefined;
}

async function removeOldest(db: Kysely<Database>, owner: string, kind: SecurityEventKind): Promise<void> {
  await db
    .deleteFrom('security_events')
    .where('owner_id', '=', owner)
    .where('kind', '=', kind)
    .where('number', '<=', (eb) =>
      eb
        .selectFrom('security_events')
        .select('number')
        .where('owner_id', '=', owner)
        .where('kind', '=', kind)
        .orderBy('number', 'desc')
        .offset(securityEventsKept)
        .limit(1),
    )
    .execute();
}
