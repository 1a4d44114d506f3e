import { canonicalAddress, isPublicAddress } from '@homeport/contract/network/addresses';
import { withoutTrailingSlash } from './path-parts.ts';

/** An upstream's address, read from what a person typed. */
export type Target = {
  protocol: 'http:' | 'https:';
  /** Without brackets, for a resolver or a socket. */
  hostname: string;
  port: number;
  /** As the Host header has it: with the port unless it is the scheme's own. */
  host: string;
  /** The target's own path without a slash at its end: '' or `/site`. */
  path: string;
  /** The URL as it is saved and shown. */
  url: string;
};

export type TargetRefusal = 'not_a_url' | 'scheme' | 'user' | 'query' | 'path' | 'port';

/** Ports that browsers refuse, because another protocol could take a request for its own (WHATWG Fetch, "port blocking"). */
const badPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Reads a target or source. Without a scheme it means https. */
export function readTarget(typed: string): { target: Target } | { refused: TargetRefusal } {
  const text = typed.trim();
  const url = parseUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (text === '' || url === null || url.hostname === '') return { refused: 'not_a_url' };
  const { protocol } = url;
  if (protocol !== 'http:' && protocol !== 'https:') return { refused: 'scheme' };
  if (url.username !== '' || url.password !== '') return { refused: 'user' };
  if (url.search !== '' || url.hash !== '' || text.includes('?') || text.includes('#'))
    return { refused: 'query' };
  const port = url.port === '' ? (protocol === 'https:' ? 443 : 80) : Number(url.port);
  if (badPorts.has(port)) return { refused: 'port' };
  const path = withoutTrailingSlash(url.pathname);
  if (path.includes('//') || path.includes('%00')) return { refused: 'path' };
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return {
    target: { protocol, hostname, port, host: url.host, path, url: `${protocol}//${url.host}${path}` },
  };
}

/** Whether the text alone shows that the target is not on the public internet. A name may still resolve to a private address. */
export function isPrivateByName({ hostname }: Pick<Target, 'hostname'>): boolean {
  if (canonicalAddress(hostname) !== null) return !isPublicAddress(hostname);
  return hostname === 'localhost' || hostname.endsWith('.localhost') || !hostname.includes('.');
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
