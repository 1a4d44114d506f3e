import { Resolver } from 'node:dns/promises';

/** How long DNS may take, over all tries. */
const deadlineMs = 5_000;

/** Asks these DNS servers, or those of the system where none are named. */
export function readTxtFrom(servers: readonly string[]): (name: string) => Promise<readonly string[]> {
  return async (name) => {
    const resolver = new Resolver({ timeout: deadlineMs / 2, tries: 2 });
    if (servers.length > 0) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), deadlineMs);
    try {
      // A long TXT record comes in pieces, which belong together (RFC 7208, 3.3).
      return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
    } catch {
      return [];
    } finally {
      clearTimeout(timer);
    }
  };
}
