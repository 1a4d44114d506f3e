import type { Standing } from '@homeport/contract/uptime/health';
import type pg from 'pg';
import { checkUrl } from './check-url.ts';

/** A check that belongs to this claimer until the claim ends. */
export type ClaimedCheck = Standing & {
  id: number;
  /** Names the claim. A result is stored only if it carries this version. */
  version: number;
  monitorId: string;
  url: string;
  everyMs: number;
  /** When to make the check. May be slightly in the future. */
  dueAt: number;
  /**
   * Whether a deploy of the app ever succeeded, as far as the store knows. Until then Dokku's nginx answers 502, also while the
   * first deploy runs and after it failed. A confirmed state shows that the app has served.
   */
  deployed: boolean;
};

const claim = {
  name: 'claim_checks',
  text: `with due as (
      select id, due_at from checks where due_at <= $1 and (select may_act()) order by due_at limit $3 for update skip locked)
    update checks c set due_at = $2, version = c.version + 1
    from due, apps a where c.id = due.id and a.id = c.app_id
    returning c.id, c.version, a.monitor_id as "monitorId", a.url as "appUrl", a.https,
      c.domain, c.path, c.every_ms as "everyMs", due.due_at as "dueAt",
      (a.deploy_status = 'succeeded' or a.deployed_at is not null or c.confirmed is not null) as deployed, c.confirmed, c.confirmed_at as "confirmedAt", c.against, c.turned_at as "turnedAt", c.unknown_since as "unknownSince"`,
};

type Row = Omit<ClaimedCheck, 'url'> & {
  appUrl: string | null;
  https: boolean;
  domain: string;
  path: string;
};

/**
 * Claims checks that nobody else has claimed, the longest due first. Simultaneous claimers get different checks.
 *
 * @param until claims checks that are due up to this time
 * @param endsAt when the claim ends. A check without a stored result is then due again, for any claimer
 */
export async function claimChecks(
  pool: pg.Pool,
  { until, endsAt, atMost }: { until: number; endsAt: number; atMost: number },
): Promise<ClaimedCheck[]> {
  const { rows } = await pool.query<Row>({ ...claim, values: [until, endsAt, atMost] });
  return rows.map(({ appUrl, https, domain, path, ...check }) => ({
    ...check,
    url: checkUrl(appUrl, https, domain, path),
  }));
}

/** When the next check is due, claimed or not. Null without checks, and in a restored console that nobody has confirmed. */
export async function nextDue(pool: pg.Pool): Promise<number | null> {
  const { rows } = await pool.query<{ due: number | null }>(
    'select min(due_at) as due from checks where (select may_act())',
  );
  return rows[0]?.due ?? null;
}

export type WaitingCheck = Pick<ClaimedCheck, 'id' | 'version' | 'dueAt' | 'everyMs'> & { serverId: string };

/** Of more apps, the others are found down at their own places. */
const neighboursAtMost = 200;

/** The other checks of the servers of these checks whose last result is what is known of their apps. Some of them may be claimed. */
export async function readNeighbours(pool: pg.Pool, ids: readonly number[]): Promise<WaitingCheck[]> {
  const { rows } = await pool.query<WaitingCheck>(
    `select c.id, c.version, c.due_at as "dueAt", c.every_ms as "everyMs", s.id as "serverId" from (
       select distinct o.server_id as id from checks t join apps o on o.id = t.app_id where t.id = any($1::integer[])) s
     cross join lateral (
       select c.id, c.version, c.due_at, c.every_ms from checks c join apps a on a.id = c.app_id
       where a.server_id = s.id and c.against = 0 and c.due_at is not null order by c.id limit $2) c`,
    [ids, neighboursAtMost],
  );
  return rows;
}

/** Gives claims back before they end, and has checks that wait made sooner. Each check is due at the time that is given. */
export async function releaseChecks(
  pool: pg.Pool,
  claims: readonly Pick<ClaimedCheck, 'id' | 'version' | 'dueAt'>[],
): Promise<void> {
  if (claims.length === 0) return;
  await pool.query(
    // Two processes may release the same ones. What another one holds it claims, or keeps its result.
    `with held as (
       select c.id, claim."dueAt" from checks c
       join json_to_recordset($1::json) as claim (id integer, version integer, "dueAt" bigint) using (id, version)
       order by c.id for update of c skip locked)
     update checks c set due_at = held."dueAt", version = c.version + 1 from held where c.id = held.id`,
    [JSON.stringify(claims.map(({ id, version, dueAt }) => ({ id, version, dueAt })))],
  );
}
