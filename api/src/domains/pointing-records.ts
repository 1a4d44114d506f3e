import { zonesSearched } from '@homeport/contract/domains/facts';
import type { PointingRecord, PointingRecords } from '@homeport/contract/domains/schema';
import { recordTypeTo } from '@homeport/contract/fields/server-address';
import { canonicalAddress } from '@homeport/contract/network/addresses';
import type { Owner, OwnerRead } from '@homeport/store';
import type { CloudflareRecord } from '../cloudflare/answers.ts';
import { type Asker, readRecords } from '../cloudflare/calls.ts';
import { findApp } from '../records/app-record.ts';
import { findServer, listServers } from '../records/server-record.ts';
import { asPerson, type DomainDeps, findAccount } from './account.ts';
import { type Belongings, pointsAtOf, readBelongings, withNames } from './points-at.ts';
import { toRecord } from './records.ts';
import { listZones, toZone, type ZoneRow } from './zones.ts';

type Search = { zone: ZoneRow; query: Record<string, string> };

const searchesAtOnce = 4;

/**
 * The records of editable zones that lead to an app: those that have one of its domains as their name. `names`: looks these up in
 * place of its domains.
 */
export async function recordsOfApp(
  deps: DomainDeps,
  owner: Owner,
  appId: string,
  signal: AbortSignal,
  names?: readonly string[],
): Promise<PointingRecords> {
  const found = await deps.store.read(owner, async (scope) => {
    const app = await findApp(scope, appId);
    const server = await findServer(scope, app.server_id);
    const zones = (await listZones(scope)).filter((zone) => toZone(zone).editable);
    const belongings = await readBelongings(scope, deps);
    return { app, server, zones, belongings, linked: (await findAccount(scope)) !== undefined };
  });
  const { own, unknownName } = await ownAddresses(deps, owner, found.server, signal);
  const belongings = await withNames(deps, owner, found.belongings, signal);
  const searches = (names ?? found.app.domains).flatMap((domain) => {
    const [zone] = found.zones
      .filter(({ name }) => domain === name || domain.endsWith(`.${name}`))
      .sort((a, b) => b.name.length - a.name.length);
    return zone ? [{ zone, query: { 'name.exact': domain } }] : [];
  });
  return searchAll(
    deps,
    owner,
    { linked: found.linked, unknownName, belongings, searches, signal },
    (record, pointsAt) =>
      record.type === 'CNAME'
        ? pointsAt?.kind === 'app'
        : own.includes(canonicalAddress(record.content) ?? ''),
  );
}

/**
 * The records of editable zones that have a server's address, or its name and an address of it. Where another server of the person's has
 * that address too, only those that have a domain of this server's apps as their name. `zones`: looks through these alone.
 */
export async function recordsOfServer(
  deps: DomainDeps,
  owner: Owner,
  serverId: string,
  signal: AbortSignal,
  zones?: ReadonlySet<string>,
): Promise<PointingRecords> {
  const found = await deps.store.read(owner, async (scope) => {
    const server = await findServer(scope, serverId);
    const searched = (await listZones(scope)).filter(
      (zone) => toZone(zone).editable && (zones?.has(zone.id) ?? true),
    );
    const belongings = await readBelongings(scope, deps);
    const others = (await listServers(scope)).filter(({ id }) => id !== serverId);
    const domains = new Set(await domainsOn(scope, serverId));
    return {
      server,
      searched,
      belongings,
      others,
      domains,
      linked: (await findAccount(scope)) !== undefined,
    };
  });
  const { key, ip } = found.server;
  const { own, unknownName } = await ownAddresses(deps, owner, found.server, signal);
  const belongings = await withNames(deps, owner, found.belongings, signal);
  // Another server may be known by one of these addresses itself.
  const contents = [ip, ...own.filter((each) => each !== ip && isOf(belongings, each, key))];
  const searches = found.searched.flatMap((zone) =>
    contents.map((content) => ({
      zone,
      query: { type: recordTypeTo(content), 'content.exact': content },
    })),
  );
  const { linked, domains } = found;
  const shared = await addressesOf(deps, owner, found.others, signal);
  return searchAll(
    deps,
    owner,
    { linked, unknownName, belongings, searches, signal },
    ({ name, content }) => !shared.has(canonicalAddress(content) ?? content) || domains.has(name),
  );
}

async function domainsOn({ owner, db }: OwnerRead, serverId: string): Promise<string[]> {
  const apps = await db
    .selectFrom('apps')
    .select('domains')
    .where('owner_id', '=', owner)
    .where('server_id', '=', serverId)
    .execute();
  return apps.flatMap(({ domains }) => domains);
}

/** What servers are known by, and the addresses that their names have now. */
async function addressesOf(
  { addresses }: DomainDeps,
  owner: Owner,
  servers: readonly { ip: string; port: number }[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const looked = await addresses.ofEach(owner, servers, signal);
  return new Set([
    ...servers.map(({ ip }) => ip),
    ...looked.flatMap((each) => (each.kind === 'found' ? each.addresses : [])),
  ]);
}

const isOf = ({ serversByAddress }: Belongings, address: string, key: string) =>
  serversByAddress.get(address)?.key === key;

/** The addresses of a server. `unknownName`: its name, where nobody knows now which addresses records to it have. */
async function ownAddresses(
  { addresses }: DomainDeps,
  owner: Owner,
  server: { ip: string; port: number },
  signal: AbortSignal,
): Promise<{ own: readonly string[]; unknownName: string | null }> {
  const looked = await addresses.of(owner, server, signal);
  const own = looked.kind === 'found' ? looked.addresses : [];
  return { own, unknownName: looked.kind === 'found' ? null : server.ip };
}

async function searchAll(
  deps: DomainDeps,
  owner: Owner,
  found: Pick<PointingRecords, 'linked' | 'unknownName'> & {
    searches: Search[];
    belongings: Belongings;
    signal: AbortSignal;
  },
  fits: (record: CloudflareRecord, pointsAt: ReturnType<ReturnType<typeof pointsAtOf>>) => boolean,
): Promise<PointingRecords> {
  const { linked, unknownName, searches, belongings, signal } = found;
  const within = searches.slice(0, zonesSearched);
  // A zone is searched for each address of a server, and counts as left where one search is.
  const zonesLeft = new Set(searches.slice(zonesSearched).map(({ zone }) => zone.id)).size;
  if (within.length === 0) return { linked, records: [], zonesLeft, unknownName };
  const records = await asPerson(deps, owner, { doing: 'reading', signal }, async (asker) => {
    const all: PointingRecord[] = [];
    for (let at = 0; at < within.length; at += searchesAtOnce) {
      const group = within
        .slice(at, at + searchesAtOnce)
        .map((each) => search(asker, each, belongings, fits));
      for (const some of await Promise.all(group)) all.push(...some);
    }
    return all;
  });
  return { linked, records, zonesLeft, unknownName };
}

async function search(
  asker: Asker,
  { zone, query }: Search,
  belongings: Belongings,
  fits: (record: CloudflareRecord, pointsAt: ReturnType<ReturnType<typeof pointsAtOf>>) => boolean,
): Promise<PointingRecord[]> {
  const { records } = await readRecords(asker, zone.id, query);
  const pointsAt = pointsAtOf(records, belongings);
  return records
    .filter((record) => fits(record, pointsAt(record)))
    .map((record) => ({
      zoneId: zone.id,
      zoneName: zone.name,
      record: toRecord(record, pointsAt(record)),
    }));
}
