import { notificationRules, type Resource, resources } from '@homeport/contract/notifications/kinds';
import type pg from 'pg';
import { endThreads, type News, raiseNotices } from '../raise-notices.ts';

type Figures = Record<Resource, number | null>;

type Row = {
  ownerId: string;
  serverId: string;
  serverName: string;
  serverKey: string;
  latestAt: number;
  /** Of the newest report, in percent. */
  newest: Figures;
  /** The lowest figures of the time after which news is raised; null where a report of it has none, or it has too few reports. */
  lowest: Figures | null;
  /** When that time's first report was measured. */
  since: number | null;
  /** The highest figures of the last reports, likewise. */
  highest: Figures | null;
  threads: { id: string; incident: string; startedAt: number }[];
};

/** Older reports were looked at before. */
const recentMs = 120_000;
/** So many reports cover the time. An agent that reports more rarely raises no such news. */
const reports = 4;
const easedReports = 2;

/** SQL: the figures of the reports `w` in percent, each by this aggregate; null where a report lacks one. */
const figures = (aggregate: 'min' | 'max') => `json_build_object(
  'cpu', case when count(w.load_cpu) = count(*) then ${aggregate}(w.load_cpu) end,
  'ram', case when count(w.ram_usage) = count(*) then ${aggregate}(100.0 * w.ram_usage / nullif(shown.ram_total, 0)) end,
  'swap', case when count(w.swap_usage) = count(*) then ${aggregate}(100.0 * w.swap_usage / nullif(shown.swap_total, 0)) end,
  'load', case when count(w.load_avg) = count(*) then ${aggregate}(100.0 * w.load_avg / nullif(shown.cpu_cores, 0)) end)`;

const find = {
  name: 'find_pressure',
  text: `select s.owner_id as "ownerId", s.id as "serverId", s.name as "serverName", s.key as "serverKey", r.latest_ts as "latestAt",
      newest.figures as newest, last.figures as highest, whole.since,
      case when whole.reports >= $4 and whole.since <= r.latest_ts - $2::bigint * 3 / 4 then whole.figures end as lowest,
      (select coalesce(json_agg(json_build_object('id', t.id, 'incident', t.incident, 'startedAt', t.started_at)), '[]')
       from notice_threads t where t.kind = 'server.pressure' and t.server_id = s.id and t.ended_at is null) as threads
    from series.server r join servers s on s.id = r.server_id
      cross join lateral (select report #>> '{mem,total}' as ram, report #>> '{swap,total}' as swap, report ->> 'cpu_cores' as cores
        from (select r.latest::json -> 'report' as report) newest) as words
      cross join lateral (select words.ram::double precision as ram_total, words.swap::double precision as swap_total,
        words.cores::double precision as cpu_cores) shown
      cross join lateral (select ${figures('max')} as figures
        from series.server_raw w where w.series = r.id and w.ts = r.latest_ts) newest
      cross join lateral (select count(*) as reports, min(w.ts) as since, ${figures('min')} as figures
        from series.server_raw w where w.series = r.id and w.ts > r.latest_ts - $2::bigint and w.ts <= r.latest_ts) whole
      cross join lateral (select case when count(*) >= $5 then ${figures('max')} end as figures
        from series.server_raw w where w.series = r.id and w.ts > r.latest_ts - $3::bigint and w.ts <= r.latest_ts) last
    where not s.simulated and r.latest is not null and r.latest_ts > $1`,
};

/**
 * Raises news of servers whose processor, memory, swap or load stays over its limit, and of those where it eased. Each report of the time
 * has to agree, and the limit of the end lies below the one of the beginning, so that what swings is told of once.
 */
export async function raisePressure(pool: pg.Pool, now: number): Promise<void> {
  const { pressureMs, pressureEasedMs } = notificationRules;
  const { rows } = await pool.query<Row>({
    ...find,
    values: [now - recentMs, pressureMs, pressureEasedMs, reports, easedReports],
  });
  const judged = rows.flatMap((row) => resources.flatMap((resource) => judge(row, resource) ?? []));
  await raiseNotices(
    pool,
    judged.map(({ news }) => news),
    now,
  );
  await endThreads(
    pool,
    judged.flatMap(({ ended }) => ended ?? []),
    now,
  );
}

function judge(row: Row, resource: Resource): { news: News; ended: string | null } | null {
  const { over, under } = notificationRules.pressure[resource];
  const percent = row.newest[resource];
  if (percent === null) return null;
  const { ownerId, serverId, serverName, serverKey } = row;
  const subject = { ownerId, serverId, appId: null, kind: 'server.pressure' as const, mark: 0 };
  const facts = { serverName, serverKey, resource, percent };
  const thread = row.threads.find(({ incident }) => incident.split(' ')[2] === resource);
  if (thread) {
    const highest = row.highest?.[resource] ?? null;
    if (highest === null || highest >= under) return null;
    const { id, incident, startedAt } = thread;
    const eased = { event: 'server.eased' as const, ...facts, since: startedAt, until: row.latestAt };
    return { news: { ...subject, incident, startedAt, facts: eased }, ended: id };
  }
  const lowest = row.lowest?.[resource] ?? null;
  if (lowest === null || lowest < over || row.since === null) return null;
  const { since } = row;
  const strained = { event: 'server.strained' as const, ...facts, since };
  const incident = `server.pressure ${serverId} ${resource} ${since}`;
  return { news: { ...subject, incident, startedAt: since, facts: strained }, ended: null };
}
