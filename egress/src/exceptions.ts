import { networks } from '@homeport/contract/network/addresses';
import { isLoopbackAddress } from '@homeport/contract/network/loopback';

/** All networks. Written out by an operator, it opens this machine's own ports as well. */
export const everyNetwork: readonly string[] = ['0.0.0.0/0', '::/0'];

/** The networks that an operator allows although they are not public. */
export type Exceptions = {
  /** Whether an exception holds this address. */
  contain(address: string): boolean;
  /** Whether an exception means this machine, and so opens its other ports too. */
  nameThisMachine(address: string): boolean;
};

/**
 * An office's network is allowed for the other machines in it. Such an exception says nothing about the services that listen on
 * this machine for itself, although its address is in that network too. An exception means this machine where it is a network of
 * the loopback, the address alone, or every network.
 *
 * @param list `10.0.0.0/8`, `fd00::/8`
 */
export function readExceptions(list: readonly string[]): Exceptions {
  const all = networks(list);
  const naming = networks(list.filter(namesOneMachine));
  return { contain: all.contain, nameThisMachine: naming.contain };
}

function namesOneMachine(network: string): boolean {
  const [address = '', bits = ''] = network.split('/');
  if (everyNetwork.includes(network)) return true;
  if (bits === (address.includes(':') ? '128' : '32')) return true;
  return isLoopbackAddress(address) && Number(bits) >= 8;
}
