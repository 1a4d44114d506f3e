import type { OwnerRead } from '@homeport/store';

/** The apps of a server that have the domain or domains under it, with these. */
export async function domainsUnder(
  { owner, db }: OwnerRead,
  serverId: string,
  domain: string,
): Promise<{ id: string; name: string; domains: string[] }[]> {
  const apps = await db
    .selectFrom('apps')
    .select(['id', 'name', 'domains'])
    .where('owner_id', '=', owner)
    .where('server_id', '=', serverId)
    .orderBy('name')
    .execute();
  return apps
    .map((app) => ({
      ...app,
      domains: app.domains.filter((each) => each === domain || each.endsWith(`.${domain}`)),
    }))
    .filter(({ domains }) => domains.length > 0);
}
