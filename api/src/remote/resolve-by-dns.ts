import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { canonicalAddress } from '@homeport/contract/network/addresses';
import { embeddedAddress, type ResolveAll } from '@homeport/egress';

/** How long DNS may take for one name, over all tries. */
const deadlineMs = 5_000;
/** A zone may answer with thousands. */
export const addressesOfFamily = 8;

/**
 * The addresses of a server's name: IPv4 first, because more networks carry it. Asks DNS itself, because `dns.lookup` would share four
 * threads with every file and every hash of the console, and a person chooses whose DNS server is slow. /etc/hosts is not read: it
 * names machines of the console's own network. An answer is whole or a failure, because half of a name's addresses are not the name's
 * addresses. The questions of a look-up whose signal aborts are given up.
 *
 * @param servers the DNS servers to ask; none: those of the system
 */
export function resolveByDns(servers: readonly string[]): ResolveAll {
  return (hostname, { signal }, done) => {
    void find(hostname, servers, signal).then(
      (addresses) => done(null, addresses),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), []),
    );
  };
}

async function find(hostname: string, servers: readonly string[], signal: AbortSignal | undefined) {
  const resolver = new Resolver({ timeout: deadlineMs / 2, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const giveUp = () => resolver.cancel();
  const timer = setTimeout(giveUp, deadlineMs);
  signal?.addEventListener('abort', giveUp);
  try {
    const [v4, v6] = await Promise.all([
      orNone(resolver.resolve4(hostname)),
      orNone(resolver.resolve6(hostname)),
    ]);
    return Object.values(addressesOfAnswer(v4, v6))
      .flat()
      .map((address) => ({ address, family: isIP(address) }));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

/**
 * What counts of an answer: the same addresses for the same answer, because a zone that answers with many gives them in another order
 * each time, and none that a network adds.
 */
export function addressesOfAnswer(v4: readonly string[], v6: readonly string[]) {
  const firstOf = (addresses: readonly string[]) => addresses.toSorted().slice(0, addressesOfFamily);
  return { v4: firstOf(v4), v6: firstOf(v6.filter((address) => !isTranslated(address, v4))) };
}

/**
 * DNS64 (RFC 6147) adds to a name that has IPv4 alone the addresses by which a network's own gateway reaches it. They are no addresses
 * of the name.
 */
function isTranslated(address: string, v4: readonly string[]): boolean {
  const inside = embeddedAddress(canonicalAddress(address) ?? '');
  return inside !== null && v4.includes(inside);
}

async function orNone(answer: Promise<string[]>): Promise<string[]> {
  try {
    return await answer;
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

/** RFC 2308: the name, or this type of it, does not exist. */
export const isAbsence = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA');
