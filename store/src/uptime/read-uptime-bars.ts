import type { UptimePeriod } from '@homeport/contract/uptime/facts';
import type { UptimeBars } from '@homeport/contract/uptime/schema';
import { sql } from 'kysely';
import type { OwnerRead } from '../owner.ts';
import { dayMs } from '../series/metrics.ts';

/** The bars of each period: how wide one is, and from which roll-up it is made. */
const bars = {
  '24h': { stepMs: dayMs / 24, spanMs: dayMs, table: 'hourly' },
  '7d': { stepMs: dayMs / 4, spanMs: 7 * dayMs, table: 'hourly' },
  '30d': { stepMs: dayMs, spanMs: 30 * dayMs, table: 'daily' },
  '90d': { stepMs: dayMs, spanMs: 90 * dayMs, table: 'daily' },
} as const satisfies Record<UptimePeriod, { stepMs: number; spanMs: number; table: string }>;

/** The checks of an app in steps of a period, up to the step of now. Undefined when the owner has no such app. */
export async function readUptimeBars(
  { owner, db }: OwnerRead,
  monitorId: string,
  { period, now }: { period: UptimePeriod; now: number },
): Promise<UptimeBars | undefined> {
  const { rows: apps } = await sql<{ check: number | null }>`
    select c.id as check from apps a left join checks c on c.app_id = a.id
    where a.owner_id = ${owner} and a.monitor_id = ${monitorId}`.execute(db);
  const [app] = apps;
  if (!app) return undefined;
  const { stepMs, spanMs, table } = bars[period];
  const end = now - (now % stepMs) + stepMs;
  const from = end - spanMs;
  const { rows } = await sql<{ at: number; up: number; down: number }>`
    select ts - ts % ${sql.lit(stepMs)} as at, sum(up)::integer as up, sum(down)::integer as down
    from ${sql.raw(`series.check_${table}`)}
    where series = ${app.check} and ts >= ${from} and ts < ${end} group by 1 order by 1`.execute(db);
  return { from, stepMs, bars: barsOf(rows, { from, end, stepMs }) };
}

/** One bar for each step. A step without a check has none up and none down. */
function barsOf(
  rows: readonly { at: number; up: number; down: number }[],
  { from, end, stepMs }: { from: number; end: number; stepMs: number },
): UptimeBars['bars'] {
  const known = new Map(rows.map(({ at, up, down }) => [at, { up, down }]));
  return Array.from({ length: (end - from) / stepMs }, (_, index) => {
    return known.get(from + index * stepMs) ?? { up: 0, down: 0 };
  });
}
