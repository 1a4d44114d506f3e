import {
  type ComponentState,
  type IncidentState,
  type PostKind,
  statusPageLimits,
  statusPageRules,
} from '@homeport/contract/status-pages/facts';
import { type Standing, uptimeState } from '@homeport/contract/uptime/health';
import type pg from 'pg';
import { z } from 'zod';
import { dayMs } from '../series/metrics.ts';

/** A day (UTC) of a component. `planned`: some of it was maintenance, and that does not count. */
export type StatusDay = { up: number; down: number; planned: boolean };
export type ShownComponent = { name: string; group: string; state: ComponentState; days: StatusDay[] };
export type ShownPost = {
  id: string;
  kind: PostKind;
  title: string;
  createdAt: number;
  startsAt: number | null;
  endsAt: number | null;
  /** The newest first. */
  updates: { state: IncidentState | null; text: string; at: number }[];
};
/** All that visitors may learn of a page. No id of an app or server, no address, no reason is among it. */
export type ShownStatusPage = {
  id: string;
  slug: string;
  title: string;
  createdAt: number;
  /** The begin of the first of the days (UTC). */
  from: number;
  at: number;
  components: ShownComponent[];
  /** The newest first. */
  posts: ShownPost[];
};

type ComponentRow = Standing & {
  target: string;
  name: string;
  group: string;
  /** The check of an app; null for a proxy, and for an app without a check. */
  check: number | null;
  paused: boolean;
  setUpAt: number;
  latest: string | null;
  /** Milliseconds of the last checks, and of a usual one. */
  recent: number | null;
  usual: number | null;
  isProxy: boolean;
  unserved: boolean;
  sourceFails: boolean;
  someFails: boolean;
  isServed: boolean;
  planned: boolean;
};

const concerns = (target: string) => `(w.affects = '{}' or (${target})::text = any (w.affects))`;

const components = {
  name: 'read_status_components',
  text: `select coalesce(c.app_id, c.proxy_id) as target, c.name, c.group_name as "group", k.id as check,
      k.due_at is null as paused, k.created_at as "setUpAt", k.latest, k.confirmed, k.confirmed_at as "confirmedAt", k.against,
      k.turned_at as "turnedAt", k.unknown_since as "unknownSince",
      (select percentile_cont(0.5) within group (order by total) from (
        select total from series.check_raw where series = k.id and ok and ts > $2::bigint - 600000 order by ts desc limit $3) r) as recent,
      (select sum(total_sum) / nullif(sum(total_n), 0) from series.check_hourly
        where series = k.id and ts > $2::bigint - 604800000) as usual,
      c.proxy_id is not null as "isProxy", p.unserved_at is not null as unserved,
      coalesce(p.failing_rules ? 'source', false) as "sourceFails", coalesce(p.failing_rules <> '{}', false) as "someFails",
      coalesce(p.allowed and p.holds, false) as "isServed",
      exists (select from status_posts w where w.page_id = $1 and w.kind = 'maintenance' and w.starts_at <= $2 and w.ends_at > $2
        and ${concerns('coalesce(c.app_id, c.proxy_id)')}) as planned
    from status_components c left join checks k on k.app_id = c.app_id left join proxies p on p.id = c.proxy_id
    where c.page_id = $1 order by c.position, c.id`,
};

/**
 * The checks of each component by day, and for a proxied domain the minutes in which somebody asked it. Of a day with a maintenance the hours count
 * that no maintenance touches. An older day, whose hours are gone, counts whole, so that no outage vanishes with them.
 */
const days = {
  name: 'read_status_days',
  text: `with parts as materialized (
      select coalesce(c.app_id, c.proxy_id) as target, k.id as series, c.proxy_id from status_components c
      left join checks k on k.app_id = c.app_id where c.page_id = $1),
    -- Maintenances that overlap are one, so that many of them cost no more than the days.
    planned as materialized (
      select p.target, range_agg(int8range(greatest(w.starts_at, $2), least(w.ends_at, $3))) as during from parts p
        join status_posts w on w.page_id = $1 and w.kind = 'maintenance' and w.ends_at > $2 and w.starts_at < $3 and ${concerns('p.target')}
        group by p.target),
    touched as materialized (
      select distinct target, day from planned, unnest(during) as w (during),
        generate_series(lower(w.during) - lower(w.during) % 86400000, upper(w.during) - 1, 86400000) as day
      where day >= $4),
    hours as (
      select p.target, h.ts, h.up::bigint as up, h.down::bigint as down from parts p join touched t on t.target = p.target
        join series.check_hourly h on h.series = p.series and h.ts >= t.day and h.ts < t.day + 86400000
      union all
      select p.target, m.at, m.up, m.down from parts p join touched t on t.target = p.target
        join status_minutes m on m.proxy_id = p.proxy_id and m.at >= t.day and m.at < t.day + 86400000),
    counted as (
      select p.target, d.ts - d.ts % 86400000 as day, d.up::bigint as up, d.down::bigint as down
        from parts p join series.check_daily d on d.series = p.series and d.ts >= $2 and d.ts < $3
      union all
      select p.target, m.at - m.at % 86400000, m.up, m.down
        from parts p join status_minutes m on m.proxy_id = p.proxy_id and m.at >= $2 and m.at < $3)
    select target, day, sum(up)::float8 as up, sum(down)::float8 as down, bool_or(planned) as planned from (
      select target, day, up, down, false as planned from counted
        where not exists (select from touched t where t.target = counted.target and t.day = counted.day)
      union all select target, day, 0, 0, true from touched
      union all
      select target, ts - ts % 86400000, up, down, true from hours
        where not exists (select from planned p where p.target = hours.target and p.during && int8range(hours.ts, hours.ts + 3600000))
    ) all_days group by target, day`,
};

