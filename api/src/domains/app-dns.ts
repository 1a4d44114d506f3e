import { recordTtl } from '@homeport/contract/domains/facts';
import type { AppDns } from '@homeport/contract/domains/schema';
import { recordTypeTo } from '@homeport/contract/fields/server-address';
import { canonicalAddress } from '@homeport/contract/network/addresses';
import type { Owner } from '@homeport/store';
import type { CloudflareRecord } from '../cloudflare/answers.ts';
import { type Asker, changeTogether, createRecord, patchRecord, readRecords } from '../cloudflare/calls.ts';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { findApp } from '../records/app-record.ts';
import { findServer } from '../records/server-record.ts';
import { sayNoAddress, sayNotLookedUp } from '../remote/server-addresses.ts';
import { asPerson, type DomainDeps, findAccount } from './account.ts';
import { type Belongings, isAddressing, pointsAtOf, readBelongings, withNames } from './points-at.ts';
import { findEditable, toRecord } from './records.ts';
import { toZone, type ZoneRow, zoneOfName } from './zones.ts';

/** What a domain is to lead to. */
type Site = { kind: 'app' | 'server'; id: string };
type Place = {
  domain: string;
  /** The server's address or name. */
  address: string;
  /** Its addresses: its own, or those that its name leads to now. */
  own: readonly string[];
  serverKey: string;
  zone: ZoneRow;
  belongings: Belongings;
};

/** The DNS record that a domain needs to lead to this app or server, and what stands at its name now. `named`: absent, the app's first. */
export async function readDns(
  deps: DomainDeps,
  owner: Owner,
  site: Site,
  named: string | undefined,
  signal?: AbortSignal,
): Promise<AppDns> {
  const { place, linked, domain } = await findPlace(deps, owner, site, named, signal);
  if (!place || domain === undefined) return { kind: 'no_zone', linked };
  return asPerson(deps, owner, { doing: 'reading', ...(signal && { signal }) }, async (asker) =>
    judge(place, await readNow(asker, place.zone, domain)),
  );
}

/**
 * Makes the domain lead to the app's server: adds the record, changes the address of the one that stands there, or replaces several
 * together. Throws `conflict` where other records stand there than the person `seen`.
 */
export async function pointAtApp(
  deps: DomainDeps,
  owner: Owner,
  appId: string,
  { domain, seen }: { domain: string; seen: readonly string[] },
): Promise<AppDns> {
  const { place } = await findPlace(deps, owner, { kind: 'app', id: appId }, domain);
  if (!place) {
    throw new ProblemError(
      'conflict',
      `${domain} is in no domain of your Cloudflare account. Nothing was changed.`,
    );
  }
  const { zone, address } = place;
  await findEditable(deps, owner, zone.id);
  return asPerson(deps, owner, { doing: 'changing' }, async (asker) => {
    const before = await readNow(asker, zone, domain);
    const { kind } = judge(place, before);
    if (kind !== 'in_place') {
      refuseOthers(before.atName, seen);
      await replace(asker, place, domain, before.atName);
      await notifyChange(deps.store.db, owner, 'zones', zone.id);
    }
    const after = judge(place, await readNow(asker, zone, domain));
    if (after.kind === 'in_place') return after;
    throw new ProblemError(
      'unavailable',
      `Cloudflare does not show the new record of ${domain} yet. Look again in a minute.`,
    );
  });

  async function replace(
    asker: Asker,
    { address: to }: Place,
    name: string,
    now: readonly CloudflareRecord[],
  ) {
    const [only] = now;
    // The proxy stays as it is where an address changes. A new record is DNS only: a certificate is got through it first.
    const type = recordTypeTo(to);
    if (now.length === 1 && only?.type === type) {
      await patchRecord(asker, zone.id, only.id, { content: to });
      return;
    }
    const record = { type, name, content: address, ttl: recordTtl.automatic, proxied: false };
    if (now.length === 0) await createRecord(asker, zone.id, record);
    else await changeTogether(asker, zone.id, { deletes: now.map(({ id }) => id), posts: [record] });
  }
}

