import type { Rule, Site } from './compile-site.ts';
import { findMember } from './members.ts';
import { covers, withOneLeadingSlash } from './path-parts.ts';
import { invertRewrite } from './rewrite.ts';

/**
 * The inverse of `resolvePath`: a URL as the rule's upstream writes it, for the merged domain. A URL that leads elsewhere, or is
 * relative, stays as it is.
 *
 * @param origin scheme and host as the visitor sees them: `https://example.com`
 */
export function toPublic(site: Site, rule: Rule, url: string, origin: string): string {
  const parts = splitUrl(url);
  if (parts === null) return url;
  if (parts.host === null) return pathToPublic(rule, parts.rest) ?? url;
  if (parts.host === rule.target.host) {
    const own = pathToPublic(rule, parts.rest);
    if (own !== null) return origin + own;
  }
  const members = site.members.get(parts.host);
  const member = members && findMember(members, parts.rest.slice(0, endOfPath(parts.rest)), rule);
  const found = member ? pathToPublic(member, parts.rest) : null;
  return found === null ? url : origin + found;
}

/** The Path of a cookie for the merged domain. A path that covers the whole mount becomes the rule's own. */
export function cookiePathToPublic(rule: Rule, path: string): string {
  if (!path.startsWith('/')) return path;
  const cut = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  if (cut === '/' || (rule.mount !== '' && covers(cut, rule.mount))) return rule.strips ? rule.base : '/';
  return pathToPublic(rule, path) ?? path;
}

/** A path of the upstream, perhaps with query and fragment, as the visitor's path. Null when it is outside of the rule's mount. */
function pathToPublic(rule: Rule, url: string): string | null {
  const end = endOfPath(url);
  const path = url.slice(0, end);
  const below = rule.mount === '' ? null : belowMount(rule, path);
  if (below !== null) return below + url.slice(end);
  // The upstream already knows its place on the domain.
  if (rule.base !== '' && covers(rule.base, path)) return url;
  if (rule.mount !== '') return null;
  return (belowMount(rule, path) ?? path) + url.slice(end);
}

function belowMount(rule: Rule, path: string): string | null {
  if (!covers(rule.mount, path)) return null;
  const rest = withOneLeadingSlash(path.slice(rule.mount.length));
  const before = rule.rewrite === null ? rest : (invertRewrite(rule.rewrite, rest) ?? rest);
  return rule.strips ? rule.base + withOneLeadingSlash(before) : withOneLeadingSlash(before);
}

function endOfPath(url: string): number {
  const end = url.search(/[?#]/);
  return end < 0 ? url.length : end;
}

/** Null for a URL that never changes: relative, another scheme, a user in it, or what browsers and programs read in different ways. */
function splitUrl(url: string): { host: string | null; rest: string } | null {
  const first = url.charCodeAt(0);
  if (first === slash) {
    const second = url.charAt(1);
    if (second === '\\') return null;
    return second === '/' ? splitAuthority(url.slice(2), '') : { host: null, rest: url };
  }
  // Only `h` and `H` begin a scheme that may change.
  if (first !== 0x68 && first !== 0x48) return null;
  const scheme = url.slice(0, 8).toLowerCase();
  if (scheme.startsWith('https://')) return splitAuthority(url.slice(8), ':443');
  return scheme.startsWith('http://') ? splitAuthority(url.slice(7), ':80') : null;
}

const slash = 0x2f;

function splitAuthority(text: string, defaultPort: string): { host: string; rest: string } | null {
  const found = text.search(/[/?#\\]/);
  const end = found < 0 ? text.length : found;
  const authority = text.slice(0, end);
  if (authority === '' || authority.includes('@') || text.charAt(end) === '\\') return null;
  const rest = text.slice(end);
  return {
    host: withoutDefaultPort(authority.toLowerCase(), defaultPort),
    rest: rest.startsWith('/') ? rest : `/${rest}`,
  };
}

/** Without a scheme both default ports count as default. */
function withoutDefaultPort(host: string, defaultPort: string): string {
  for (const port of defaultPort === '' ? [':80', ':443'] : [defaultPort])
    if (host.endsWith(port)) return host.slice(0, -port.length);
  return host;
}
