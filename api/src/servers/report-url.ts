import { reachableUrl } from '@homeport/contract/network/loopback';
import { createOwnAddresses } from '@homeport/egress';
import type { Owner } from '@homeport/store';
import { ProblemError } from '../http/problem.ts';
import { type ServerAddresses, sayNotLookedUp } from '../remote/server-addresses.ts';

type Deps = {
  publicUrl: string;
  addresses: ServerAddresses;
  /** Whether an address is one of this machine. */
  isOwn?: (address: string) => boolean;
};

/**
 * Finds the address that a server’s agent posts its reports to. Throws `unavailable` if the console has a loopback address and the
 * server is another machine: an agent there would report to itself. Under whatever address or name this machine is linked, its own
 * agent reaches the console.
 */
export function createReportUrl({ publicUrl, addresses, isOwn = createOwnAddresses() }: Deps) {
  return async (owner: Owner, server: { ip: string; port: number }, signal: AbortSignal): Promise<string> => {
    if (reachableUrl(publicUrl) !== null) return publicUrl;
    const looked = await addresses.of(owner, server, signal);
    if (looked.kind === 'unknown') throw new ProblemError('unavailable', sayNotLookedUp(server.ip));
    if (looked.kind === 'found' && looked.addresses.length > 0 && looked.addresses.every(isOwn))
      return publicUrl;
    throw new ProblemError(
      'unavailable',
      `This server cannot reach the console at ${publicUrl}, so its agent could not report.`,
      {
        recovery:
          'Set HOMEPORT_PUBLIC_URL to an address that the server can reach, restart the console, and try again.',
      },
    );
  };
}
