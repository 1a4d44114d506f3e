import { canonicalAddress, isPublicAddress } from '@homeport/contract/network/addresses';

/**
 * Decides which addresses a user may name as a server. A person with an account must not reach the console’s
 * own network.
 */
export type TargetPolicy = { allows(address: string): boolean };

/** Allows public addresses only, unless the operator allows private ones. */
export function createTargetPolicy(allowPrivate: boolean): TargetPolicy {
  return {
    allows: (address) => (allowPrivate ? canonicalAddress(address) !== null : isPublicAddress(address)),
  };
}