const posts = {
  name: 'read_status_posts',
  text: `select p.id, p.kind, p.title, p.created_at as "createdAt", p.starts_at as "startsAt", p.ends_at as "endsAt",
      (select coalesce(json_agg(json_build_object('state', u.state, 'text', u.text, 'at', u.at) order by u.at desc, u.number desc), '[]')
        from status_updates u where u.post_id = p.id) as updates
    from status_posts p where p.page_id = $1 order by p.created_at desc, p.id limit $2`,
};

/** Fewer days than hours are kept for certain (`keptDays` of the series). */
const hourDays = 58;

type DayRow = { target: string; day: number; up: number; down: number; planned: boolean };

/** What visitors of a page see at this moment. Undefined where it is gone. */
export async function readStatusPage(
  pool: pg.Pool,
  id: string,
  now: number,
): Promise<ShownStatusPage | undefined> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query("set local statement_timeout = '5s'");
    const page = await readWhole(client, id, now);
    await client.query('commit');
    return page;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

async function readWhole(
  client: pg.PoolClient,
  id: string,
  now: number,
): Promise<ShownStatusPage | undefined> {
  const { slowChecks, bars } = statusPageRules;
  const { rows: pages } = await client.query<{ slug: string; title: string; createdAt: number }>(
    'select slug, title, created_at as "createdAt" from status_pages where id = $1',
    [id],
  );
  const [page] = pages;
  if (!page) return undefined;
  const end = now - (now % dayMs) + dayMs;
  const from = end - bars * dayMs;
  const parts = await client.query<ComponentRow>({ ...components, values: [id, now, slowChecks] });
  const counted = await client.query<DayRow>({ ...days, values: [id, from, end, end - hourDays * dayMs] });
  const written = await client.query<ShownPost>({ ...posts, values: [id, statusPageLimits.shownPosts] });
  const byTarget = new Map<string, DayRow[]>();
  for (const row of counted.rows) byTarget.set(row.target, [...(byTarget.get(row.target) ?? []), row]);
  return {
    ...{ id, ...page, from, at: now, posts: written.rows },
    components: parts.rows.map((row) => ({
      ...{ name: row.name, group: row.group, state: stateOf(row, now) },
      days: daysOf(byTarget.get(row.target) ?? [], from, bars),
    })),
  };
}

function daysOf(rows: readonly DayRow[], from: number, count: number): StatusDay[] {
  const known = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: count }, (_, index) => {
    const { up = 0, down = 0, planned = false } = known.get(from + index * dayMs) ?? {};
    return { up, down, planned };
  });
}

const latestSchema = z.object({ at: z.number() });

/** A failure that is not confirmed yet leaves an app up, as on the console's own pages. */
export function stateOf(row: ComponentRow, now: number): ComponentState {
  if (row.planned) return 'maintenance';
  if (row.isProxy) {
    if (row.unserved || row.sourceFails) return 'down';
    if (row.someFails) return 'slow';
    return row.isServed ? 'up' : 'unknown';
  }
  if (row.check === null || row.latest === null) return 'unknown';
  const { at } = latestSchema.parse(JSON.parse(row.latest));
  if (now - at > statusPageRules.freshMs) return 'unknown';
  const { online } = uptimeState(row);
  if (online === null) return 'unknown';
  if (!online) return 'down';
  const { slowTimes, slowMs } = statusPageRules;
  const { recent, usual } = row;
  const isSlow = recent !== null && usual !== null && recent > slowMs && recent > slowTimes * usual;
  return isSlow ? 'slow' : 'up';
}
