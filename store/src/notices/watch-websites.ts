import { websiteWarning } from '@homeport/contract/proxies/facts';
import type pg from 'pg';
import { notifyPages } from '../proxies/notify-pages.ts';
import { type News, raiseNotices } from './raise-notices.ts';

/**
 * By the id of the rule, or `source`, which has no path. `since` is in epoch milliseconds. A trigger on `proxies` drops the rules that a
 * person deletes and follows their paths.
 */
export type FailingRules = Record<
  string,
  { since: number; requests: number; errors: number; path: string | null }
>;

type Watched = {
  id: string;
  ownerId: string;
  name: string;
  domain: string;
  served: boolean;
  failing: FailingRules;
  /** What visitors got in the last minutes, by rule. */
  recent: Record<string, { requests: number; errors: number }> | null;
  /** Failing rules that nobody asked for in a long time. */
  unseen: string[] | null;
  /** The path of each rule by its id. Null while no website begins to fail, because reading the rules unpacks them. */
  paths: Record<string, string> | null;
};

const find = {
  name: 'find_failing_websites',
  text: `with recent as (
      select proxy_id, rule, sum(requests)::bigint as requests, sum(errors)::bigint as errors
      from proxy_use where span = 'minute' and at >= $1 group by proxy_id, rule)
    select p.id, p.owner_id as "ownerId", p.name, p.domain, p.allowed and p.holds as served, p.failing_rules as failing,
      (select json_object_agg(rule, json_build_object('requests', requests, 'errors', errors)) from recent where proxy_id = p.id)
        as recent,
      (select array_agg(rule) from jsonb_object_keys(p.failing_rules) as rule where not exists (
        select from proxy_use u where u.proxy_id = p.id and u.rule = rule and u.span = 'hour' and u.at >= $2)) as unseen,
      case when exists (select from recent b where b.proxy_id = p.id and not p.failing_rules ? b.rule
          and b.requests >= $3 and b.errors >= $4::double precision * b.requests)
        then (select json_object_agg(r ->> 'id', r ->> 'path') from jsonb_array_elements(p.records) as r) end as paths
    from proxies p
    where p.failing_rules <> '{}' or p.allowed and exists (
      select from recent r where r.proxy_id = p.id and r.requests >= $3 and r.errors >= $4::double precision * r.requests)`,
};

/**
 * Finds the websites behind proxies that fail, by the answers that visitors got, and keeps them with their proxies. Raises the news that
 * one works again, before the failure is forgotten: a process that ends in between raises it again.
 */
export async function watchWebsites(pool: pg.Pool, now: number): Promise<void> {
  const { windowMs, requests, failingShare, forgottenMs } = websiteWarning;
  const { rows } = await pool.query<Watched>({
    ...find,
    values: [now - windowMs, now - forgottenMs, requests, failingShare],
  });
  for (const watched of rows) {
    const { next, recovered } = judgeWebsites(watched, now);
    await raiseNotices(
      pool,
      recovered.map((rule) => worksAgain(watched, rule, now)),
      now,
    );
    if (sameRules(watched.failing, next)) continue;
    // By the rules of this moment: a person may have deleted one since they were read.
    await pool.query(
      `update proxies set failing_rules = rename_failing_rules($2, records) where id = $1 and failing_rules = $3
       returning ${notifyPages}`,
      [watched.id, JSON.stringify(next), JSON.stringify(watched.failing)],
    );
  }
}

/** Decides which websites of a proxy fail now, and which of those that failed work again. */
export function judgeWebsites(
  {
    served,
    failing,
    recent,
    unseen,
    paths,
  }: Pick<Watched, 'served' | 'failing' | 'recent' | 'unseen' | 'paths'>,
  now: number,
): { next: FailingRules; recovered: string[] } {
  const { requests: fewest, failingShare, easedShare } = websiteWarning;
  const next: FailingRules = {};
  const recovered: string[] = [];
  if (!served) return { next, recovered };
  const isThere = (rule: string) => rule === 'source' || paths?.[rule] !== undefined;
  for (const [rule, known] of Object.entries(failing)) {
    if (unseen?.includes(rule)) continue;
    const seen = recent?.[rule];
    if (seen && seen.requests > 0 && seen.errors < easedShare * seen.requests) recovered.push(rule);
    else next[rule] = known;
  }
  for (const [rule, { requests, errors }] of Object.entries(recent ?? {}))
    if (isThere(rule) && !failing[rule] && requests >= fewest && errors >= failingShare * requests)
      next[rule] = { since: now, requests, errors, path: paths?.[rule] ?? null };
  return { next, recovered };
}

/** What failed keeps its figures of the beginning, so only the ids can differ. */
const sameRules = (a: FailingRules, b: FailingRules) =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((rule) => rule in b);

/** The incident of a website that fails since a moment. */
export const websiteIncident = (proxyId: string, rule: string, since: number) =>
  `proxy.website ${proxyId} ${rule} ${since}`;

function worksAgain({ id, ownerId, name, domain, failing }: Watched, rule: string, now: number): News {
  const { since, path } = failing[rule] ?? { since: now, path: null };
  return {
    ...{
      ownerId,
      serverId: null,
      appId: null,
      proxyId: id,
      kind: 'proxy.website',
      startedAt: since,
      mark: 0,
    },
    incident: websiteIncident(id, rule, since),
    facts: {
      event: 'website.works-again',
      ...{ proxyName: name, proxyId: id, domain, path, since, until: now },
    },
  };
}
