import type { ProxyState } from '@homeport/contract/proxies/facts';
import type { ProxyStanding } from '@homeport/contract/proxies/schema';

const states: Record<ProxyState, string> = {
  serving: 'The domain is served',
  waiting: 'Before traffic flows',
  not_owned: 'Nothing proves yet that the domain is yours',
  failing: 'The domain is served, and something behind it fails',
};

export const standingText = (state: ProxyState): string => states[state];

export function pointingText(pointing: ProxyStanding['pointing']): string {
  if (pointing === null) return 'DNS not asked yet';
  return pointing ? 'CNAME found' : 'CNAME not found yet';
}

const proofs: Record<NonNullable<ProxyStanding['ownedBy']>, string> = {
  zone: 'Whitelisted by your Cloudflare zone',
  txt: 'Whitelisted by its TXT record',
  owner: 'Whitelisted by the owner of this console',
};

export function ownershipText(ownedBy: ProxyStanding['ownedBy']): string {
  return ownedBy === null ? 'Waiting for the TXT record or the owner' : proofs[ownedBy];
}
