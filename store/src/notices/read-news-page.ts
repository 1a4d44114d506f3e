import { destinationKinds } from '@homeport/contract/destinations/facts';
import { type NewsKind, notificationRules } from '@homeport/contract/notifications/kinds';
import type { Acknowledged, NewsPage, ToldDestination } from '@homeport/contract/notifications/news-page';
import { sql } from 'kysely';
import type { OwnerRead } from '../owner.ts';
import { goesThere, leavesAt, waitMs } from './unanswered/second-destinations.ts';

export type NewsFilter = {
  kind?: NewsKind | undefined;
  /** The id of a server, with its apps, of an app or of a proxy. */
  about?: string | undefined;
  /** The thread whose pieces are read. */
  incident?: string | undefined;
  /** Only what was raised before the piece with this number. */
  before?: number | undefined;
};

type Piece = {
  id: string;
  number: number;
  kind: NewsKind;
  facts: unknown;
  at: number;
  thread: string;
  since: number;
  overAt: number | null;
  acknowledged: Acknowledged | null;
  muted: boolean;
  serverId: string | null;
  appId: string | null;
  told: ToldDestination[];
};

/** One page of the owner's news, newest first, each with the destinations that it goes to and what became of it there. Kinds that a newer console added are left out. */
export async function readNewsPage(
  { owner, db }: OwnerRead,
  filter: NewsFilter,
  now: number,
): Promise<{ pieces: Piece[]; next: number | null }> {
  const { rows } = await sql<Piece>`
    select n.id, n.number, t.kind, n.facts, n.created_at as at, t.id as thread, t.started_at as since,
      t.ended_at as "overAt",
      case when t.acknowledged_at >= n.created_at then
        json_build_object('by', t.acknowledged_by, 'at', t.acknowledged_at) end as acknowledged, n.muted,
      t.server_id as "serverId", t.app_id as "appId",
      coalesce((select json_agg(json_build_object(
          'destinationId', w.id, 'kind', w.kind, 'name', case when w.kind = 'email' then 'E-mail' else w.name end,
          'state', coalesce(m.state, 'gathering'), 'endedAt', m.ended_at,
          'dueAt', case when m.state = 'waiting' then m.due_at when m.id is null and (w.after_minutes > 0 or n.muted)
            then greatest(${leavesAt(waitMs)}, muted_until(t.id, t.server_id, t.app_id, ${now}::bigint)) end,
          'attempts', coalesce(m.attempts, 0), 'together', coalesce(m.summary, false), 'repeatedAt', d.repeated_at, 'answer', m.answer)
          order by w.kind <> 'email', w.created_at, w.id)
        from notice_deliveries d join notice_destinations w on w.id = d.destination_id
          left join notice_messages m on m.id = d.message_id
        where d.notice_id = n.id and w.kind = any(${destinationKinds})
          and (d.message_id is not null or ${goesThere})), '[]') as told
    from notices n join notice_threads t on t.id = n.thread_id
    where n.owner_id = ${owner}
      ${filter.kind === undefined ? sql`` : sql`and t.kind = ${filter.kind}`}
      ${filter.about === undefined ? sql`` : sql`and ${filter.about}::uuid in (t.server_id, t.app_id, t.proxy_id)`}
      ${filter.incident === undefined ? sql`` : sql`and t.id = ${filter.incident}::uuid`}
      ${filter.before === undefined ? sql`` : sql`and n.number < ${filter.before}`}
    order by n.number desc limit ${notificationRules.pageOfNews + 1}`.execute(db);
  const pieces = rows.slice(0, notificationRules.pageOfNews);
  return { pieces, next: rows.length > pieces.length ? (pieces.at(-1)?.number ?? null) : null };
}

/** The servers, apps and proxies that the owner's kept news is about, by name. A server is among them for news of its apps, too. */
export async function readNewsSubjects({ owner, db }: OwnerRead): Promise<NewsPage['subjects']> {
  const { rows } = await sql<NewsPage['subjects'][number]>`
    with subjects as (
      select distinct t.server_id, t.app_id, t.proxy_id from notice_threads t
      where t.owner_id = ${owner} and exists (select from notices n where n.thread_id = t.id))
    select id, 'server' as of, name from servers where id in (select server_id from subjects)
    union all select id, 'app', name from apps where id in (select app_id from subjects)
    union all select id, 'proxy', name from proxies where id in (select proxy_id from subjects)
    order by name, id`.execute(db);
  return rows;
}
