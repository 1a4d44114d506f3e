import type { Horizon } from '@homeport/contract/horizons';
import type { UptimeCause, UptimePhase } from '@homeport/contract/uptime/facts';
import { type Standing, uptimeState } from '@homeport/contract/uptime/health';
import {
  type Uptime,
  type UptimePoint,
  type UptimeWithSeries,
  uptimeCheckSchema,
} from '@homeport/contract/uptime/schema';
import { sql } from 'kysely';
import type { OwnerRead } from '../owner.ts';
import { dayMs, tableOf } from '../series/metrics.ts';
import { checkUrl } from './check-url.ts';
import { eachPhase } from './phase-columns.ts';

type Row = Standing & {
  id: number;
  appId: string;
  key: string;
  domain: string;
  path: string;
  appUrl: string | null;
  https: boolean;
  everyMs: number;
  setUpAt: number;
  paused: boolean;
  latest: string | null;
};

/** The owner's checks. With `app` given, only the check of that app. */
async function readRows({ owner, db }: OwnerRead, app?: { id: string } | { key: string }): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select c.id, a.id as "appId", a.monitor_id as key, c.domain, c.path, a.url as "appUrl", a.https,
      c.every_ms as "everyMs", c.created_at as "setUpAt", c.due_at is null as paused, c.latest,
      c.confirmed, c.confirmed_at as "confirmedAt", c.against, c.turned_at as "turnedAt", c.unknown_since as "unknownSince"
    from checks c join apps a on a.id = c.app_id
    where a.owner_id = ${owner} ${
      app === undefined ? sql`` : 'id' in app ? sql`and a.id = ${app.id}` : sql`and a.monitor_id = ${app.key}`
    }
    order by a.created_at, a.id`.execute(db);
  return rows;
}

/** Whether the owner's apps are up. Apps without a check are missing. */
export async function listUptime(scope: OwnerRead): Promise<Uptime[]> {
  return (await readRows(scope)).map(toUptime);
}

/** One app's check by the app's id. Undefined when the owner has no such app, or when it has no check. */
export async function readUptime(scope: OwnerRead, appId: string): Promise<Uptime | undefined> {
  const [row] = await readRows(scope, { id: appId });
  return row && toUptime(row);
}

/** One app's check with its series, by the app's monitor id. `points` limits each horizon and the incidents. */
export async function readUptimeSeries(
  scope: OwnerRead,
  key: string,
  { now, points }: { now: number; points: number },
): Promise<UptimeWithSeries | undefined> {
  const [row] = await readRows(scope, { key });
  if (!row) return undefined;
  const { db } = scope;
  const share = async (horizon: 'hourly' | 'daily', since: number) => {
    const { rows } = await sql<{ share: number | null }>`
      select 100.0::float8 * sum(up) / nullif(sum(up) + sum(down), 0) as share
      from ${sql.raw(`series.check_${horizon}`)} where series = ${row.id} and ts > ${since}`.execute(db);
    return rows[0]?.share ?? null;
  };
  const incidents = await db
    .selectFrom('incidents')
    .select(['id', 'started_at as startedAt', 'ended_at as endedAt', 'cause', 'reason as text'])
    .where('check_id', '=', row.id)
    .orderBy('started_at', 'desc')
    .limit(points)
    .execute();
  return {
    ...toUptime(row),
    availability: {
      day: await share('hourly', now - dayMs),
      month: await share('daily', now - 30 * dayMs),
    },
    timeseries: {
      all: await readPoints(scope, row.id, 'all', points),
      hourly: await readPoints(scope, row.id, 'hourly', points),
      daily: await readPoints(scope, row.id, 'daily', points),
      monthly: await readPoints(scope, row.id, 'monthly', points),
    },
    incidents: incidents.map((incident) => ({ ...incident, cause: incident.cause as UptimeCause })),
  };
}

function toUptime(row: Row): Uptime {
  const { appId, key, domain, path, everyMs, setUpAt } = row;
  return {
    appId,
    key,
    domain,
    path,
    url: checkUrl(row.appUrl, row.https, domain, path),
    everyMs,
    setUpAt,
    ...uptimeState(row),
    latest: row.latest === null ? null : uptimeCheckSchema.parse(JSON.parse(row.latest)),
  };
}

type Times = Record<UptimePhase, number | null>;
type PointRow = { ts: number; up: number; down: number } & Record<'average' | 'smallest' | 'largest', Times>;

const times = (value: (column: string) => string) =>
  `json_build_object(${eachPhase((column, phase) => `'${phase}', ${value(column)}`)})`;

const single = times((column) => `case when ok then ${column} end`);
const selects = {
  raw: `ok::integer as up, (not ok)::integer as down,
    ${single} as average, ${single} as smallest, ${single} as largest`,
  rolledUp: `up, down, ${times((column) => `${column}_sum / nullif(${column}_n, 0)`)} as average,
    ${times((column) => `${column}_min`)} as smallest, ${times((column) => `${column}_max`)} as largest`,
};

async function readPoints(
  { db }: OwnerRead,
  series: number,
  horizon: Horizon,
  points: number,
): Promise<UptimePoint[]> {
  const { rows } = await sql<PointRow>`
    select * from (
      select ts, ${sql.raw(horizon === 'all' ? selects.raw : selects.rolledUp)}
      from ${sql.raw(tableOf('check', horizon))} where series = ${series} order by ts desc limit ${points}
    ) newest order by ts`.execute(db);
  return rows.map(({ ts, up, down, average, smallest, largest }) => ({
    ts,
    up,
    down,
    ...average,
    min: smallest,
    max: largest,
  }));
}
