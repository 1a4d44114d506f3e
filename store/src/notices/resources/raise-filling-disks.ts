import { notificationRules } from '@homeport/contract/notifications/kinds';
import type pg from 'pg';
import { endThreads, raiseNotices } from '../raise-notices.ts';

type Row = {
  ownerId: string;
  serverId: string;
  serverName: string;
  serverKey: string;
  latestAt: number;
  /** Of the newest report. */
  percent: number;
  /** Bytes of the disk that are free. */
  free: number;
  /** Bytes that the disk gains in a millisecond, by a straight line through its hours. */
  slope: number;
  thread: string | null;
  incident: string | null;
  startedAt: number | null;
};

/** Older reports were looked at before; where they were not, the next one says the same. */
const recentMs = 120_000;

/**
 * How well the hours have to follow a straight line (the coefficient of determination, https://www.postgresql.org/docs/current/functions-aggregate.html).
 * One large file that was written at once fits with 0.75 at most.
 */
const leastFit = 0.8;

const find = {
  name: 'find_filling_disks',
  text: `select s.owner_id as "ownerId", s.id as "serverId", s.name as "serverName", s.key as "serverKey", r.latest_ts as "latestAt",
      shown.disk_percent as percent, whole.bytes - newest.disk_usage as free, trend.slope,
      t.id as thread, t.incident, t.started_at as "startedAt"
    from series.server r join servers s on s.id = r.server_id
      join series.server_raw newest on newest.series = r.id and newest.ts = r.latest_ts
      cross join lateral json_to_record(r.latest::json) as shown (disk_percent double precision)
      cross join lateral (select 100 * newest.disk_usage / nullif(shown.disk_percent, 0) as bytes) whole
      cross join lateral (
        select regr_slope(h.disk_usage_sum / h.disk_usage_weight, h.ts) as slope, regr_r2(h.disk_usage_sum / h.disk_usage_weight, h.ts) as fit,
          count(*) as hours
        from series.server_hourly h
        where h.series = r.id and h.ts > r.latest_ts - $2::bigint and h.ts <= r.latest_ts and h.disk_usage_weight > 0) trend
      left join notice_threads t on t.kind = 'server.filling' and t.server_id = s.id and t.ended_at is null
    where not s.simulated and r.latest is not null and r.latest_ts > $1 and newest.disk_usage is not null and whole.bytes > newest.disk_usage
      and (t.id is not null and trend.hours >= $3
        or t.id is null and trend.hours >= $3 and trend.slope > 0 and trend.fit >= $4 and newest.disk_usage >= whole.bytes * $5 / 100
          and whole.bytes - newest.disk_usage < trend.slope * $6::bigint)`,
};

/**
 * Raises news of servers whose disk will be full soon if it goes on as in the last hours, and of those where it slowed down. The time
 * of the end lies well above the one of the beginning, so that a disk that swings around it is told of once.
 */
export async function raiseFillingDisks(pool: pg.Pool, now: number): Promise<void> {
  const { fillingWithinMs, steadyFromMs, fillingHours, fillingFromPercent } = notificationRules;
  const { rows } = await pool.query<Row>({
    ...find,
    values: [
      now - recentMs,
      fillingHours * 3_600_000,
      fillingHours - 2,
      leastFit,
      fillingFromPercent,
      fillingWithinMs,
    ],
  });
  const judged = rows.filter(({ thread, slope, free }) => thread === null || slope * steadyFromMs <= free);
  await raiseNotices(pool, judged.map(toNews), now);
  await endThreads(
    pool,
    judged.flatMap(({ thread }) => thread ?? []),
    now,
  );
}

function toNews(row: Row) {
  const { ownerId, serverId, serverName, serverKey, percent, free, slope, latestAt } = row;
  const names = { serverName, serverKey };
  const subject = { ownerId, serverId, appId: null, kind: 'server.filling' as const, mark: 0 };
  if (row.incident !== null && row.startedAt !== null)
    return {
      ...subject,
      incident: row.incident,
      startedAt: row.startedAt,
      facts: { event: 'disk.steadied' as const, ...names, since: row.startedAt, until: latestAt, percent },
    };
  return {
    ...subject,
    incident: `server.filling ${serverId} ${latestAt}`,
    startedAt: latestAt,
    facts: {
      event: 'disk.filling' as const,
      ...names,
      since: latestAt,
      percent,
      fullAt: Math.round(latestAt + free / slope),
    },
  };
}
