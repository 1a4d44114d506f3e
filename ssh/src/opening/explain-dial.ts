import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isPublicAddress } from '@homeport/contract/network/addresses';

/** An error of connect(2), of the resolver (`syscall` is the question then), or those of all addresses of a name. */
export type DialFailure = NodeJS.ErrnoException & { address?: string };

/** What to say of a socket that failed before it was connected. The address that says most stands for all addresses of a name. */
export function whyUnreachable({ host, port }: { host: string; port: number }, error: DialFailure): string {
  const all = error instanceof AggregateError ? error.errors.filter(isFailure) : [error];
  const reached = all.filter((each) => !isWithoutRoute(each) || isIP(each.address ?? host) !== 6);
  const [said = error] = reached.length > 0 ? reached : all;
  if (reached.length === 0)
    return `This console has no IPv6, so it cannot reach ${host} port ${port} (${said.code}).`;
  if (said.code === 'ENOTFOUND' || said.code === 'ENODATA') return `${host} has no address in DNS.`;
  if (said.syscall?.startsWith('query'))
    return `${host} could not be looked up in DNS (${said.code}). Nothing was sent to it.`;
  return `No SSH server answers at ${host} port ${port} (${said.code ?? 'connection failed'}).`;
}

const isFailure = (error: unknown): error is DialFailure => error instanceof Error;

/** The kernel has no route to the address, or no address of its own to send from. */
const isWithoutRoute = ({ code }: DialFailure) => code === 'ENETUNREACH' || code === 'EADDRNOTAVAIL';

/**
 * A sentence for a public IPv6 address that did not answer, where the console has no such address itself: a network may take its
 * packets and lose them. Empty otherwise.
 *
 * @param own the addresses of this machine
 */
export function withoutIpv6(host: string, own: readonly string[] = interfaceAddresses()): string {
  if (isIP(host) !== 6 || !isPublicAddress(host)) return '';
  return own.some((address) => isIP(address) === 6 && isPublicAddress(address))
    ? ''
    : ' This console has no public IPv6 address.';
}

const interfaceAddresses = () =>
  Object.values(networkInterfaces()).flatMap((cards) => (cards ?? []).map(({ address }) => address));
