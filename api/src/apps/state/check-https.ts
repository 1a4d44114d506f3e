import { Resolver } from 'node:dns/promises';
import type { HttpsCheck } from '@homeport/contract/apps/settings-schema';
import { type AddressKind, addressKindOf } from '@homeport/contract/fields/server-address';
import { canonicalAddress, isPublicAddress, networks } from '@homeport/contract/network/addresses';
import { type Gate, type Refusal, RefusedDestination } from '@homeport/egress';
import { addressesOfAnswer } from '../../remote/resolve-by-dns.ts';
import { type Looked, sayNoAddress, sayNotLookedUp } from '../../remote/server-addresses.ts';
import { sayTargetRefusal } from '../../remote/target-policy.ts';

/**
 * The addresses of Cloudflare’s proxies (https://www.cloudflare.com/ips/). Cloudflare answers first for a
 * name that resolves to one of them.
 */
const cloudflare = networks([
  '173.245.48.0/20',
  '103.21.244.0/22',
  '103.22.200.0/22',
  '103.31.4.0/22',
  '141.101.64.0/18',
  '108.162.192.0/18',
  '190.93.240.0/20',
  '188.114.96.0/20',
  '197.234.240.0/22',
  '198.41.128.0/17',
  '162.158.0.0/15',
  '104.16.0.0/13',
  '104.24.0.0/14',
  '172.64.0.0/13',
  '131.0.72.0/22',
  '2400:cb00::/32',
  '2606:4700::/32',
  '2803:f800::/32',
  '2405:b500::/32',
  '2405:8100::/32',
  '2a06:98c0::/29',
  '2c0f:f248::/32',
]);

export type Lookup = {
  /** Rejects as node:dns does. `ENOTFOUND` and `ENODATA` mean that there is no such record. */
  a(name: string): Promise<string[]>;
  aaaa(name: string): Promise<string[]>;
  /** A refusal means that nothing was sent. */
  opens(address: string, port: number): Promise<boolean | Refusal>;
  /** Whether the person may read this address: the operator's own network is none of an account's business. */
  mayShow(address: string): boolean;
};

/**
 * What would make a certificate request fail, for each domain. All domains share one certificate, and a
 * failed request counts against the authority’s limit. The checks run from the console’s own network.
 *
 * @param address of the server, as the person gave it: an IPv4 address, an IPv6 address or a name
 * @param looked the addresses that it has now
 */
export async function checkHttps(
  domains: readonly string[],
  { address, looked }: { address: string; looked: Looked },
  lookup: Lookup,
): Promise<HttpsCheck[]> {
  if (domains.length === 0)
    return [fail('No domain', 'has_domain', 'The app has no domain yet. Add one, then enable HTTPS.')];
  if (looked.kind !== 'found') {
    const why = looked.kind === 'none' ? sayNoAddress(address) : sayNotLookedUp(address);
    return domains.map((domain) => fail(domain, 'points_here', `The server is known by a name. ${why}`));
  }
  const server: Server = { address, kind: addressKindOf(address), own: looked.addresses };
  const port80 = await openAtEach(server, lookup);
  const each = await Promise.all(domains.map((domain) => checkDomain(domain, server, port80, lookup)));
  return each.flat();
}

type Server = { address: string; kind: AddressKind; own: readonly string[] };

/** Port 80 at each address: the authority takes any of them. `at`: the first that does not answer. */
type Port80 = { answers: true } | { answers: false; at: string; refusal: Refusal | null };

async function openAtEach({ own }: Server, lookup: Lookup): Promise<Port80> {
  const tried = await Promise.all(own.map((each) => lookup.opens(each, 80)));
  const failed = tried.findIndex((found) => found !== true);
  const found = tried[failed];
  if (found === undefined || found === true) return { answers: true };
  return { answers: false, at: own[failed] ?? '', refusal: found === false ? null : found };
}

async function checkDomain(
  domain: string,
  server: Server,
  port80: Port80,
  lookup: Lookup,
): Promise<HttpsCheck[]> {
  if (domain.startsWith('*.'))
    return [
      fail(
        domain,
        'no_wildcard',
        'A wildcard domain cannot get a certificate this way, because the authority checks a wildcard through DNS only. Remove the domain, or add its names one by one.',
      ),
    ];
  const [found4, found6] = await Promise.all([
    addresses(() => lookup.a(domain)),
    addresses(() => lookup.aaaa(domain)),
  ]);
  if (found4 === null || found6 === null)
    return [
      fail(domain, 'resolves', `${domain} could not be looked up: no name server answered. Try again.`),
    ];
  const { v4, v6 } = addressesOfAnswer(found4, found6);
  const { asked, others } = byKind(server.kind, v4, v6);
  const say = spelling(lookup);
  if (asked.length === 0) return [fail(domain, 'resolves', unresolved(domain, server, say(others)))];
  return [
    pass(domain, 'resolves', `${domain} resolves to ${say(asked)}.`),
    ...(asked.some((address) => cloudflare.contain(address))
      ? [
          fail(
            domain,
            'not_proxied',
            'Cloudflare proxies this domain. The request reaches this server only if Cloudflare passes port 80 on without a redirect. To be sure, set the record to DNS Only.',
          ),
        ]
      : [pointsHere(domain, asked, server, say), ...noOther(domain, say(others), server.kind)]),
    answersAtPort80(domain, port80, server),
  ];
}

/** Which addresses of a domain have to be the server's, and which it may not have beside them. A name may have both kinds. */
function byKind(kind: AddressKind, v4: readonly string[], v6: readonly string[]) {
  if (kind === 'name') return { asked: [...v4, ...v6], others: [] };
  return kind === 'ipv4' ? { asked: v4, others: v6 } : { asked: v6, others: v4 };
}

