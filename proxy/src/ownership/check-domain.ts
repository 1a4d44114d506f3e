import { canonicalAddress } from '@homeport/contract/network/addresses';
import type { ClaimedDomain, DomainCertificate, DomainOwned as Owned, Pointing } from '@homeport/store';
import type { LookUp } from './look-up.ts';

/** What a check of a domain found, for the page too. */
export type DomainFinding = {
  owned: Owned;
  pointing: Pointing;
  found: {
    addresses: string[];
    /** The names to which CNAMEs lead, in order. */
    cnames: string[];
    /** Addresses of the domain that are not the proxy host's. */
    stray: string[];
    /** How requests were found to arrive; null when they do not. */
    way: 'cname' | 'addresses' | 'asked' | 'local' | null;
    /** The resolver did not answer for these. */
    unanswered: string[];
  };
};

export type DomainCheckParts = {
  dns: LookUp;
  /** The name of the machine that serves proxied domains. Null when it has none. */
  proxyName: string | null;
  /** Only this machine reaches the plane. Then names under `localhost` are this machine's own (RFC 6761, 6.3). */
  isLocal: boolean;
  /** Whether a request for the domain arrives at a plane of this console. */
  arrives(domain: string): Promise<boolean>;
  /** The certificate that a domain shows over https; null when it shows none. Never rejects. */
  readCertificate(domain: string): Promise<DomainCertificate | null>;
};

type Asked = Pick<ClaimedDomain, 'domain' | 'proof' | 'isGranted' | 'isInZone'>;

const longestChain = 8;
const addressesKept = 20;

/**
 * Looks whether requests for a domain come here, and whether the domain is its owner's. Both are needed: everybody can point a name
 * here, and an old CNAME points here still when its name is somebody else's.
 */
export async function checkDomain(asked: Asked, parts: DomainCheckParts): Promise<DomainFinding> {
  if (parts.isLocal && asked.domain.endsWith('.localhost')) return localFinding;
  const unanswered: string[] = [];
  const asking = async <T>(name: string, question: Promise<T[]>): Promise<T[]> => {
    try {
      return await question;
    } catch {
      unanswered.push(name);
      return [];
    }
  };
  const [owned, way] = await Promise.all([
    findOwner(asked, parts, asking),
    findWay(asked.domain, parts, asking),
  ]);
  return { owned, pointing: way.pointing, found: { ...way.found, unanswered } };
}

type Asking = <T>(name: string, question: Promise<T[]>) => Promise<T[]>;

const localFinding: DomainFinding = {
  owned: 'granted',
  pointing: 'yes',
  found: { addresses: [], cnames: [], stray: [], way: 'local', unanswered: [] },
};

async function findOwner(
  { domain, proof, isGranted, isInZone }: Asked,
  { dns }: DomainCheckParts,
  asking: Asking,
): Promise<Owned> {
  // The record is asked for first, because it tells of today and a zone of the time when it was last read.
  const name = `_homeport.${domain}`;
  const records = await asking(name, dns.txt(name));
  if (records.some((record) => record.trim() === proof)) return 'txt';
  if (isInZone) return 'zone';
  return isGranted ? 'granted' : 'missing';
}

async function findWay(domain: string, parts: DomainCheckParts, asking: Asking) {
  const { dns, proxyName } = parts;
  const cnames: string[] = [];
  for (let name = domain; proxyName !== null && cnames.length < longestChain; ) {
    const [next] = await asking(name, dns.cname(name));
    if (next === undefined) break;
    name = next.toLowerCase().replace(/\.$/, '');
    cnames.push(name);
    if (name === proxyName) return answer('yes', 'cname', { cnames });
  }
  const addresses = (await asking(domain, dns.addresses(domain))).map(plain);
  const own = proxyName === null ? [] : (await asking(proxyName, dns.addresses(proxyName))).map(plain);
  const stray = addresses.filter((address) => !own.includes(address));
  if (addresses.length > 0 && stray.length === 0) return answer('yes', 'addresses', { cnames, addresses });
  // Some lead here and some do not: half of the visitors would get somebody else's answer.
  if (stray.length < addresses.length) return answer('partly', null, { cnames, addresses, stray });
  // Cloudflare and others hide the addresses. Then only a request shows where it arrives.
  if (await parts.arrives(domain)) return answer('yes', 'asked', { cnames, addresses });
  return answer('no', null, { cnames, addresses, stray });
}

function answer(
  pointing: Pointing,
  way: DomainFinding['found']['way'],
  { cnames = [], addresses = [], stray = [] }: { cnames?: string[]; addresses?: string[]; stray?: string[] },
) {
  return {
    pointing,
    found: {
      way,
      cnames,
      addresses: addresses.slice(0, addressesKept),
      stray: stray.slice(0, addressesKept),
    },
  };
}

function plain(address: string): string {
  return canonicalAddress(address) ?? address;
}
