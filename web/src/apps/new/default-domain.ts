import {
  defaultDomainOf,
  globalDomainOf,
  hasOwnWildcard,
  slugOf,
} from '@homeport/contract/apps/default-domain';

/**
 * A placeholder for the random suffix of the name on the server. The console draws the suffix when it creates
 * the app.
 */
export const suffix = 'xxxxxx';

/** The beginning of the name on the server. Empty until a name is typed. */
export function slugPreview(name: string): string {
  return name.trim() === '' ? '' : slugOf(name);
}

export interface DomainParts {
  name: string;
  server: { subdomain: string; ip: string };
  /** The domain suffix that all apps of this console share. null when the operator has set none. */
  appDomain: string | null;
}

/** The DNS record that default domains of this server need, and that nobody makes but its owner or the operator. null: none. */
export function neededWildcard(server: DomainParts['server'], appDomain: string | null): string | null {
  return hasOwnWildcard(server) ? null : `*.${globalDomainOf(server, appDomain)}`;
}

/** The default domain of an app with this name. */
export function defaultDomainPreview({ name, server, appDomain }: DomainParts): string {
  return defaultDomainOf(server, `${slugPreview(name) || 'name'}-${suffix}`, appDomain);
}
