import { isIP } from 'node:net';
import { domainWarning, type ProxyState, servedThoughFailingMs } from '@homeport/contract/proxies/facts';
import type { ProxyStanding, WantedRecord } from '@homeport/contract/proxies/schema';
import { problemText } from '@homeport/rules';
import type { Database } from '@homeport/store';
import type { Selectable } from 'kysely';
import { z } from 'zod';

type Row = Pick<
  Selectable<Database['proxies']>,
  | 'domain'
  | 'holds'
  | 'proof'
  | 'owned'
  | 'pointing'
  | 'found'
  | 'checked_at'
  | 'failing_since'
  | 'allowed'
  | 'refusal'
  | 'failures'
  | 'failing_rules'
  | 'certificate'
> & {
  /** Absent in a list, which reads no rules. */
  records?: readonly { id: string; path: string }[];
};

/** The name of the TXT record that proves a domain. */
export const proofName = (domain: string): string => `_homeport.${domain}`;

/** What the last look found in DNS, as the data plane keeps it. */
const names = z.array(z.string()).default([]);
const foundSchema = z.object({
  ...{ stray: names, cnames: names, addresses: names, unanswered: names },
  way: z.enum(['cname', 'addresses', 'asked', 'local']).nullable().default(null),
});
const proofs = { zone: 'zone', txt: 'txt', granted: 'owner', unknown: null, missing: null } as const;
const answers = { yes: true, partly: false, no: false, unknown: null } as const;

/** What a person is told about a domain: whether it is served, what is missing and which record mends it. */
export function standingOf(row: Row, door: { proxyHost: string | null; address: string }): ProxyStanding {
  const ownedBy = row.holds ? proofs[row.owned] : null;
  return {
    state: stateOf(row),
    pointing: answers[row.pointing],
    pointingBy: row.pointing === 'yes' ? (foundSchema.safeParse(row.found).data?.way ?? null) : null,
    ownedBy,
    lookedAt: row.checked_at,
    reason: reasonOf(row),
    servedUntil:
      isServed(row) && row.failing_since !== null ? row.failing_since + servedThoughFailingMs : null,
    certificate: certificateOf(row),
    wanted: wantedOf(row, ownedBy !== null, door.proxyHost ?? door.address),
  };
}

function stateOf(row: Row): ProxyState {
  if (isServed(row))
    return row.refusal === null && websitesOf(row).length === 0 && !pointsElsewhere(row)
      ? 'serving'
      : 'failing';
  return row.pointing === 'yes' ? 'not_owned' : 'waiting';
}

const isServed = ({ allowed, holds }: Row) => allowed && holds;

/** The checks of a served domain fail for so long that it is nobody's bad moment. */
function pointsElsewhere({ failures, failing_since, checked_at }: Row): boolean {
  const since = failing_since ?? checked_at ?? 0;
  return failures >= domainWarning.failures && (checked_at ?? 0) - since >= domainWarning.afterMs;
}

/** Why a domain is not served, or what fails behind it. A single check that failed is no reason yet. */
function reasonOf(row: Row): string | null {
  const beyond = row.refusal === null ? null : patternBeyond(row.refusal, row.records);
  if (beyond !== null) return beyond;
  if (row.refusal !== null)
    return `The last change is not served, the rules before it still are. ${row.refusal}`;
  if (!row.holds)
    return 'Another proxy of this console has or lately had this domain. It becomes yours with the TXT record, while the other one proves nothing.';
  const found = foundSchema.safeParse(row.found);
  const dns = found.success ? inDns(row, found.data) : null;
  const reasons = [...websitesOf(row), ...(dns === null ? [] : [dns])];
  return reasons.length === 0 ? null : reasons.join(' ');
}

/**
 * What is wrong with a pattern that is beyond its share. The console keeps no such pattern, so an earlier version kept it, and no rules
 * before it are served.
 */
function patternBeyond(refusal: string, records: Row['records']): string | null {
  const [rule, , code] = refusal.split(' ');
  if (code !== 'rewrite_size' && code !== 'rewrite_together') return null;
  const path = records?.find(({ id }) => id === rule)?.path;
  const which = path === undefined ? '' : ` Rule ${path}:`;
  return `This domain is not served since the update of Homeport, because of a pattern in its rules.${which} ${problemText(code)}`;
}

const failingSchema = z.record(
  z.string(),
  z.object({ requests: z.number(), errors: z.number(), path: z.string().nullable() }),
);

/** A sentence for each website that visitors got errors from. */
function websitesOf({ failing_rules }: Row): string[] {
  const failing = failingSchema.safeParse(failing_rules);
  if (!failing.success) return [];
  return Object.values(failing.data).map(({ requests, errors, path }) => {
    const which = path === null ? 'The primary website' : `The website of ${path}`;
    return `${which} fails: ${errors} of ${requests} requests were answered with errors.`;
  });
}

const certificateSchema = z.object({ validFrom: z.number(), validTo: z.number() });

function certificateOf(row: Row): ProxyStanding['certificate'] {
  const shown = certificateSchema.safeParse(row.certificate);
  return shown.success && isServed(row) ? shown.data : null;
}

/** Where the domain leads instead. */
function inDns(
  { domain, pointing, owned }: Row,
  { stray, cnames, addresses, unanswered }: z.output<typeof foundSchema>,
): string | null {
  if (unanswered.length > 0 && (pointing !== 'yes' || owned === 'missing'))
    return `DNS did not answer for ${unanswered.join(', ')}. The console asks again by itself.`;
  if (pointing === 'partly')
    return `Some addresses of ${domain} lead elsewhere: ${stray.join(', ')}. Remove their DNS records.`;
  if (pointing !== 'no') return null;
  const instead = cnames.at(-1) ?? addresses.join(', ');
  return instead === '' ? null : `${domain} leads to ${instead}, and not to the proxy service.`;
}

function wantedOf({ domain, proof, pointing }: Row, owned: boolean, leadsTo: string): WantedRecord[] {
  const wanted: WantedRecord[] = [];
  if (pointing !== 'yes')
    wanted.push({
      purpose: 'pointing',
      type: pointingTypes[isIP(leadsTo)] ?? 'CNAME',
      name: domain,
      content: leadsTo,
    });
  if (!owned) wanted.push({ purpose: 'ownership', type: 'TXT', name: proofName(domain), content: proof });
  return wanted;
}

const pointingTypes: Readonly<Record<number, WantedRecord['type']>> = { 4: 'A', 6: 'AAAA' };
