import { defaultDomainOf, slugOf } from '@homeport/contract/apps/default-domain';

/** Stands for the random suffix of the name on the server, which is drawn when the app is created. */
const suffix = '…';

/** The name on the server as it will begin. Empty while nothing is typed. */
export function slugPreview(name: string): string {
  return name.trim() === '' ? '' : slugOf(name);
}

export interface DomainParts {
  name: string;
  server: { subdomain: string; ip: string };
  /** The shared suffix of this console; null where its operator has none. */
  appDomain: string | null;
}

/** The default domain that an app of this name gets. */
export function defaultDomainPreview({ name, server, appDomain }: DomainParts): string {
  return defaultDomainOf(server, `${slugPreview(name) || 'name'}-${suffix}`, appDomain);
}
