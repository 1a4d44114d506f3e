import type { ProxyState } from '@homeport/contract/proxies/facts';
import type { ProxyStanding } from '@homeport/contract/proxies/schema';

const states: Record<ProxyState, string> = {
  serving: 'The domain is served',
  waiting: 'Before traffic flows',
  not_owned: 'Nothing proves yet that the domain is yours',
  failing: 'The domain is served, and something behind it fails',
};

export const standingText = (state: ProxyState): string => states[state];

/** The domain is served, no check failed, and no record is missing: there is nothing to do and nothing to warn of. */
export const isInOrder = ({
  state,
  reason,
  servedUntil,
  wanted,
}: Pick<ProxyStanding, 'state' | 'reason' | 'servedUntil' | 'wanted'>): boolean =>
  state === 'serving' && reason === null && servedUntil === null && wanted.length === 0;

/** Names below localhost are this machine's own (RFC 6761): they have no record and need no proof. */
const isLocal = (domain: string) => domain.endsWith('.localhost');

const ways: Record<NonNullable<ProxyStanding['pointingBy']>, string> = {
  cname: 'CNAME found',
  addresses: 'Its addresses lead here',
  asked: 'A request for it arrives here',
  local: 'Leads to this machine',
};

export function pointingText({
  pointing,
  pointingBy,
}: Pick<ProxyStanding, 'pointing' | 'pointingBy'>): string {
  if (pointing === null) return 'DNS not asked yet';
  if (!pointing) return 'Does not lead here yet';
  return pointingBy === null ? 'Leads here' : ways[pointingBy];
}

const proofs: Record<NonNullable<ProxyStanding['ownedBy']>, string> = {
  zone: 'Whitelisted by your Cloudflare zone',
  txt: 'Whitelisted by its TXT record',
  owner: 'Whitelisted by the owner of this console',
};

export function ownershipText(domain: string, ownedBy: ProxyStanding['ownedBy']): string {
  if (ownedBy !== null && isLocal(domain)) return 'Reached from this machine only';
  return ownedBy === null ? 'Waiting for the TXT record or the owner' : proofs[ownedBy];
}
