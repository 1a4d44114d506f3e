import { securityMailsPerHour, securityMailsPerHourTogether } from '@homeport/contract/account/facts';
import type { Database } from '@homeport/store';
import { type Kysely, sql } from 'kysely';
import { isMailed } from './mail-texts.ts';

const hourMs = 60 * 60_000;

type Noted = {
  owner: string;
  kind: string;
  subject: string | null;
  address: string | null;
  user_agent: string | null;
  at: number;
  mailTo?: string;
};

/**
 * Keeps an event for the mail, in the transaction of the event. Only a verified address hears of events: another one may be a
 * stranger's. Beyond the bound of an hour nothing is kept, so that nobody fills a mailbox.
 */
export async function queueSecurityMail(
  db: Kysely<Database>,
  { owner, kind, subject, address, user_agent, at, mailTo }: Noted,
): Promise<void> {
  if (!isMailed(kind)) return;
  // Events of the same moment count one after the other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`homeport security mails ${owner}`}, 0))`.execute(
    db,
  );
  await sql`
    insert into security_mails (owner_id, kind, subject, recipient, address, user_agent, at, is_last, due_at)
    select u.id, ${kind}::text, ${subject}::text, coalesce(${mailTo ?? null}::text, u.email), ${address}::text,
      ${user_agent}::text, ${at}::bigint, sent.count = ${securityMailsPerHour - 1}, ${at}::bigint
    from auth."user" u, (
      select count(*) filter (where kind = ${kind}) as count, count(*) as together
      from security_mails where owner_id = ${owner} and at > ${at - hourMs}) sent
    where u.id = ${owner} and (u."emailVerified" or ${mailTo ?? null}::text is not null)
      and sent.count < ${securityMailsPerHour} and sent.together < ${securityMailsPerHourTogether}`.execute(
    db,
  );
}
