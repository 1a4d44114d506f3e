import { newDomain } from './domain-name.ts';
import { hostnameCharacters } from './facts.ts';
import { isIpv4 } from './server-address.ts';

/** The longest host name, with the root’s dot. Each spelling of an IPv6 address is shorter. */
export const addressCharacters = hostnameCharacters + 1;

/**
 * The one spelling of a server’s address: IPv6 as RFC 5952 writes it, an IPv4-mapped address as the IPv4 address that a socket connects
 * to, a name in lower case and punycode without the root’s dot. Null for any other text, such as an address with a zone or `127.1`.
 */
export function serverAddress(typed: string): string | null {
  const text = typed.trim();
  if (text.length > addressCharacters) return null;
  if (isIpv4(text)) return text;
  return text.includes(':') ? ipv6Of(text.replace(/^\[(.*)\]$/, '$1')) : newDomain(text);
}

function ipv6Of(text: string): string | null {
  if (!/^[0-9a-fA-F:.]+$/.test(text) || !URL.canParse(`http://[${text}]`)) return null;
  const address = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address);
  if (!mapped) return address;
  return mapped
    .slice(1)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}
