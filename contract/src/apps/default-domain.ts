import { addressKindOf, ipv6Groups } from '../fields/server-address.ts';
import { isLoopbackAddress } from '../network/loopback.ts';

/** An app's name on its server: a slug of the name that was typed, a hyphen and a random suffix. */
export const longnameCharacters = 40;
export const longnameSuffixCharacters = 6;
const slugCharacters = longnameCharacters - longnameSuffixCharacters - 1;

/**
 * The beginning of the name on the server: lower-case letters, digits and hyphens. A name without any letter
 * or digit becomes `app`. Accents are dropped first (NFKD). Only the first kilobyte is read, which bounds the
 * work.
 */
export function slugOf(name: string): string {
  const slug = name
    .slice(0, 1024)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, slugCharacters)
    .replace(/-$/, '');
  return slug === '' ? 'app' : slug;
}

/**
 * The domain beneath which a server’s apps get theirs. With a shared suffix of the operator:
 * `{subdomain}.{suffix}`. Otherwise a domain that resolves to the server’s address by itself. A loopback
 * address gets `localhost`, which browsers resolve. A host name stands for itself.
 */
export function globalDomainOf(server: { subdomain: string; ip: string }, appDomain: string | null): string {
  if (appDomain) return `${server.subdomain}.${appDomain}`;
  if (isLoopbackAddress(server.ip)) return `${server.subdomain}.localhost`;
  const kind = addressKindOf(server.ip);
  if (kind === 'name') return server.ip;
  if (kind === 'ipv4') return `${server.ip}.sslip.io`;
  // All eight groups: `::` would become `--`, which no label of a certificate has at its places three and four, and none begins with.
  return `${ipv6Groups(server.ip).join('-')}.sslip.io`;
}

/**
 * Whether Homeport and the operator see to it that default domains lead to the server. Beneath the name of a server they do only where
 * somebody made the record `*.{name}`, and nobody makes the operator’s wildcard lead to a name.
 */
export const hasOwnWildcard = (server: { ip: string }): boolean => addressKindOf(server.ip) !== 'name';

/** The default domain of an app on the server. */
export function defaultDomainOf(
  server: { subdomain: string; ip: string },
  longname: string,
  appDomain: string | null,
): string {
  return `${longname}.${globalDomainOf(server, appDomain)}`;
}
