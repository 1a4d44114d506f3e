import { cookiePathToPublic, type Rule } from '@homeport/rules';

/** A Set-Cookie header for the merged domain. The target's own domain goes, and the path becomes the visitor's. */
export function publicCookie(header: string, rule: Rule): string {
  const [pair = '', ...attributes] = header.split(';');
  const keepsPath = pair.trimStart().startsWith('__Host-');
  const out = [pair];
  for (const attribute of attributes) {
    const equals = attribute.indexOf('=');
    const name = (equals < 0 ? attribute : attribute.slice(0, equals)).trim().toLowerCase();
    const value = equals < 0 ? '' : attribute.slice(equals + 1).trim();
    if (name === 'domain' && isDomainOf(value, rule.target.hostname)) continue;
    // A browser rejects a `__Host-` cookie with another path.
    if (name === 'path' && !keepsPath) out.push(` Path=${cookiePathToPublic(rule, value)}`);
    else out.push(attribute);
  }
  return out.join(';');
}

/** Domain-matching of RFC 6265, 5.1.3. */
function isDomainOf(domain: string, host: string): boolean {
  const plain = domain.replace(/^\./, '').toLowerCase();
  return plain !== '' && (host === plain || host.endsWith(`.${plain}`));
}