async function findPlace(
  deps: DomainDeps,
  owner: Owner,
  site: Site,
  named: string | undefined,
  signal?: AbortSignal,
): Promise<{ place: Place | null; linked: boolean; domain: string | undefined }> {
  const found = await deps.store.read(owner, async (scope) => {
    const app = site.kind === 'app' ? await findApp(scope, site.id) : null;
    const { ip: address, port, key: serverKey } = await findServer(scope, app?.server_id ?? site.id);
    const linked = (await findAccount(scope)) !== undefined;
    const domain = named ?? app?.domains[0];
    const zone = linked && domain !== undefined ? await zoneOfName(scope, domain) : undefined;
    if (!zone || domain === undefined) return { place: null, linked, domain };
    const belongings = await readBelongings(scope, deps);
    return { linked, domain, place: { domain, address, port, serverKey, zone, belongings } };
  });
  if (found.place === null) return found;
  const { port, belongings, ...place } = found.place;
  const own = await addressesOf(deps, owner, { ip: place.address, port }, signal);
  return {
    ...found,
    place: { ...place, own, belongings: await withNames(deps, owner, belongings, signal) },
  };
}

/** Throws where nobody knows them now: every record would seem to lead elsewhere, and be offered for replacement. */
async function addressesOf(
  { addresses }: DomainDeps,
  owner: Owner,
  server: { ip: string; port: number },
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const looked = await addresses.of(owner, server, signal);
  if (looked.kind === 'found') return looked.addresses;
  const why = looked.kind === 'none' ? sayNoAddress(server.ip) : sayNotLookedUp(server.ip);
  throw new ProblemError('unavailable', `The records cannot be compared with the server: ${why}`);
}

type Now = {
  /** The records that decide where the name leads to. */
  atName: CloudflareRecord[];
  /** The wildcard that answers where nothing stands at the name itself (RFC 4592). */
  wildcard: CloudflareRecord[];
  /** The records that a CNAME of these leads to, within the zone. */
  targets: CloudflareRecord[];
};

async function readNow(asker: Asker, zone: ZoneRow, domain: string): Promise<Now> {
  const at = async (name: string) => {
    const { records } = await readRecords(asker, zone.id, { 'name.exact': name });
    return records.filter(({ type }) => isAddressing(type));
  };
  const atName = await at(domain);
  const parent = domain.slice(domain.indexOf('.') + 1);
  const wildcard = atName.length === 0 && domain !== zone.name ? await at(`*.${parent}`) : [];
  const [alias] = [...atName, ...wildcard].filter(({ type }) => type === 'CNAME');
  const target = alias?.content.toLowerCase() ?? '';
  const inZone = target === zone.name || target.endsWith(`.${zone.name}`);
  return { atName, wildcard, targets: inZone ? await at(target) : [] };
}

/** In place: every record that answers for the name leads to the app's server. The server's own name needs no record to itself. */
function judge(
  { domain, zone, address, own, serverKey, belongings }: Place,
  { atName, wildcard, targets }: Now,
): AppDns & { kind: Exclude<AppDns['kind'], 'no_zone'> } {
  const answering = atName.length > 0 ? atName : wildcard;
  const pointsAt = pointsAtOf([...answering, ...targets], belongings);
  const leadsHere = (record: CloudflareRecord) => {
    if (record.type !== 'CNAME') return own.includes(canonicalAddress(record.content) ?? '');
    const to = pointsAt(record);
    return (
      (to?.kind === 'server' && to.key === serverKey) || (to?.kind === 'app' && to.serverKey === serverKey)
    );
  };
  const present = {
    zoneId: zone.id,
    zoneName: zone.name,
    now: answering.map((record) => toRecord(record, pointsAt(record))),
  };
  if (domain === address || (answering.length > 0 && answering.every(leadsHere)))
    return { kind: 'in_place', ...present };
  if (!toZone(zone).editable) return { kind: 'read_only', ...present };
  // A wildcard stays: the name gets a record of its own.
  if (atName.length === 0) return { kind: 'missing', ...present, now: [], address };
  return { kind: 'elsewhere', ...present, address };
}

function refuseOthers(now: readonly CloudflareRecord[], seen: readonly string[]): void {
  const same = now.length === seen.length && now.every(({ id }) => seen.includes(id));
  if (same) return;
  throw new ProblemError(
    'conflict',
    'Other records stand at this name by now than the ones that you saw. Nothing was changed.',
    { recovery: 'Look at the records that stand there now, then decide again.' },
  );
}
