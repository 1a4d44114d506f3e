import { hasOwnWildcard } from '@homeport/contract/apps/default-domain';
import type { PointsAt } from '@homeport/contract/domains/schema';
import { addressKindOf } from '@homeport/contract/fields/server-address';
import { canonicalAddress } from '@homeport/contract/network/addresses';
import type { Owner, OwnerRead } from '@homeport/store';
import type { CloudflareRecord } from '../cloudflare/answers.ts';
import type { Looked } from '../remote/server-addresses.ts';
import type { DomainDeps } from './account.ts';

/** What a person has that a record can point at. */
export type Belongings = {
  /** By their addresses, also those that their names lead to now, and by their names. */
  serversByAddress: ReadonlyMap<string, { name: string; key: string }>;
  /** By the subdomain that the server claimed, with the shared suffix. Nobody leads that of a server with a name there. */
  serversByHost: ReadonlyMap<string, { name: string; key: string }>;
  appsByDomain: ReadonlyMap<string, { name: string; longname: string; serverKey: string }>;
  /** Where the domains of proxies lead; null: the operator named no host. */
  proxyHost: string | null;
  proxiesByDomain: ReadonlyMap<string, { name: string; id: string }>;
  /** Servers that were removed here, by their addresses. Empty while the name of a server has no known address. */
  former: ReadonlyMap<string, { name: string; removedAt: number }>;
};

/** What the store knows of them. `withNames` adds where names lead, outside of the transaction. */
export type KeptBelongings = Belongings & {
  named: readonly { ip: string; port: number; name: string; key: string }[];
};

export async function readBelongings(
  { owner, db }: OwnerRead,
  { appDomain, proxyHost }: Pick<DomainDeps, 'appDomain' | 'proxyHost'>,
): Promise<KeptBelongings> {
  const servers = await db
    .selectFrom('servers')
    .select(['id', 'name', 'key', 'ip', 'port', 'subdomain'])
    .where('owner_id', '=', owner)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  const apps = await db
    .selectFrom('apps')
    .select(['name', 'longname', 'domains', 'server_id'])
    .where('owner_id', '=', owner)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  const proxies = await db
    .selectFrom('proxies')
    .select(['id', 'name', 'domain'])
    .where('owner_id', '=', owner)
    .execute();
  const former = await db
    .selectFrom('former_addresses')
    .select(['ip', 'server_name', 'removed_at'])
    .where('owner_id', '=', owner)
    .execute();
  const keys = new Map(servers.map(({ id, key }) => [id, key]));
  return {
    named: servers.filter(({ ip }) => addressKindOf(ip) === 'name'),
    serversByAddress: new Map(servers.map(({ ip, name, key }) => [ip, { name, key }])),
    serversByHost: new Map(
      appDomain === null
        ? []
        : servers
            .filter(hasOwnWildcard)
            .map(({ subdomain, name, key }) => [`${subdomain}.${appDomain}`, { name, key }]),
    ),
    appsByDomain: new Map(
      apps.flatMap(({ domains, name, longname, server_id }) =>
        domains.map((domain) => [domain, { name, longname, serverKey: keys.get(server_id) ?? '' }]),
      ),
    ),
    proxyHost,
    proxiesByDomain: new Map(proxies.map(({ domain, name, id }) => [domain, { name, id }])),
    former: new Map(
      former.map(({ ip, server_name, removed_at }) => [ip, { name: server_name, removedAt: removed_at }]),
    ),
  };
}

/**
 * Adds the addresses that the names of servers have now. A machine may have been removed by its address and linked again by a name: while
 * one name has no known address, no record is said to lead to a machine that is gone.
 */
export async function withNames(
  { addresses }: Pick<DomainDeps, 'addresses'>,
  owner: Owner,
  { named, ...kept }: KeptBelongings,
  signal?: AbortSignal,
): Promise<Belongings> {
  if (named.length === 0) return kept;
  const looked = await addresses.ofEach(owner, named, signal);
  const led = named.flatMap(({ name, key }, at) =>
    foundOf(looked[at]).map((address) => [address, { name, key }] as const),
  );
  const isWhole = looked.every(({ kind }) => kind === 'found');
  return {
    ...kept,
    // A server that is known by the address itself comes first.
    serversByAddress: new Map([...led, ...kept.serversByAddress]),
    former: isWhole ? kept.former : new Map(),
  };
}

const foundOf = (looked: Looked | undefined) => (looked?.kind === 'found' ? looked.addresses : []);

/** A chain of CNAMEs is followed this far. Resolvers go about as far. */
const mostHops = 8;

/**
 * Says what each record of a zone leads to. An A or AAAA record leads to a server by its address, and to the app of that server that has
 * the record's name among its domains. A CNAME may have a server's name, and is followed within the zone; one that reaches the proxy
 * service leads to the proxy that has the record's name as its domain.
 */
export function pointsAtOf(
  records: readonly CloudflareRecord[],
  belongings: Belongings,
): (record: CloudflareRecord) => PointsAt | null {
  const byName = new Map<string, CloudflareRecord[]>();
  for (const record of records) byName.set(record.name, [...(byName.get(record.name) ?? []), record]);
  const { serversByAddress, serversByHost, appsByDomain, proxyHost, proxiesByDomain, former } = belongings;

  const ofServer = (server: { name: string; key: string }, name: string): PointsAt => {
    const app = appsByDomain.get(name);
    return app?.serverKey === server.key ? { kind: 'app', ...app } : { kind: 'server', ...server };
  };
  const ofAddress = (address: string, name: string): PointsAt => {
    const server = serversByAddress.get(address);
    if (server) return ofServer(server, name);
    const removed = former.get(address);
    return removed ? { kind: 'former', ...removed } : { kind: 'nothing' };
  };
  const follow = (record: CloudflareRecord, name: string, hops: number): PointsAt => {
    if (record.type !== 'CNAME') return ofAddress(canonicalAddress(record.content) ?? record.content, name);
    if (hops === 0) return { kind: 'nothing' };
    const target = record.content.toLowerCase();
    if (target === proxyHost) {
      const proxy = proxiesByDomain.get(name);
      return proxy ? { kind: 'proxy', ...proxy } : { kind: 'nothing' };
    }
    const hosted = [...serversByHost].find(([host]) => target === host || target.endsWith(`.${host}`));
    const known = hosted?.[1] ?? serversByAddress.get(target);
    if (known) return ofServer(known, name);
    const next = (byName.get(target) ?? []).filter(({ type }) => isAddressing(type));
    const found = next.map((each) => follow(each, name, hops - 1));
    const ours = found.find(({ kind }) => kind !== 'nothing');
    if (ours) return ours;
    const app = appsByDomain.get(target);
    return app ? { kind: 'app', ...app } : { kind: 'nothing' };
  };
  return (record) => (isAddressing(record.type) ? follow(record, record.name, mostHops) : null);
}

/** Whether a record of this type decides where its name leads to. */
export const isAddressing = (type: string): boolean => type === 'A' || type === 'AAAA' || type === 'CNAME';
