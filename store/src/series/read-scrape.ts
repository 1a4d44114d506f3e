import { type Standing, uptimeState } from '@homeport/contract/uptime/health';
import { sql } from 'kysely';
import type { OwnerRead } from '../owner.ts';
import type { RawRow } from './metrics.ts';

/** The newest point of a server, and the bytes in all since measuring began. */
export type ScrapedServer = Omit<RawRow<'server'>, 'series' | 'seconds' | 'rx' | 'tx'> & {
  key: string;
  name: string;
  monitorId: string;
  latest: string;
  received: number;
  sent: number;
};

/** The first servers of the owner that have reported within two days, one more than `most` at most. */
export async function scrapeServers({ owner, db }: OwnerRead, most: number): Promise<ScrapedServer[]> {
  const { rows } = await sql<ScrapedServer>`
    select v.key, v.name, v.monitor_id as "monitorId", s.latest, newest.ts, newest.load_avg, newest.load_cpu, newest.load_io,
      newest.ram_usage, newest.swap_usage, newest.disk_usage, newest.ping_us, newest.ping_eu, newest.ping_as,
      total.received, total.sent
    from servers v join series.server s on s.server_id = v.id
    join lateral (select * from series.server_raw r where r.series = s.id order by ts desc limit 1) newest on true
    cross join lateral (
      select coalesce(sum(rx), 0)::bigint as received, coalesce(sum(tx), 0)::bigint as sent
      from series.server_monthly m where m.series = s.id) total
    where v.owner_id = ${owner} and v.monitor_id is not null and s.latest is not null
    order by v.created_at, v.id limit ${most + 1}`.execute(db);
  return rows;
}

/** The newest point of the containers of an app, or of a database (`type`). */
export type ScrapedContainers = {
  server: string;
  longname: string;
  name: string;
  /** The type of a database. Null: an app. */
  type: string | null;
  ts: number;
  cpu: number | null;
  memory: number | null;
  memoryPercent: number | null;
  received: number;
  sent: number;
};

/** The owner's apps and databases that reports of two days named, one more than `most` at most. */
export async function scrapeContainers({ owner, db }: OwnerRead, most: number): Promise<ScrapedContainers[]> {
  const { rows } = await sql<ScrapedContainers>`
    select named.server, named.longname, named.name, named.type, newest.ts, newest.cpu_percent as cpu,
      newest.mem_usage as memory, newest.mem_percent as "memoryPercent", total.received, total.sent
    from (
      select v.key as server, p.longname, p.name, null as type, a.id as series, p.created_at, p.id
      from apps p join servers v on v.id = p.server_id join series.server s on s.server_id = v.id
      join series.app a on a.server = s.id and a.name = p.longname where p.owner_id = ${owner}
      union all
      select v.key as server, d.longname, d.name, d.type, a.id as series, d.created_at, d.id
      from databases d join servers v on v.id = d.server_id join series.server s on s.server_id = v.id
      join series.app a on a.server = s.id and a.name = series.database_name(d.type, d.longname) where d.owner_id = ${owner}
    ) named
    join lateral (select * from series.app_raw r where r.series = named.series order by ts desc limit 1) newest on true
    cross join lateral (
      select coalesce(sum(rx), 0)::bigint as received, coalesce(sum(tx), 0)::bigint as sent
      from series.app_monthly m where m.series = named.series) total
    order by named.created_at, named.id limit ${most + 1}`.execute(db);
  return rows;
}

export type ScrapedCheck = {
  server: string;
  longname: string;
  /** Null while neither up nor down can be said. */
  online: boolean | null;
  /** JSON (`uptimeCheckSchema`). Null before the first check. */
  latest: string | null;
};

/** The owner's checks from outside, one more than `most` at most. */
export async function scrapeChecks({ owner, db }: OwnerRead, most: number): Promise<ScrapedCheck[]> {
  const { rows } = await sql<Standing & Omit<ScrapedCheck, 'online'> & { paused: boolean; setUpAt: number }>`
    select v.key as server, a.longname, c.latest, c.due_at is null as paused, c.created_at as "setUpAt",
      c.confirmed, c.confirmed_at as "confirmedAt", c.against, c.turned_at as "turnedAt", c.unknown_since as "unknownSince"
    from checks c join apps a on a.id = c.app_id join servers v on v.id = a.server_id
    where a.owner_id = ${owner} order by a.created_at, a.id limit ${most + 1}`.execute(db);
  return rows.map(({ server, longname, latest, ...standing }) => ({
    ...{ server, longname, latest },
    online: uptimeState(standing).online,
  }));
}
