import { zonesSearched } from '@homeport/contract/domains/facts';
import type { PointingRecord, PointingRecords } from '@homeport/contract/domains/schema';
import { recordTypeTo } from '@homeport/contract/fields/server-address';
import { canonicalAddress } from '@homeport/contract/network/addresses';
import type { Owner } from '@homeport/store';
import type { CloudflareRecord } from '../cloudflare/answers.ts';
import { type Asker, readRecords } from '../cloudflare/calls.ts';
import { findApp } from '../records/app-record.ts';
import { findServer } from '../records/server-record.ts';
import { asPerson, type DomainDeps, findAccount } from './account.ts';
import { type Belongings, pointsAtOf, readBelongings } from './points-at.ts';
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
    const { ip } = await findServer(scope, app.server_id);
    const zones = (await listZones(scope)).filter((zone) => toZone(zone).editable);
    const belongings = await readBelongings(scope, deps);
    return { app, ip, zones, belongings, linked: (await findAccount(scope)) !== undefined };
  });
  const searches = (names ?? found.app.domains).flatMap((domain) => {
    const [zone] = found.zones
      .filter(({ name }) => domain === name || domain.endsWith(`.${name}`))
      .sort((a, b) => b.name.length - a.name.length);
    return zone ? [{ zone, query: { 'name.exact': domain } }] : [];
  });
  return searchAll(deps, owner, { ...found, searches, signal }, (record, pointsAt) =>
    record.type === 'CNAME' ? pointsAt?.kind === 'app' : canonicalAddress(record.content) === found.ip,
  );
}

/** The A or AAAA records of editable zones that have a server's address. `zones`: looks through these alone. */
export async function recordsOfServer(
  deps: DomainDeps,
  owner: Owner,
  serverId: string,
  signal: AbortSignal,
  zones?: ReadonlySet<string>,
): Promise<PointingRecords> {
  const found = await deps.store.read(owner, async (scope) => {
    const { ip } = await findServer(scope, serverId);
    const searched = (await listZones(scope)).filter(
      (zone) => toZone(zone).editable && (zones?.has(zone.id) ?? true),
    );
    const belongings = await readBelongings(scope, deps);
    return { ip, searched, belongings, linked: (await findAccount(scope)) !== undefined };
  });
  const query = { type: recordTypeTo(found.ip), 'content.exact': found.ip };
  const searches = found.searched.map((zone) => ({ zone, query }));
  return searchAll(deps, owner, { ...found, searches, signal }, () => true);
}

async function searchAll(
  deps: DomainDeps,
  owner: Owner,
  found: { linked: boolean; searches: Search[]; belongings: Belongings; signal: AbortSignal },
  fits: (record: CloudflareRecord, pointsAt: ReturnType<ReturnType<typeof pointsAtOf>>) => boolean,
): Promise<PointingRecords> {
  const { linked, searches, belongings, signal } = found;
  const within = searches.slice(0, zonesSearched);
  const zonesLeft = searches.length - within.length;
  if (within.length === 0) return { linked, records: [], zonesLeft };
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
  return { linked, records, zonesLeft };
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
