import { isIPv4 } from 'node:net';
import { canonicalAddress, isPublicAddress } from '@homeport/contract/network/addresses';
import { type CountryRanges, readCountryRanges } from './country-ranges.ts';

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
let ranges: CountryRanges | undefined;

/** Unpacks the database, which takes some milliseconds. Call this before the console takes requests. */
export function loadCountries(): CountryRanges {
  ranges ??= readCountryRanges();
  return ranges;
}

/**
 * The English name of the country that a public IPv4 address is used in, by the console's own database. Null for
 * private addresses, for IPv6 and for an address that the database does not know.
 */
export function countryOf(text: string): string | null {
  const address = canonicalAddress(text);
  if (address === null || !isIPv4(address) || !isPublicAddress(address)) return null;
  const code = loadCountries().codeOf(numberOf(address));
  return code === null ? null : (names.of(code) ?? null);
}

const numberOf = (address: string) =>
  address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
