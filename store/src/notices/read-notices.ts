import {
  type NotificationKind,
  type NotificationSubject,
  notificationRules,
} from '@homeport/contract/notifications/kinds';
import { sql } from 'kysely';
import type { OwnerRead } from '../owner.ts';
import type { NoticeSubject } from './mute-notices.ts';

export type KeptNotice = {
  id: string;
  kind: NotificationKind;
  facts: unknown;
  at: number;
  state: 'gathering' | 'waiting' | 'sent' | 'refused' | 'unsent';
  endedAt: number | null;
  summary: boolean;
  answer: string | null;
};

/** The newest news of one of the owner's servers (without its apps), apps or proxies, newest first, and what became of it by e-mail. */
export async function readNotices({ owner, db }: OwnerRead, subject: NoticeSubject): Promise<KeptNotice[]> {
  const { rows } = await sql<KeptNotice>`
    select n.id, t.kind, n.facts, n.created_at as at, coalesce(m.state, 'gathering') as state, m.ended_at as "endedAt",
      coalesce(m.summary, false) as summary, m.answer
    from notices n join notice_threads t on t.id = n.thread_id
      join notice_destinations w on w.owner_id = n.owner_id and w.kind = 'email'
      join notice_deliveries d on d.notice_id = n.id and d.destination_id = w.id
      left join notice_messages m on m.id = d.message_id
    where n.owner_id = ${owner}
      and ${isAbout(subject)}
    order by n.number desc limit ${notificationRules.shown}`.execute(db);
  return rows;
}

function isAbout(subject: NoticeSubject) {
  if ('proxyId' in subject) return sql`t.proxy_id = ${subject.proxyId}`;
  const { serverId, appId } = subject;
  return appId === null ? sql`t.server_id = ${serverId} and t.app_id is null` : sql`t.app_id = ${appId}`;
}

/** What is switched off; a kind of null is everything. */
export async function readMutes(
  { db }: OwnerRead,
  subject: NoticeSubject,
): Promise<{ of: NotificationSubject; kind: string | null }[]> {
  const rows = await db
    .selectFrom('notice_mutes')
    .select(['app_id', 'proxy_id', 'kind'])
    .where((eb) => {
      if ('proxyId' in subject) return eb('proxy_id', '=', subject.proxyId);
      const { serverId, appId } = subject;
      return appId === null
        ? eb('server_id', '=', serverId)
        : eb.or([eb('server_id', '=', serverId), eb('app_id', '=', appId)]);
    })
    .execute();
  return rows.map(({ app_id, proxy_id, kind }) => ({
    of: proxy_id !== null ? 'proxy' : app_id !== null ? 'app' : 'server',
    kind,
  }));
}
