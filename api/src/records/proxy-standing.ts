import type { ProxyState } from '@homeport/contract/proxies/facts';
import type { ProxyStanding, WantedRecord } from '@homeport/contract/proxies/schema';
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
>;

/** The name of the TXT record that proves a domain. */
export const proofName = (domain: string): string => `_homeport.${domain}`;

const foundSchema = z.object({ reason: z.string().nullish() });
const proofs = { zone: 'zone', txt: 'txt', granted: 'owner', unknown: null, missing: null } as const;
const answers = { yes: true, partly: false, no: false, unknown: null } as const;

/** What a person is told about a domain: whether it is served, what is missing and which record mends it. */
export function standingOf(row: Row, proxyHost: string | null): ProxyStanding {
  const ownedBy = row.holds ? proofs[row.owned] : null;
  return {
    state: stateOf(row),
    pointing: answers[row.pointing],
    ownedBy,
    lookedAt: row.checked_at,
    reason: reasonOf(row),
    wanted: wantedOf(row, ownedBy !== null, proxyHost),
  };
}

function stateOf({ allowed, holds, refusal, failing_since, pointing }: Row): ProxyState {
  if (allowed && holds) return refusal === null && failing_since === null ? 'serving' : 'failing';
  return pointing === 'yes' ? 'not_owned' : 'waiting';
}

function reasonOf({ refusal, holds, found }: Row): string | null {
  if (refusal !== null) return `The last change is not served, the rules before it still are. ${refusal}`;
  if (!holds)
    return 'Another proxy of this console has or lately had this domain. It becomes yours with the TXT record, while the other one proves nothing.';
  return foundSchema.safeParse(found).data?.reason ?? null;
}

function wantedOf(
  { domain, proof, pointing }: Row,
  owned: boolean,
  proxyHost: string | null,
): WantedRecord[] {
  const wanted: WantedRecord[] = [];
  if (pointing !== 'yes' && proxyHost !== null)
    wanted.push({ purpose: 'pointing', type: 'CNAME', name: domain, content: proxyHost });
  if (!owned) wanted.push({ purpose: 'ownership', type: 'TXT', name: proofName(domain), content: proof });
  return wanted;
}
