import { Resolver as DnsResolver } from 'node:dns/promises';
import { isIP } from 'node:net';

export type Address = { address: string; family: 4 | 6 };

/** The name has no address, or no DNS server answered. `code` is that of node:dns. */
export class NameError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export type Resolver = {
  /** Resolves with every address of a name. Rejects with a `NameError`. */
  resolve(name: string): Promise<Address[]>;
};

/** Asks for one record type of a name. Rejects with an error that has a code. */
export type Ask = (name: string, type: 'A' | 'AAAA') => Promise<{ address: string; ttl: number }[]>;

const keptAtMostMs = 60_000;
const absenceKeptMs = 5_000;
const namesAtMost = 20_000;
/** A zone may answer with thousands, which would be kept for each of its names. Only kept addresses are judged, and connected to. */
const addressesOfFamily = 32;

type Kept = { addresses: Promise<Address[]>; until: number };

/**
 * Asks DNS itself, because `dns.lookup` would share four threads with every file and every hash of the console. Answers are kept
 * for their time to live, at most a minute. The answer that a name has no address is kept for five seconds.
 */
export function createResolver(clock: () => number, ask: Ask = askDns()): Resolver {
  const kept = new Map<string, Kept>();

  function remember(name: string): Kept {
    const found = find(name, ask);
    const entry: Kept = { addresses: found.then(({ addresses }) => addresses), until: Infinity };
    found.then(
      ({ ttlMs }) => {
        entry.until = clock() + Math.min(ttlMs, keptAtMostMs);
      },
      () => {
        entry.until = clock() + absenceKeptMs;
      },
    );
    if (kept.size >= namesAtMost) kept.delete(kept.keys().next().value ?? '');
    kept.set(name, entry);
    return entry;
  }

  return {
    resolve(name) {
      const known = kept.get(name);
      return (known && clock() < known.until ? known : remember(name)).addresses;
    },
  };
}

async function find(name: string, ask: Ask): Promise<{ addresses: Address[]; ttlMs: number }> {
  // RFC 6761, 6.3: DNS is never asked for these names.
  if (name === 'localhost' || name.endsWith('.localhost'))
    return { addresses: [{ address: '127.0.0.1', family: 4 }], ttlMs: keptAtMostMs };
  const [v4, v6] = await Promise.allSettled([ask(name, 'A'), ask(name, 'AAAA')]);
  const records = [v4, v6].flatMap((answer) =>
    answer.status === 'fulfilled' ? answer.value.slice(0, addressesOfFamily) : [],
  );
  const addresses = records.map(({ address }) => toAddress(address));
  if (addresses.length > 0) return { addresses, ttlMs: Math.min(...records.map(({ ttl }) => ttl)) * 1000 };
  const code = v4.status === 'rejected' ? codeOf(v4.reason) : 'ENODATA';
  const written = addressInName(name);
  if (written && nobodyAnswered.has(code)) return { addresses: [written], ttlMs: absenceKeptMs };
  throw new NameError(code);
}

const nobodyAnswered: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ETIMEOUT']);

/**
 * The default domain of an app contains its address (`shop.203.0.113.7.sslip.io`, or the eight groups of an IPv6 address with dashes). That address is used only where no DNS server
 * answers this machine at all: a console on a laptop without a network can then still check its own apps.
 */
function addressInName(name: string): Address | undefined {
  const [, address = ''] = /(?:^|\.)(\d+\.\d+\.\d+\.\d+)\.sslip\.io$/.exec(name) ?? [];
  if (isIP(address) === 4) return { address, family: 4 };
  const [, groups = ''] = /(?:^|\.)([0-9a-f]{1,4}(?:-[0-9a-f]{1,4}){7})\.sslip\.io$/.exec(name) ?? [];
  return groups === '' ? undefined : { address: groups.replaceAll('-', ':'), family: 6 };
}

function askDns(): Ask {
  const resolver = new DnsResolver({ timeout: 2_000, tries: 2 });
  return (name, type) =>
    type === 'A' ? resolver.resolve4(name, { ttl: true }) : resolver.resolve6(name, { ttl: true });
}

const toAddress = (address: string): Address => ({ address, family: isIP(address) === 6 ? 6 : 4 });

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EUNKNOWN';
