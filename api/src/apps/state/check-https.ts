import { Resolver } from 'node:dns/promises';
import type { HttpsCheck } from '@homeport/contract/apps/settings-schema';
import { type AddressKind, addressKindOf, recordTypeTo } from '@homeport/contract/fields/server-address';
import { canonicalAddress, isPublicAddress, networks } from '@homeport/contract/network/addresses';
import { type Gate, type Refusal, RefusedDestination } from '@homeport/egress';
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
  opens(ip: string, port: number): Promise<boolean | Refusal>;
};

/**
 * What would make a certificate request fail, for each domain. All domains share one certificate, and a
 * failed request counts against the authority’s limit. The checks run from the console’s own network.
 */
export async function checkHttps(
  domains: readonly string[],
  serverIp: string,
  lookup: Lookup,
): Promise<HttpsCheck[]> {
  if (domains.length === 0)
    return [fail('No domain', 'has_domain', 'The app has no domain yet. Add one, then enable HTTPS.')];
  const port80 = await lookup.opens(serverIp, 80);
  const each = await Promise.all(domains.map((domain) => checkDomain(domain, serverIp, port80, lookup)));
  return each.flat();
}

async function checkDomain(
  domain: string,
  serverIp: string,
  port80: boolean | Refusal,
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
  const [v4, v6] = await Promise.all([
    addresses(() => lookup.a(domain)),
    addresses(() => lookup.aaaa(domain)),
  ]);
  if (v4 === null || v6 === null)
    return [
      fail(domain, 'resolves', `${domain} could not be looked up: no name server answered. Try again.`),
    ];
  // The addresses of the server's own kind have to be the server's. Of the other kind the domain may have none.
  const kind = addressKindOf(serverIp);
  const [asked, others] = kind === 'ipv4' ? [v4, v6] : [v6, v4];
  if (asked.length === 0) {
    const only = others.length > 0 ? `, only to ${others.join(', ')}` : '';
    return [
      fail(
        domain,
        'resolves',
        `${domain} does not resolve to an ${kindNames[kind]} address${only}. Add an ${recordTypeTo(serverIp)} record that points to ${serverIp}.`,
      ),
    ];
  }
  return [
    pass(domain, 'resolves', `${domain} resolves to ${asked.join(', ')}.`),
    ...(asked.some((address) => cloudflare.contain(address))
      ? [
          fail(
            domain,
            'not_proxied',
            'Cloudflare proxies this domain. The request reaches this server only if Cloudflare passes port 80 on without a redirect. To be sure, set the record to DNS Only.',
          ),
        ]
      : [
          pointsHere(domain, asked, serverIp),
          kind === 'ipv4' ? noOtherIpv6(domain, others) : noOtherIpv4(domain, others),
        ]),
    answersAtPort80(domain, port80, serverIp),
  ];
}

function answersAtPort80(domain: string, port80: boolean | Refusal, serverIp: string): HttpsCheck {
  if (typeof port80 !== 'boolean')
    return fail(domain, 'port_80', `Port 80 was not tried. ${sayTargetRefusal(port80)}`);
  return port80
    ? pass(domain, 'port_80', 'Port 80 of the server answers.')
    : fail(
        domain,
        'port_80',
        `Port 80 of ${serverIp} does not answer. Open it in the firewall, because the authority sends its request there.`,
      );
}

/** The authority may use any of a domain’s addresses. */
function pointsHere(domain: string, asked: readonly string[], serverIp: string): HttpsCheck {
  const others = asked.filter((address) => canonicalAddress(address) !== serverIp);
  const type = recordTypeTo(serverIp);
  if (others.length === asked.length)
    return fail(
      domain,
      'points_here',
      `The domain points to ${others.join(', ')}, not to this server (${serverIp}). Change its ${type} record.`,
    );
  if (others.length > 0)
    return fail(
      domain,
      'points_here',
      `The domain points to this server, and to ${others.join(', ')} too. Remove the other ${type} records: the authority takes any of them.`,
    );
  if (!isPublicAddress(serverIp))
    return fail(
      domain,
      'points_here',
      `The domain points to ${serverIp}, which no authority on the internet can reach.`,
    );
  return pass(domain, 'points_here', 'The domain points to this server.');
}

function noOtherIpv6(domain: string, v6: readonly string[]): HttpsCheck {
  return v6.length === 0
    ? pass(domain, 'no_other_ipv6', 'The domain has no IPv6 address.')
    : fail(
        domain,
        'no_other_ipv6',
        `The domain also has the IPv6 address ${v6.join(', ')}, which the authority tries first. Make sure that it leads to this server too, or remove its AAAA record.`,
      );
}

function noOtherIpv4(domain: string, v4: readonly string[]): HttpsCheck {
  return v4.length === 0
    ? pass(domain, 'no_other_ipv4', 'The domain has no IPv4 address.')
    : fail(
        domain,
        'no_other_ipv4',
        `The domain also has the IPv4 address ${v4.join(', ')}, to which visitors without IPv6 go. Make sure that it leads to this server too, or remove its A record.`,
      );
}

const kindNames: Record<AddressKind, string> = { ipv4: 'IPv4', ipv6: 'IPv6' };

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
const resolver = new Resolver({ timeout: 2_000, tries: 2 });

/**
 * Asks the system's name servers, and connects through the gate. A server's address was judged when it was linked, but the
 * operator's setting and this machine's addresses change.
 */
export const lookupThrough = (gate: Pick<Gate, 'connect'>): Lookup => ({
  a: (name) => resolver.resolve4(name),
  aaaa: (name) => resolver.resolve6(name),
  opens: (host, port) =>
    new Promise((resolve, reject) => {
      try {
        const socket = gate.connect({ host, port }, { timeout: connectWithinMs });
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
    }),
});
