import { canReport, reachableUrl } from '@homeport/contract/network/loopback';
import { ProblemError } from '../http/problem.ts';

/**
 * The address that a server’s agent posts its reports to. Throws `unavailable` if the console has a loopback
 * address and the server is another machine: an agent there would report to itself.
 */
export function reportUrlFor(server: { ip: string }, publicUrl: string): string {
  if (!canReport(server.ip, reachableUrl(publicUrl))) {
    throw new ProblemError(
      'unavailable',
      `This server cannot reach the console at ${publicUrl}, so its agent could not report.`,
      {
        recovery:
          'Set HOMEPORT_PUBLIC_URL to an address that the server can reach, restart the console, and try again.',
      },
    );
  }
  return publicUrl;
}
