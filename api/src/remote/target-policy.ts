import ipaddr from 'ipaddr.js';

/** Which addresses a user may name as a server. Somebody with an account must not reach the console’s own network with it. */
export type TargetPolicy = { allows(address: string): boolean };

/** Public unicast addresses only, unless private ones are allowed by the operator. */
export function createTargetPolicy(allowPrivate: boolean): TargetPolicy {
  return {
    allows(address) {
      if (!ipaddr.isValid(address)) return false;
      return allowPrivate || ipaddr.process(address).range() === 'unicast';
    },
  };
}
