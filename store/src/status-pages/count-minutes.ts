import { websiteWarning } from '@homeport/contract/proxies/facts';
import { statusPageRules } from '@homeport/contract/status-pages/facts';
import type pg from 'pg';
import { dayMs } from '../series/metrics.ts';

const count = {
  name: 'count_status_minutes',
  text: `with parts as (
      select c.proxy_id, coalesce(
        (select max(m.at) - 3600000 from status_minutes m where m.proxy_id = c.proxy_id), $2::bigint - 2 * 86400000) as since
      from status_components c where c.page_id = $1 and c.proxy_id is not null),
    minutes as (
      select u.proxy_id, u.at, sum(u.requests) as requests, sum(u.errors) as errors
      from parts p join proxy_use u on u.proxy_id = p.proxy_id and u.span = 'minute'
        -- The first hour may be gone in part. What was counted of it stays.
        and u.at >= greatest(p.since, $2::bigint - 2 * 86400000 + 3600000) and u.at - u.at % 3600000 >= p.since
      where u.requests > 0 group by u.proxy_id, u.at),
    judged as (
      select proxy_id, at - at % 3600000 as hour, errors >= $4::float8 * requests as fails, requests >= $3 as tells from minutes),
    old as (
      delete from status_minutes m using parts p where m.proxy_id = p.proxy_id and m.at < $2::bigint - $5::bigint)
    insert into status_minutes (proxy_id, at, up, down)
      select proxy_id, hour, count(*) filter (where not fails), count(*) filter (where fails and tells) from judged
      group by proxy_id, hour order by proxy_id, hour
    on conflict (proxy_id, at) do update set up = excluded.up, down = excluded.down
      where status_minutes.up + status_minutes.down <= excluded.up + excluded.down`,
};

/**
 * Counts the minutes in which the proxied domains of a page were asked. A minute is down where enough of its answers failed, however many
 * requests it had: whoever sends many weighs no more than a minute. Fewer requests that failed say nothing, and count nowhere.
 */
export async function countStatusMinutes(pool: pg.Pool, page: string, now: number): Promise<void> {
  const { requests, failingShare } = websiteWarning;
  const keptMs = (statusPageRules.bars + 2) * dayMs;
  await pool.query({ ...count, values: [page, now, requests, failingShare, keptMs] });
}
