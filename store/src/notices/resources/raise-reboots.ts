import type pg from 'pg';
import { raiseNotices } from '../raise-notices.ts';

type Row = {
  ownerId: string;
  serverId: string;
  serverName: string;
  serverKey: string;
  /** When the machine started, by its own clock. */
  bootedAt: number;
  /** The last report before that. */
  lastReportAt: number;
};

/** Older reports were looked at before. */
const recentMs = 120_000;
/** A machine that started longer ago was looked at, or was away for so long that its return says more. */
const startedWithinMs = 3_600_000;
const reportedWithinMs = 7 * 86_400_000;
/**
 * The time of a start is reckoned from the machine's clock, which a report may have wrong by half a minute. Two starts that lie closer
 * are one.
 */
const apartMs = 120_000;

/** Raises news of servers that started anew since they reported before. The first report of a new server is none. */
export async function raiseReboots(pool: pg.Pool, now: number): Promise<void> {
  const { rows } = await pool.query<Row>({
    name: 'find_reboots',
    text: `select s.owner_id as "ownerId", s.id as "serverId", s.name as "serverName", s.key as "serverKey",
        boot.at as "bootedAt", before.at as "lastReportAt"
      from series.server r join servers s on s.id = r.server_id
        cross join lateral (select r.state::json as of) newest
        cross join lateral (select case when (newest.of ->> 'uptime')::double precision between 0 and 1e12
          then ((newest.of ->> 'ts')::double precision - 1000 * (newest.of ->> 'uptime')::double precision)::bigint end as at) boot
        cross join lateral (select max(w.ts) as at from series.server_raw w
          where w.series = r.id and w.ts < boot.at - $4::bigint and w.ts > boot.at - $3::bigint) before
      where not s.simulated and r.state is not null and r.latest_ts > $1::bigint and boot.at > r.latest_ts - $2::bigint
        and before.at is not null
        and not exists (select from notice_threads t where t.kind = 'server.reboot' and t.server_id = s.id
          and abs(t.started_at - boot.at) < $4::bigint)`,
    values: [now - recentMs, startedWithinMs, reportedWithinMs, apartMs],
  });
  await raiseNotices(pool, rows.map(toNews), now);
}

const toNews = ({ ownerId, serverId, bootedAt, ...facts }: Row) => ({
  ...{ ownerId, serverId, appId: null, kind: 'server.reboot' as const, startedAt: bootedAt, mark: 0 },
  incident: `server.reboot ${serverId} ${bootedAt}`,
  facts: { event: 'server.rebooted' as const, ...facts, at: bootedAt },
});