/** Addresses in a sentence. */
type Say = (addresses: readonly string[]) => string;

const spelling =
  ({ mayShow }: Pick<Lookup, 'mayShow'>): Say =>
  (addresses) =>
    [...new Set(addresses.map((each) => (mayShow(each) ? each : 'an address that is not public')))].join(
      ', ',
    );

/** `others`: the addresses of the other kind in a sentence; empty: none. */
function unresolved(domain: string, { address, kind }: Server, others: string): string {
  const only = others === '' ? '' : `, only to ${others}`;
  const [what, record] = {
    ipv4: ['an IPv4 address', 'an A record'],
    ipv6: ['an IPv6 address', 'an AAAA record'],
    name: ['an address', 'a CNAME record'],
  }[kind];
  return `${domain} does not resolve to ${what}${only}. Add ${record} that points to ${address}.`;
}

function answersAtPort80(domain: string, port80: Port80, { address }: Server): HttpsCheck {
  if (port80.answers) return pass(domain, 'port_80', 'Port 80 of the server answers.');
  if (port80.refusal !== null)
    return fail(domain, 'port_80', `Port 80 was not tried. ${sayTargetRefusal(port80.refusal)}`);
  const where = port80.at === address ? address : `${address}, at ${port80.at},`;
  return fail(
    domain,
    'port_80',
    `Port 80 of ${where} does not answer. Open it in the firewall, because the authority sends its request there.`,
  );
}

/** The authority may use any of a domain’s addresses. */
function pointsHere(
  domain: string,
  asked: readonly string[],
  { address, kind, own }: Server,
  say: Say,
): HttpsCheck {
  const others = asked.filter((each) => !own.includes(canonicalAddress(each) ?? ''));
  const record = { ipv4: 'A record', ipv6: 'AAAA record', name: 'record' }[kind];
  if (others.length === asked.length)
    return fail(
      domain,
      'points_here',
      `The domain points to ${say(others)}, not to this server (${address}). Change its ${record}.`,
    );
  if (others.length > 0)
    return fail(
      domain,
      'points_here',
      `The domain points to this server, and to ${say(others)} too. Remove the other ${record}s: the authority takes any of them.`,
    );
  const hidden = asked.find((each) => !isPublicAddress(each));
  if (hidden !== undefined)
    return fail(
      domain,
      'points_here',
      `The domain points to ${say([hidden])}, which no authority on the internet can reach.`,
    );
  return pass(domain, 'points_here', 'The domain points to this server.');
}

/** A server that is known by an address of one kind may have one of the other kind, which Homeport does not know. */
function noOther(domain: string, others: string, kind: AddressKind): HttpsCheck[] {
  if (kind === 'name') return [];
  return [kind === 'ipv4' ? noOtherIpv6(domain, others) : noOtherIpv4(domain, others)];
}

function noOtherIpv6(domain: string, v6: string): HttpsCheck {
  return v6 === ''
    ? pass(domain, 'no_other_ipv6', 'The domain has no IPv6 address.')
    : fail(
        domain,
        'no_other_ipv6',
        `The domain also has the IPv6 address ${v6}, which the authority tries first. Make sure that it leads to this server too, or remove its AAAA record.`,
      );
}

function noOtherIpv4(domain: string, v4: string): HttpsCheck {
  return v4 === ''
    ? pass(domain, 'no_other_ipv4', 'The domain has no IPv4 address.')
    : fail(
        domain,
        'no_other_ipv4',
        `The domain also has the IPv4 address ${v4}, to which visitors without IPv6 go. Make sure that it leads to this server too, or remove its A record.`,
      );
}

const pass = (domain: string, check: HttpsCheck['check'], text: string) => ({
  domain,
  check,
  ok: true,
  text,
});
const fail = (domain: string, check: HttpsCheck['check'], text: string) => ({
  domain,
  check,
  ok: false,
  text,
});

/** An empty list means no such record; null means that no name server answered. */
async function addresses(ask: () => Promise<string[]>): Promise<string[] | null> {
  try {
    return await ask();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : null;
  }
}

const connectWithinMs = 5_000;

/**
 * Asks DNS, and connects through the gate. A server's address was judged when it was linked, but the operator's setting and this
 * machine's addresses change.
 *
 * @param dnsServers the servers to ask; none: those of the system
 * @param signal of the request: nothing is asked or tried after it aborts
 */
export function lookupThrough(
  gate: Pick<Gate, 'connect' | 'refuses'>,
  dnsServers: readonly string[],
  signal: AbortSignal,
): Lookup {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  return {
    a: (name) => resolver.resolve4(name),
    aaaa: (name) => resolver.resolve6(name),
    opens: (host, port) => opensThrough(gate, { host, port }, signal),
    mayShow: (address) => gate.refuses(address, 80) === null,
  };
}

const opensThrough = (
  gate: Pick<Gate, 'connect'>,
  { host, port }: { host: string; port: number },
  signal: AbortSignal,
) =>
  new Promise<boolean | Refusal>((resolve, reject) => {
    try {
      const socket = gate.connect({ host, port }, { timeout: connectWithinMs, signal });
      const end = (found: boolean | Refusal) => {
        socket.destroy();
        resolve(found);
      };
      socket.on('connect', () => end(true));
      socket.on('timeout', () => end(false));
      socket.on('error', (error) => end(error instanceof RefusedDestination ? error.refusal : false));
    } catch (error) {
      if (error instanceof RefusedDestination) resolve(error.refusal);
      else reject(error);
    }
  });
