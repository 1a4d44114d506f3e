import { staleAfterMs } from '@homeport/contract/limits';
import { notificationRules } from '@homeport/contract/notifications/kinds';
import type pg from 'pg';
import { endThreads, raiseNotices } from './raise-notices.ts';

type Row = { ownerId: string; serverId: string; serverName: string; serverKey: string };
type Silent = Row & { since: number };
type Back = Row & { thread: string; incident: string; since: number; until: number };

/**
 * Raises news of servers that report no longer, and of those that do again. A server is silent after two missed reports, and
 * back after two reports in a row.
 *
 * @param since from then on reports could arrive; silence before it is not the server's
 * @param canHear whether the console's own network is there; asked only where a server seems silent
 */
export async function raiseSilences(
  pool: pg.Pool,
  { now, since, canHear }: { now: number; since: number; canHear: () => Promise<boolean> },
): Promise<void> {
  const silentFrom = now - notificationRules.serverSilentMs;
  if (since <= silentFrom) {
    const silent = await pool.query<Silent>(
      `select s.owner_id as "ownerId", s.id as "serverId", s.name as "serverName", s.key as "serverKey", r.latest_ts as since
       from servers s join series.server r on r.server_id = s.id
       where not s.simulated and s.agent_token_hash is not null and r.latest_ts < $1
         and not exists (select from notice_threads t where t.kind = 'server.offline' and t.server_id = s.id
           and (t.ended_at is null or t.started_at = r.latest_ts))`,
      [silentFrom],
    );
    if (silent.rows.length > 0 && (await canHear())) await raiseNotices(pool, silent.rows.map(toSilent), now);
  }

  // A first report after the silence turns the thread; one more, while the server is Online, ends it.
  await pool.query(
    `update notice_threads t set turned_at = case when r.latest_ts > $1 then r.latest_ts end
     from series.server r
     where t.kind = 'server.offline' and t.ended_at is null and r.server_id = t.server_id
       and (t.turned_at is null) = (r.latest_ts > $1)`,
    [now - staleAfterMs],
  );
  const back = await pool.query<Back>(
    `select s.owner_id as "ownerId", s.id as "serverId", s.name as "serverName", s.key as "serverKey", t.id as thread,
       t.incident, t.started_at as since, t.turned_at as until
     from notice_threads t join servers s on s.id = t.server_id join series.server r on r.server_id = s.id
     where t.kind = 'server.offline' and t.ended_at is null and r.latest_ts > t.turned_at`,
  );
  await raiseNotices(pool, back.rows.map(toBack), now);
  for (const { thread, until } of back.rows) await endThreads(pool, [thread], until);
}

const toSilent = ({ ownerId, serverId, since, ...names }: Silent) => ({
  ...{ ownerId, serverId, appId: null, kind: 'server.offline' as const, startedAt: since, mark: 0 },
  incident: `server.offline ${serverId} ${since}`,
  facts: { event: 'server.went-silent' as const, ...names, since },
});

const toBack = ({ ownerId, serverId, thread: _, incident, since, until, ...names }: Back) => ({
  ...{ ownerId, serverId, appId: null, kind: 'server.offline' as const, incident, startedAt: since, mark: 0 },
  facts: { event: 'server.came-back' as const, ...names, since, until },
});
