import { globalDomainOf } from '@homeport/contract/apps/default-domain';
import type { ServerTies } from '@homeport/contract/servers/schema';
import type { OwnerRead } from '@homeport/store';
import { sql } from 'kysely';
import { findServer } from '../../records/server-record.ts';
import { domainsUnder } from './domains-under.ts';

/** What names the address of a server, or its subdomain, outside of its own record. Asks the server nothing. */
export async function listTies(
  { owner, db }: OwnerRead,
  serverId: string,
  appDomain: string | null,
): Promise<ServerTies> {
  const server = await findServer({ owner, db }, serverId);
  const globalDomain = globalDomainOf(server, appDomain);
  const deployments = await db
    .selectFrom('continuous_deployments')
    .innerJoin('apps', 'apps.id', 'continuous_deployments.app_id')
    .select(['apps.id', 'apps.name'])
    .where('apps.owner_id', '=', owner)
    .where('apps.server_id', '=', serverId)
    .orderBy('apps.name')
    .execute();
  const exposed = await db
    .selectFrom('databases')
    .select(['id', 'name'])
    .where('owner_id', '=', owner)
    .where('server_id', '=', serverId)
    .where(sql<boolean>`jsonb_array_length(ports::jsonb) > 0`)
    .orderBy('name')
    .execute();
  const names = namesAnyOf([server.ip, globalDomain]);
  const proxies = await db
    .selectFrom('proxies')
    .select(['id', 'name'])
    .where('owner_id', '=', owner)
    .where(sql<boolean>`source ~* ${names} or records::text ~* ${names}`)
    .orderBy('name')
    .execute();
  return {
    globalDomain,
    apps: await domainsUnder({ owner, db }, serverId, globalDomain),
    ...{ deployments, exposed, proxies },
  };
}

/** A pattern of PostgreSQL’s that finds a whole host: 192.0.2.1 is no part of 192.0.2.10. */
function namesAnyOf(hosts: readonly string[]): string {
  const either = hosts.map((host) => host.replaceAll(/[^a-z0-9]/gi, String.raw`\$&`)).join('|');
  return `(?<![a-z0-9-])(${either})(?![a-z0-9-])`;
}
