import { notificationRules } from '@homeport/contract/notifications/kinds';
import type pg from 'pg';
import { endThreads, raiseNotices } from '../raise-notices.ts';

type Row = {
  ownerId: string;
  serverId: string;
  serverName: string;
  serverKey: string;
  latestAt: number;
  percent: number;
  /** Of the report before, by the disk's present size; null without one. */
  percentBefore: number | null;
  beforeAt: number | null;
  thread: string | null;
  incident: string | null;
};

/** Older reports were looked at before; where they were not, the next one says the same. */
const recentMs = 120_000;

/**
 * Raises news of servers whose disks are nearly full, and of those that have room again. Two reports in a row have to agree,
 * and the second threshold lies below the first.
 */
export async function raiseFullDisks(pool: pg.Pool, now: number): Promise<void> {
  const { rows } = await pool.query<Row>(
    `select s.owner_id as "ownerId", s.id as "serverId", s.name as "serverName", s.key as "serverKey",
       r.latest_ts as "latestAt", shown.disk_percent as percent, before.ts as "beforeAt",
       shown.disk_percent * before.disk_usage / nullif(newest.disk_usage, 0) as "percentBefore",
       t.id as thread, t.incident
     from series.server r join servers s on s.id = r.server_id
       cross join lateral json_to_record(r.latest::json) as shown (disk_percent double precision)
       left join series.server_raw newest on newest.series = r.id and newest.ts = r.latest_ts
       left join lateral (select ts, disk_usage from series.server_raw where series = r.id and ts < r.latest_ts
         order by ts desc limit 1) before on true
       left join notice_threads t on t.kind = 'server.disk' and t.server_id = s.id and t.ended_at is null
     where not s.simulated and r.latest is not null and r.latest_ts > $1
       and (shown.disk_percent >= $2 and t.id is null or shown.disk_percent < $3 and t.id is not null)`,
    [now - recentMs, notificationRules.diskFullPercent, notificationRules.diskEasedPercent],
  );
  const agreed = rows.filter(({ thread, percentBefore }) =>
    percentBefore === null
      ? false
      : thread === null
        ? percentBefore >= notificationRules.diskFullPercent
        : percentBefore < notificationRules.diskEasedPercent,
  );
  await raiseNotices(pool, agreed.map(toNews), now);
  const eased = agreed.flatMap(({ thread }) => thread ?? []);
  await endThreads(pool, eased, now);
}

function toNews({ ownerId, serverId, serverName, serverKey, percent, beforeAt, latestAt, ...row }: Row) {
  const since = beforeAt ?? latestAt;
  const names = { serverName, serverKey };
  const subject = { ownerId, serverId, appId: null, kind: 'server.disk' as const, startedAt: since, mark: 0 };
  return row.incident === null
    ? {
        ...subject,
        incident: `server.disk ${serverId} ${since}`,
        facts: { event: 'disk.filled' as const, ...names, since, percent },
      }
    : {
        ...subject,
        incident: row.incident,
        facts: { event: 'disk.eased' as const, ...names, until: since, percent },
      };
}
