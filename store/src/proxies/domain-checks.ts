import { zoneProvesMs } from '@homeport/contract/proxies/facts';
import type pg from 'pg';
import { notifyPages } from './notify-pages.ts';
import { pointsElsewhere } from './points-elsewhere.ts';

export type Owned = 'zone' | 'txt' | 'granted' | 'missing';
export type Pointing = 'yes' | 'partly' | 'no';

/** A domain whose check belongs to this claimer until the claim ends. */
export type ClaimedDomain = {
  id: string;
  ownerId: string;
  /** Names the claim. A result is stored only if it carries this version. */
  checkVersion: number;
  domain: string;
  proof: string;
  isGranted: boolean;
  /** The domain is inside an active zone of the owner's linked Cloudflare account, which was read within the last days. */
  isInZone: boolean;
  holds: boolean;
  allowed: boolean;
  createdAt: number;
  failures: number;
  failingSince: number | null;
};

const claim = {
  name: 'claim_domains',
  text: `with due as (
      select p.id from proxies p join (
        select id, row_number() over (partition by owner_id order by check_due_at, created_at, id) as turn
        from proxies where check_due_at <= $1 and owner_id <> all($5)) t on t.id = p.id
      where p.check_due_at <= $1 and t.turn <= $4 and (select may_act()) order by t.turn, p.check_due_at limit $3 for update of p skip locked)
    update proxies p set check_due_at = $2, check_version = p.check_version + 1
    from due where p.id = due.id
    returning p.id, p.owner_id as "ownerId", p.check_version as "checkVersion", p.domain, p.proof, p.granted_at is not null as "isGranted", p.holds, p.allowed,
      p.created_at as "createdAt", p.failures, p.failing_since as "failingSince",
      exists (select from zones z join linked_accounts a on a.id = z.account_id
        where z.owner_id = p.owner_id and z.status = 'active' and a.checked_at > $6
        and (p.domain = z.name or right(p.domain, char_length(z.name) + 1) = '.' || z.name)) as "isInZone"`,
};

/**
 * Claims domains that are due: a few of each owner, so that nobody waits for somebody who has many. Simultaneous claimers get
 * different ones; a claim without a result is due again at `endsAt`.
 *
 * @param busy owners whose domains are left for later
 */
export async function claimDomains(
  pool: pg.Pool,
  {
    now,
    endsAt,
    atMost,
    ofOwner = atMost,
    busy = [],
  }: { now: number; endsAt: number; atMost: number; ofOwner?: number; busy?: readonly string[] },
): Promise<ClaimedDomain[]> {
  const { rows } = await pool.query<ClaimedDomain>({
    ...claim,
    values: [now, endsAt, atMost, ofOwner, busy, now - zoneProvesMs],
  });
  return rows;
}

export type DomainOutcome = {
  id: string;
  checkVersion: number;
  owned: Owned;
  pointing: Pointing;
  /** What the check saw, for the page. */
  found: Record<string, unknown>;
  allowed: boolean;
  failures: number;
  failingSince: number | null;
  /** What visitors are shown over https; null: it could not be read this time, and the one that is known stays. */
  certificate: DomainCertificate | null;
  checkedAt: number;
  dueAt: number;
};

/** Times are epoch milliseconds. */
export type DomainCertificate = { fingerprint: string; validFrom: number; validTo: number };

/** Pages hear of a check that found something else than the one before. */
const keep = {
  name: 'keep_domain_check',
  text: `with before as (
      select id, allowed, owned, pointing, found, certificate, failing_since, ${pointsElsewhere('proxies')} as astray
      from proxies where id = $1 and check_version = $2 for update),
    kept as (
      update proxies p set owned = $3, pointing = $4, found = $5, allowed = $6 and p.holds, failures = $7, failing_since = $8,
        checked_at = $9, check_due_at = $10, certificate = coalesce($11, p.certificate),
        unserved_at = case when $6 and p.holds then null when b.allowed then $9 else p.unserved_at end
      from before b where p.id = b.id
      returning p.owner_id, p.id,
        (p.allowed, p.owned, p.pointing, p.found, p.certificate, p.failing_since is null, ${pointsElsewhere('p')})
        is distinct from (b.allowed, b.owned, b.pointing, b.found, b.certificate, b.failing_since is null, b.astray) as differs)
    select ${notifyPages} from kept where differs`,
};

/** Stores the result of a check. A result of a claim that was taken over is dropped. */
export async function keepDomainCheck(pool: pg.Pool, outcome: DomainOutcome): Promise<void> {
  const { id, checkVersion, owned, pointing, found, allowed, failures, failingSince, checkedAt, dueAt } =
    outcome;
  const { certificate } = outcome;
  const values = [
    id,
    checkVersion,
    owned,
    pointing,
    JSON.stringify(found),
    allowed,
    failures,
    failingSince,
    checkedAt,
    dueAt,
    certificate === null ? null : JSON.stringify(certificate),
  ];
  await pool.query({ ...keep, values });
}

const leave = {
  name: 'leave_name',
  text: `update proxies set holds = false, allowed = false, unserved_at = case when allowed then $3::bigint else unserved_at end
    where domain = $1 and holds and id <> $2 and ((owned = 'missing' and failures >= 3) or (owned = 'zone' and $4))
    returning ${notifyPages}`,
};
const take = {
  name: 'take_name',
  text: `update proxies p set holds = true where id = $2 and domain = $1
    and not exists (select from proxies other where other.domain = p.domain and other.holds and other.id <> p.id)
    returning ${notifyPages}`,
};

/**
 * Gives a name to a proxy that has proven it. Another proxy that holds the name loses it only while its own proof fails, or where it
 * holds the name by a zone alone and this one shows the TXT record: the record was read just now and the zone before, and whoever
 * writes it has the domain's DNS today. True when the proxy holds the name afterwards.
 */
export async function takeName(
  pool: pg.Pool,
  { id, domain, by, now }: { id: string; domain: string; by: Owned; now: number },
): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query({ ...leave, values: [domain, id, now, by === 'txt'] });
    const { rowCount } = await client.query({ ...take, values: [domain, id] });
    await client.query('commit');
    client.release();
    return rowCount === 1;
  } catch (error) {
    client.release(error instanceof Error ? error : true);
    throw error;
  }
}

/**
 * Lets the domains of a zone that are not served yet be checked at the next occasion: their owner changed the zone's records. The
 * times after that stay, and so does what was counted, which decides about a name that another account proves.
 */
export async function checkDomainsSoon(
  pool: pg.Pool,
  { ownerId, zone, now }: { ownerId: string; zone: string; now: number },
): Promise<void> {
  await pool.query(
    `update proxies set check_due_at = least(check_due_at, $3) where owner_id = $1 and not allowed
       and (domain = $2 or right(domain, char_length($2) + 1) = '.' || $2)`,
    [ownerId, zone, now],
  );
}
