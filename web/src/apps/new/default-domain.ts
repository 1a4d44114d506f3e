/** The figures that the name on the server is made with: the slug and its random suffix have 40 characters at most. */
const suffix = '…';
const slugCharacters = 33;

/** What the name on the server will begin with: lower-case letters, digits and hyphens. Empty while nothing is typed. */
export function slugPreview(name: string): string {
  if (name.trim() === '') return '';
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, slugCharacters)
    .replace(/-$/, '');
  return slug === '' ? 'app' : slug;
}

export interface DomainParts {
  name: string;
  server: { subdomain: string; ip: string };
  /** The shared suffix of this console; null where its operator has none. */
  appDomain: string | null;
}

/**
 * The app's default domain, `…` standing for the six characters that are drawn when it is created:
 * `{longname}.{subdomain}.{suffix}`; without a suffix a name that resolves to the server by itself.
 */
export function defaultDomainPreview({ name, server, appDomain }: DomainParts): string {
  const own = server.ip.startsWith('127.') ? `${server.subdomain}.localhost` : `${server.ip}.sslip.io`;
  const below = appDomain === null ? own : `${server.subdomain}.${appDomain}`;
  return `${slugPreview(name) || 'name'}-${suffix}.${below}`;
}
