import { aggregates } from '@homeport/contract/horizons';
import type { UptimeCause, UptimePhase } from '@homeport/contract/uptime/facts';
import type { Standing } from '@homeport/contract/uptime/health';
import type pg from 'pg';
import { bucketSql } from '../series/metrics.ts';
import { eachPhase } from './phase-columns.ts';

/** The result of one claimed check. */
export type CheckOutcome = Standing & {
  id: number;
  /** The claim's version. */
  expected: number;
  monitorId: string;
  /** When the check is due next. */
  dueAt: number;
  /** JSON (`uptimeCheckSchema`). Null keeps the earlier value. */
  latest: string | null;
  /** The point for the series. Null when the check could not tell up from down. */
  point: ({ ts: number; ok: boolean } & Record<UptimePhase, number | null>) | null;
  /** Opens an incident if none is open. */
  opens: { startedAt: number; cause: UptimeCause; reason: string } | null;
  /** When the open incident ended. */
  closesAt: number | null;
};

const raw = `id, ts, ok, ${eachPhase((column) => column)}`;

const rollUps = aggregates.map(
  (horizon) => `${horizon} as (
    insert into series.check_${horizon} as kept (series, ts, up, down,
      ${eachPhase((column) => `${column}_n, ${column}_sum, ${column}_min, ${column}_max`)})
    select series, ${bucketSql[horizon]}, count(*) filter (where ok), count(*) filter (where not ok),
      ${eachPhase(
        (column) => `count(${column}) filter (where ok), coalesce(sum(${column}) filter (where ok), 0),
        min(${column}) filter (where ok), max(${column}) filter (where ok)`,
      )}
    from kept_raw group by 1, 2
    on conflict (series, ts) do update set up = kept.up + excluded.up, down = kept.down + excluded.down,
      ${eachPhase(
        (column) => `${column}_n = kept.${column}_n + excluded.${column}_n,
        ${column}_sum = kept.${column}_sum + excluded.${column}_sum,
        ${column}_min = least(kept.${column}_min, excluded.${column}_min),
        ${column}_max = greatest(kept.${column}_max, excluded.${column}_max)`,
      )})`,
);

const keep = {
  name: 'keep_checks',
  text: `with arriving as (
      select * from json_to_recordset($1::json) as a (id integer, expected integer, "monitorId" text, "dueAt" bigint,
        confirmed text, "confirmedAt" bigint, against smallint, "turnedAt" bigint, "unknownSince" bigint, latest text,
        ts bigint, ok boolean, ${eachPhase((column) => `${column} real`)},
        "startedAt" bigint, cause text, reason text, "closesAt" bigint)),
    kept as (
      update checks c set version = c.version + 1, due_at = a."dueAt", confirmed = a.confirmed,
        confirmed_at = a."confirmedAt", against = a.against, turned_at = a."turnedAt", unknown_since = a."unknownSince",
        latest = coalesce(a.latest, c.latest)
      from arriving a where c.id = a.id and c.version = a.expected returning a.*),
    opened as (
      insert into incidents (check_id, started_at, cause, reason)
      select id, "startedAt", cause, reason from kept where "startedAt" is not null
      on conflict do nothing),
    closed as (
      update incidents i set ended_at = kept."closesAt" from kept
      where i.check_id = kept.id and i.ended_at is null and kept."closesAt" is not null),
    kept_raw as (
      insert into series.check_raw (series, ts, ok, ${eachPhase((column) => column)})
      select ${raw} from kept where ts is not null on conflict do nothing returning *),
    ${rollUps.join(',\n    ')}
    select id from kept`,
};

/**
 * Stores the results of checks in one statement. Returns the ids of the checks whose results are stored. A missing check was
 * claimed again, paused, changed or removed since it was claimed, and nothing of its result is stored.
 */
export async function keepChecks(pool: pg.Pool, outcomes: readonly CheckOutcome[]): Promise<Set<number>> {
  const { rows } = await pool.query<{ id: number }>({
    ...keep,
    values: [JSON.stringify(outcomes.map(toRow))],
  });
  return new Set(rows.map(({ id }) => id));
}

/** The row for `json_to_recordset` above, which reads a missing key as null. */
function toRow({ point, opens, ...rest }: CheckOutcome): Record<string, unknown> {
  if (point === null) return { ...rest, ...opens };
  return {
    ...rest,
    ...opens,
    ts: point.ts,
    ok: point.ok,
    dns_lookup: point.dnsLookup,
    tcp_connection: point.tcpConnection,
    tls_handshake: point.tlsHandshake,
    first_byte: point.firstByte,
    content_transfer: point.contentTransfer,
    total: point.total,
  };
}
