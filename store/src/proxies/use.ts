import type { Horizon } from '@homeport/contract/horizons';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '../database.ts';

/** What a data plane counted for one rule in one minute. */
export type RuleUse = {
  proxyId: string;
  /** A rule's id, or `source`. */
  rule: string;
  /** The start of the minute. */
  at: number;
  requests: number;
  errors: number;
  hits: number;
  bytes: number;
  latencyMs: number;
  latencyMaxMs: number;
};

const add = {
  name: 'add_proxy_use',
  text: `with told as (select * from json_to_recordset($1::json) as told ("proxyId" uuid, rule text, at bigint, requests bigint,
      errors bigint, hits bigint, bytes bigint, "latencyMs" bigint, "latencyMaxMs" integer)),
    spans as (select span, case span
        when 'minute' then at
        when 'hour' then at - at % 3600000
        when 'day' then at - at % 86400000
        else (extract(epoch from date_trunc('month', to_timestamp(at / 1000.0) at time zone 'UTC') at time zone 'UTC') * 1000)::bigint
      end as start, told.*
      from told, unnest(array['minute', 'hour', 'day', 'month']) as span
      where exists (select from proxies p where p.id = told."proxyId"))
    insert into proxy_use as u (proxy_id, rule, span, at, requests, errors, hits, bytes, latency_ms, latency_max_ms)
      select "proxyId", rule, span, start, sum(requests), sum(errors), sum(hits), sum(bytes), sum("latencyMs"), max("latencyMaxMs")
      from spans group by "proxyId", rule, span, start order by "proxyId", rule, span, start
    on conflict (proxy_id, rule, span, at) do update set
      requests = u.requests + excluded.requests, errors = u.errors + excluded.errors, hits = u.hits + excluded.hits,
      bytes = u.bytes + excluded.bytes, latency_ms = u.latency_ms + excluded.latency_ms,
      latency_max_ms = greatest(u.latency_max_ms, excluded.latency_max_ms)`,
};

/** Adds what a plane counted to the minutes, hours, days and months, in one statement. Counts of deleted proxies are dropped. */
export async function addProxyUse(pool: pg.Pool, use: readonly RuleUse[]): Promise<void> {
  if (use.length > 0) await pool.query({ ...add, values: [JSON.stringify(use)] });
}

/** One point of a rule's series. `at` is the start of its minute, hour, day or month (UTC). */
export type UsePoint = Omit<RuleUse, 'proxyId'>;

const spans = { all: 'minute', hourly: 'hour', daily: 'day', monthly: 'month' } as const;

/** The points of all rules of a proxy since a moment, oldest first. The caller has checked whose proxy it is. */
export async function readProxyUse(
  db: Kysely<Database>,
  { proxyId, horizon, since }: { proxyId: string; horizon: Horizon; since: number },
): Promise<UsePoint[]> {
  const { rows } =
    await sql<UsePoint>`select rule, at, requests, errors, hits, bytes, latency_ms as "latencyMs",
      latency_max_ms as "latencyMaxMs"
    from proxy_use where proxy_id = ${proxyId} and span = ${spans[horizon]} and at >= ${since} order by at, rule limit 20000`.execute(
      db,
    );
  return rows;
}

const keptMs = { minute: 2 * 86_400_000, hour: 62 * 86_400_000, day: 731 * 86_400_000 } as const;

/** Removes points that no horizon shows any more. Months stay. */
export async function forgetProxyUse(pool: pg.Pool, now: number): Promise<void> {
  for (const [span, kept] of Object.entries(keptMs))
    await pool.query('delete from proxy_use where span = $1 and at < $2', [span, now - kept]);
}
