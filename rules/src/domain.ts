import { canonicalAddress } from '@homeport/contract/network/addresses';

const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * The form in which a proxy's domain is saved and compared: lower case, punycode, no port, no dot at the end. Null for what is no
 * host name with at least two labels, and for an address.
 */
export function normaliseDomain(typed: string): string | null {
  const text = typed.trim().replace(/\.$/, '');
  if (text === '' || text.length > 253 || /[/:?#@\\\s%]/.test(text)) return null;
  if (!URL.canParse(`http://${text}`)) return null;
  const { hostname } = new URL(`http://${text}`);
  const labels = hostname.split('.');
  if (labels.length < 2 || hostname.length > 253 || canonicalAddress(hostname) !== null) return null;
  return labels.every((part) => label.test(part)) ? hostname : null;
}

/** The name that a Host header asks for: without port and without one dot at the end, in lower case. */
export function hostOfHeader(header: string): string {
  const name = header.replace(/:[0-9]*$/, '');
  return (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase();
}
