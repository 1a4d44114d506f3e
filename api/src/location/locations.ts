import { canonicalAddress, isPublicAddress } from '@homeport/contract/network/addresses';
import { isLoopbackAddress } from '@homeport/contract/network/loopback';
import { countryOf, loadCountries } from './country.ts';

/** Says where addresses are, without asking anybody outside the console. */
export type Locations = {
  /** "Germany", "Private network", "This machine"; "Unknown place" for an address that nothing is known of. */
  inWords(address: string | null): string;
};

export const unknownPlace = 'Unknown place';

export function createLocations(): Locations {
  loadCountries();
  return {
    inWords(text) {
      const address = text === null ? null : canonicalAddress(text);
      if (address === null) return unknownPlace;
      if (isLoopbackAddress(address)) return 'This machine';
      return isPublicAddress(address) ? (countryOf(address) ?? unknownPlace) : 'Private network';
    },
  };
}
