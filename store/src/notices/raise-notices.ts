import type { NoticeEvent } from '@homeport/contract/notifications/events';
import { endingEvents, graveEvents, type NewsKind } from '@homeport/contract/notifications/kinds';
import type pg from 'pg';

/** A piece of news for the owner of what it is about. */
export type News = {
  ownerId: string;
  kind: NewsKind;
  /** Names the incident; all news of it form one thread. */
  incident: string;
  serverId: string | null;
  appId: string | null;
  /** For news of a proxy, which is about no server and no app. */
  proxyId?: string;
  startedAt: number;
  /** Tells news of one incident with the same event apart. */
  mark: number;
  facts: NoticeEvent;
};

/** SQL: the payload by which pages hear that news of the thread `t` changed, so that they read its subject again. */
export const threadChange = `json_build_object('owner', t.owner_id,
  'topic', case when t.kind = 'console.backup' then 'console' when t.proxy_id is not null then 'proxies'
    when t.app_id is not null then 'apps' else 'servers' end,
  'id', coalesce(t.proxy_id, t.app_id, t.server_id))::text`;

/** SQL: the payload by which pages hear that the owner's news changed, so that they read the list of it again. */
export const newsChange = (owner: string) =>
  `json_build_object('owner', ${owner}, 'topic', 'notifications', 'id', null)::text`;

const listed = (events: readonly string[]) => events.map((event) => `'${event}'`).join(', ');

/** SQL: the raised notice `k` is grave, or is the end of an incident that was. */
const isGrave = `(k.event in (${listed(graveEvents)}) or k.event in (${listed(endingEvents)}) and exists (
        select from notices b where b.thread_id = k.thread_id and b.event in (${listed(graveEvents)})))`;

const raise = {
  name: 'raise_notices',
  text: `with arriving as (
      select * from json_to_recordset($1::json) as a ("ownerId" uuid, kind text, incident text, "serverId" uuid, "appId" uuid,
        "proxyId" uuid, "startedAt" bigint, mark bigint, facts jsonb)
      where wants_notice("serverId", "appId", kind, "proxyId")),
    threads as (
      insert into notice_threads as t (owner_id, kind, incident, server_id, app_id, proxy_id, started_at)
      select distinct on (incident) "ownerId", kind, incident, "serverId", "appId", "proxyId", "startedAt" from arriving
      on conflict (incident) do update set incident = t.incident returning *),
    kept as (
      insert into notices (thread_id, owner_id, event, mark, facts, created_at, muted)
      select t.id, a."ownerId", a.facts ->> 'event', a.mark, a.facts, $2, muted_until(t.id, a."serverId", a."appId", $2) is not null
      from arriving a join threads t on t.incident = a.incident
      on conflict do nothing returning id, owner_id, thread_id, event),
    outgoing as (
      insert into notice_deliveries (notice_id, destination_id, owner_id, grave)
      select k.id, d.id, k.owner_id, ${isGrave} from kept k join notice_destinations d on d.owner_id = k.owner_id and d.state = 'on')
    select count(pg_notify('changed', payload)) from (
      select ${threadChange} as payload from kept k join threads t on t.id = k.thread_id
      union select ${newsChange('owner_id')} from kept) told`,
};

/**
 * Keeps news, each once however often it is raised, and puts it into the outbox. What its owner does not want to be told of
 * is dropped.
 */
export async function raiseNotices(pool: pg.Pool, news: readonly News[], now: number): Promise<void> {
  if (news.length === 0) return;
  await pool.query({ ...raise, values: [JSON.stringify(news), now] });
}

/** Ends threads, so that what comes of their subject later is another incident. */
export async function endThreads(pool: pg.Pool, threads: readonly string[], endedAt: number): Promise<void> {
  if (threads.length === 0) return;
  await pool.query(
    `with ended as (
      update notice_threads set ended_at = $2 where id = any($1::uuid[]) and ended_at is null returning owner_id)
    select count(pg_notify('changed', payload)) from (select distinct ${newsChange('owner_id')} as payload from ended) told`,
    [threads, endedAt],
  );
}
