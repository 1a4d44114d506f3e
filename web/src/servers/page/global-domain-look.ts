import { globalDomainOf, hasOwnWildcard } from '@homeport/contract/apps/default-domain';
import type { Server } from '@homeport/contract/servers/schema';

export interface GlobalDomainLook {
  /** The server's global domains, as linking found them. */
  found: string;
  /** The domain that Homeport uses for the server's apps. */
  wanted: string;
  /** What stands now, what each answer does, and what the person chose. One sentence or more each. */
  title: string;
  keep: string;
  /** null: Homeport makes no domain beneath the name of a server global. */
  replace: string | null;
  kept: string;
}

/**
 * The words about a server's own global domains beside Homeport's. null: linking found no others, the server is not
 * set up yet, or the console has come to use one of them.
 */
export function globalDomainLook(
  { globalDomains, ip, setup, subdomain }: Pick<Server, 'globalDomains' | 'ip' | 'setup' | 'subdomain'>,
  appDomain: string | null,
): GlobalDomainLook | null {
  if (globalDomains === null || setup !== 'ready') return null;
  const wanted = globalDomainOf({ subdomain, ip }, appDomain);
  if (globalDomains.found.includes(wanted)) return null;
  const found = globalDomains.found.join(', ');
  const title = globalDomains.found.length > 1 ? 'has the global domains' : 'has the global domain';
  if (!hasOwnWildcard({ ip })) {
    const gives = `New apps get a domain under ${found} by themselves. To end that, run on the server: dokku domains:clear-global`;
    return {
      ...{ found, wanted, title: `This server ${title} ${found}.` },
      ...{ keep: `Keep: nothing changes on the server. ${gives}`, replace: null, kept: `${found}. ${gives}` },
    };
  }
  return {
    found,
    wanted,
    title: `This server ${title} ${found}. Homeport would use ${wanted}.`,
    keep: `Keep: nothing changes on the server. New apps get a domain under ${found}, and those made here one under ${wanted} as well.`,
    replace: `Use ${wanted}: new apps get a domain under ${wanted} only. Apps that exist keep their domains.`,
    kept: `${found}, as you chose. Apps made here get a domain under ${wanted} as well. After Replace, new apps get one under that only.`,
  };
}
