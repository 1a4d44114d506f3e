import { notificationRules } from '@homeport/contract/notifications/kinds';
import type pg from 'pg';
import { raiseNotices } from './raise-notices.ts';

type Row = {
  id: string;
  ownerId: string;
  serverId: string | null;
  appId: string | null;
  title: string;
  step: string | null;
  longname: string | null;
  database: boolean;
  databaseId: string | null;
  serverName: string | null;
  serverKey: string | null;
  at: number;
};

/** Raises news of operations that failed while no page of their owner's showed it. */
export async function raiseFailedOperations(pool: pg.Pool, now: number): Promise<void> {
  const { rows } = await pool.query<Row>(
    `select o.id, o.owner_id as "ownerId", coalesce(o.server_id, a.server_id) as "serverId", o.app_id as "appId", o.title,
       (select step ->> 'title' from jsonb_array_elements(o.steps) as step where step ->> 'state' = 'failed' limit 1) as step,
       coalesce(o.longname, a.longname) as longname,
       o.kind like 'database.%' as database, o.database_id as "databaseId", coalesce(s.name, o.server_name) as "serverName",
       coalesce(s.key, o.server_key) as "serverKey", o.ended_at as at
     from operations o left join apps a on a.id = o.app_id
       left join servers s on s.id = coalesce(o.server_id, a.server_id)
     where o.state = 'failed' and o.ended_at between $1 and $2 and o.noticed_at is distinct from o.ended_at
       and (o.seen_at is null or o.seen_at < o.ended_at)`,
    [now - notificationRules.newsMs, now - notificationRules.operationWatchedMs],
  );
  const news = rows.map(({ id, ownerId, serverId, appId, ...facts }) => ({
    ...{ ownerId, serverId, appId, kind: 'operation' as const, startedAt: facts.at, mark: facts.at },
    incident: `operation ${id}`,
    facts: { event: 'operation.failed' as const, ...facts },
  }));
  await raiseNotices(pool, news, now);
  for (const { id, at } of rows)
    await pool.query('update operations set noticed_at = $2 where id = $1', [id, at]);
}
