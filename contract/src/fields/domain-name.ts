import { hostnameCharacters } from './facts.ts';

/** A label has letters, digits and hyphens inside (RFC 1123, 2.1; its length: RFC 1035, 2.3.4). */
const isLabel = (label: string) =>
  /^[a-z0-9-]{1,63}$/.test(label) && !label.startsWith('-') && !label.endsWith('-');

/**
 * The domain that a person typed, as it is saved and compared: lower case, punycode, no dot at the end. Null for what is no
 * domain, for an address, and for a name with anything beside it, such as a port or a path.
 */
export function newDomain(typed: string): string | null {
  const name = asciiName(typed);
  return name !== null && isNewDomain(name) ? name : null;
}

/** Whether people may give this name, of two labels or more, to an app or a proxy. Programs read a name whose last label is a number as an address. */
export function isNewDomain(name: string): boolean {
  const labels = name.length <= hostnameCharacters ? name.split('.') : [];
  return labels.length > 1 && labels.every(isLabel) && !/^\d+$/.test(labels.at(-1) ?? '');
}

/**
 * Whether a server can have this domain. Dokku also takes wildcards, `a_b.com`, `a..b` and capital letters. The first character
 * keeps the name from being read as an option.
 */
export function isExistingDomain(name: string): boolean {
  return name.length <= hostnameCharacters && /^[A-Za-z0-9_*.][A-Za-z0-9_*.-]*$/.test(name);
}

/** The ASCII form (RFC 5890's A-labels) of a name in any script. Null for a text that is not a name alone. */
export function asciiName(typed: string): string | null {
  const text = typed.trim().replace(/\.$/, '');
  if (text === '' || text.length > hostnameCharacters || /[\s/:?#@\\%]/.test(text)) return null;
  return URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname : null;
}
