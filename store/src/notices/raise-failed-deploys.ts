import { notificationRules } from '@homeport/contract/notifications/kinds';
import type pg from 'pg';
import { raiseNotices } from './raise-notices.ts';

type Row = {
  ownerId: string;
  serverId: string;
  appId: string;
  appName: string;
  longname: string;
  serverName: string;
  serverKey: string;
  at: number;
  deployedAt: number | null;
};

/** How far the server's clock and the console's may be apart where one failure is known from both. */
const clocksMs = 120_000;

/**
 * Raises news of deploys that failed. All failures since the last good deploy are one incident. What an operation of the
 * console failed at is told of as the operation.
 */
export async function raiseFailedDeploys(pool: pg.Pool, now: number): Promise<void> {
  const { rows } = await pool.query<Row>(
    `select a.owner_id as "ownerId", a.server_id as "serverId", a.id as "appId", a.name as "appName", a.longname,
       s.name as "serverName", s.key as "serverKey", a.deploy_failed_at as at, a.deployed_at as "deployedAt"
     from apps a join servers s on s.id = a.server_id
     where a.deploy_failed_at > $1
       and a.deploy_noticed_at is distinct from a.deploy_failed_at
       and not exists (select from operations o where o.app_id = a.id and o.state in ('running', 'waiting', 'failed')
         and a.deploy_failed_at between o.started_at - $2::bigint and coalesce(o.ended_at, $3) + $2::bigint)`,
    [now - notificationRules.newsMs, clocksMs, now],
  );
  const news = rows.map(({ ownerId, serverId, appId, deployedAt, at, ...names }) => ({
    ...{ ownerId, serverId, appId, kind: 'app.deploy' as const, startedAt: at, mark: at },
    incident: `app.deploy ${appId} ${deployedAt ?? 'never'}`,
    facts: { event: 'deploy.failed' as const, ...names, at },
  }));
  await raiseNotices(pool, news, now);
  for (const { appId, at } of rows)
    await pool.query('update apps set deploy_noticed_at = $2 where id = $1', [appId, at]);
}
