import { resolve4, resolve6 } from 'node:dns/promises';
import { connect } from 'node:net';
import type { HttpsCheck } from '@homeport/contract/app-settings';
import ipaddr from 'ipaddr.js';

/** Cloudflare’s published IPv4 ranges that proxied records resolve to; a name in them is answered by Cloudflare, not here. */
const cloudflare = [
  '104.16.0.0/13',
  '104.24.0.0/14',
  '172.64.0.0/13',
  '162.158.0.0/15',
  '188.114.96.0/20',
  '141.101.64.0/18',
];

export type Lookup = {
  a(name: string): Promise<string[]>;
  aaaa(name: string): Promise<string[]>;
  opens(ip: string, port: number): Promise<boolean>;
};

/**
 * What would make a certificate request fail, for each domain: all of them stand on one certificate, and a failed request
 * counts against the authority’s limit. The checks look from where the console stands.
 */
export async function checkHttps(
  domains: readonly string[],
  serverIp: string,
  lookup: Lookup = systemLookup,
): Promise<HttpsCheck[]> {
  const port80 = await lookup.opens(serverIp, 80);
  const each = await Promise.all(domains.map((domain) => checkDomain(domain, serverIp, port80, lookup)));
  return each.flat();
}

async function checkDomain(
  domain: string,
  serverIp: string,
  port80: boolean,
  lookup: Lookup,
): Promise<HttpsCheck[]> {
  const [v4, v6] = await Promise.all([lookup.a(domain).catch(none), lookup.aaaa(domain).catch(none)]);
  const proxied = v4.some(isCloudflare);
  const result = (check: HttpsCheck['check'], ok: boolean, text: string): HttpsCheck => ({
    domain,
    check,
    ok,
    text,
  });
  if (v4.length === 0) {
    return [
      result(
        'resolves',
        false,
        `${domain} does not resolve to an IPv4 address. Add an A record that points to ${serverIp}.`,
      ),
    ];
  }
  return [
    result('resolves', true, `${domain} resolves to ${v4.join(', ')}.`),
    proxied
      ? result(
          'not_proxied',
          false,
          `${domain} is proxied by Cloudflare, which answers the authority itself. Set the record to DNS Only, or use Cloudflare’s own certificate.`,
        )
      : result(
          'points_here',
          v4.includes(serverIp),
          v4.includes(serverIp)
            ? 'It points to this server.'
            : `It points to ${v4.join(', ')}, not to this server (${serverIp}).`,
        ),
    result(
      'no_other_ipv6',
      v6.length === 0,
      v6.length === 0
        ? 'It has no IPv6 address.'
        : `It also has the IPv6 address ${v6.join(', ')}, which the authority tries first. Make sure that it leads to this server too.`,
    ),
    result(
      'port_80',
      port80,
      port80
        ? 'Port 80 of the server answers.'
        : `Port 80 of ${serverIp} does not answer. Open it in the firewall: the authority asks there.`,
    ),
  ];
}

/** A name that does not resolve has no addresses; that is an answer here. */
const none = (): string[] => [];

function isCloudflare(address: string): boolean {
  if (!ipaddr.IPv4.isValid(address)) return false;
  const parsed = ipaddr.IPv4.parse(address);
  return cloudflare.some((range) => parsed.match(ipaddr.IPv4.parseCIDR(range)));
}

const connectWithinMs = 5_000;

const systemLookup: Lookup = {
  a: (name) => resolve4(name),
  aaaa: (name) => resolve6(name),
  opens: (ip, port) =>
    new Promise((resolve) => {
      const socket = connect({ host: ip, port, timeout: connectWithinMs });
      const end = (opened: boolean) => {
        socket.destroy();
        resolve(opened);
      };
      socket.on('connect', () => end(true));
      socket.on('timeout', () => end(false));
      socket.on('error', () => end(false));
    }),
};
