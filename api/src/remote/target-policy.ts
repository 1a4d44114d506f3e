import { canonicalAddress, isPublicAddress } from '@homeport/contract/network/addresses';

/** Which addresses a user may name as a server. Somebody with an account must not reach the console’s own network with it. */
export type TargetPolicy = { allows(address: string): boolean };

/** Public addresses only, unless private ones are allowed by the operator. */
export function createTargetPolicy(allowPrivate: boolean): TargetPolicy {
  return {
    allows: (address) => (allowPrivate ? canonicalAddress(address) !== null : isPublicAddress(address)),
  };
}
