import { daysToCertificateEnd, notificationRules } from '@homeport/contract/notifications/kinds';
import { servedThoughFailingMs } from '@homeport/contract/proxies/facts';
import type pg from 'pg';
import type { DomainCertificate } from '../proxies/domain-checks.ts';
import { pointsElsewhere } from '../proxies/points-elsewhere.ts';
import { dayMs } from '../series/metrics.ts';
import { endThreads, type News, raiseNotices } from './raise-notices.ts';
import { type FailingRules, watchWebsites, websiteIncident } from './watch-websites.ts';

/**
 * Raises news of proxies: websites that fail, certificates that end soon, and domains that lead elsewhere, lost their proof or are not
 * served any more. Each incident ends when its cause does.
 */
export async function raiseProxyNews(pool: pg.Pool, now: number): Promise<void> {
  await watchWebsites(pool, now);
  const { rows } = await pool.query<Troubled>(
    `select p.owner_id as "ownerId", p.id, p.name, p.domain, p.failing_rules as failing, p.certificate, p.pointing,
       p.failing_since as "failingSince", p.unserved_at as "unservedAt", p.allowed and p.holds as served,
       ${pointsElsewhere('p')} as astray
     from proxies p
     where p.failing_rules <> '{}' or p.failing_since is not null and (p.unserved_at is not null or ${pointsElsewhere('p')})
       or p.allowed and (p.certificate ->> 'validTo')::bigint between $1 and $2`,
    [now, now + Math.max(...notificationRules.certificateDays) * dayMs],
  );
  const news = rows.flatMap((row) => [...ofWebsites(row), ...ofCertificate(row, now), ...ofDomain(row)]);
  await raiseNotices(pool, news, now);
  await endOver(pool, now);
}

type Troubled = {
  ownerId: string;
  id: string;
  name: string;
  domain: string;
  served: boolean;
  failing: FailingRules;
  certificate: DomainCertificate | null;
  pointing: string;
  failingSince: number | null;
  unservedAt: number | null;
  astray: boolean;
};

const about = ({ ownerId, id }: Pick<Troubled, 'ownerId' | 'id'>) => ({
  ...{ ownerId, serverId: null, appId: null, proxyId: id },
});
const named = ({ id, name, domain }: Pick<Troubled, 'id' | 'name' | 'domain'>) => ({
  ...{ proxyName: name, proxyId: id, domain },
});

function ofWebsites(row: Troubled): News[] {
  return Object.entries(row.failing).map(([rule, { since, requests, errors, path }]) => ({
    ...{ ...about(row), kind: 'proxy.website', startedAt: since, mark: 0 },
    incident: websiteIncident(row.id, rule, since),
    facts: {
      event: 'website.failing',
      ...named(row),
      ...{ path, since, requests, errors },
    },
  }));
}

/** Each certificate, by its fingerprint, is one incident, and is told of at each of the days before its end once. */
function ofCertificate(row: Troubled, now: number): News[] {
  const { certificate } = row;
  if (certificate === null || !row.served || certificate.validTo <= now) return [];
  const days = daysToCertificateEnd(certificate, now);
  if (days === null) return [];
  return [
    {
      ...{ ...about(row), kind: 'proxy.certificate', startedAt: now, mark: days },
      incident: `proxy.certificate ${row.id} ${certificate.fingerprint}`,
      facts: { event: 'proxy-certificate.ends', ...named(row), days, validTo: certificate.validTo },
    },
  ];
}

function ofDomain(row: Troubled): News[] {
  const { failingSince: since, unservedAt } = row;
  if (since === null) return [];
  const incident = {
    ...{ ...about(row), kind: 'proxy.domain' as const, startedAt: since, mark: 0 },
    incident: `proxy.domain ${row.id} ${since}`,
  };
  if (unservedAt !== null)
    return [{ ...incident, facts: { event: 'domain.unserved', ...named(row), at: unservedAt } }];
  if (!row.astray) return [];
  const missing = row.pointing === 'yes' ? 'ownership' : 'pointing';
  const servedUntil = since + servedThoughFailingMs;
  return [{ ...incident, facts: { event: 'domain.astray', ...named(row), since, missing, servedUntil } }];
}

type Over = {
  thread: string;
  kind: string;
  incident: string;
  since: number;
  ownerId: string;
  id: string;
  name: string;
  domain: string;
  served: boolean;
};

/** Ends the threads whose cause is gone, and tells that a domain is as it was. A thread of a deleted proxy went with the proxy. */
async function endOver(pool: pg.Pool, now: number): Promise<void> {
  const { rows } = await pool.query<Over>(
    `select t.id as thread, t.kind, t.incident, t.started_at as since, p.owner_id as "ownerId", p.id, p.name, p.domain,
       p.allowed and p.holds as served
     from notice_threads t join proxies p on p.id = t.proxy_id
     where t.ended_at is null and case t.kind
       when 'proxy.website' then not coalesce(
         (p.failing_rules -> split_part(t.incident, ' ', 3) ->> 'since') = split_part(t.incident, ' ', 4), false)
       when 'proxy.certificate' then not coalesce(
         p.allowed and p.certificate ->> 'fingerprint' = split_part(t.incident, ' ', 3), false)
       when 'proxy.domain' then p.failing_since is null or p.failing_since::text <> split_part(t.incident, ' ', 3)
       end`,
  );
  const back = rows.filter(({ kind, served }) => kind === 'proxy.domain' && served);
  await raiseNotices(
    pool,
    back.map(
      (row): News => ({
        ...{ ...about(row), kind: 'proxy.domain', startedAt: row.since, mark: 0, incident: row.incident },
        facts: { event: 'domain.back', ...named(row), since: row.since, until: now },
      }),
    ),
    now,
  );
  await endThreads(
    pool,
    rows.map(({ thread }) => thread),
    now,
  );
}
