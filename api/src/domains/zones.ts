import { isReadOnlyZone, zonesFreshMs } from '@homeport/contract/domains/facts';
import type { Zone, ZoneList } from '@homeport/contract/domains/schema';
import type { Database, Owner, OwnerRead, OwnerWrite } from '@homeport/store';
import type { Selectable } from 'kysely';
import type { CloudflareZone } from '../cloudflare/answers.ts';
import { readZones } from '../cloudflare/calls.ts';
import { notFound } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { type AccountRow, asPersonNoting, type DomainDeps, factsSchema, findAccount } from './account.ts';
import { toUnicode } from './names.ts';

export type ZoneRow = Selectable<Database['zones']>;

export function toZone(row: ZoneRow): Zone {
  return {
    id: row.id,
    name: row.name,
    shownName: toUnicode(row.name),
    status: row.status,
    type: row.type,
    paused: row.paused,
    editable: !isReadOnlyZone(row.type) && row.editable !== false,
    createdAt: row.created_at,
  };
}

export function listZones({ owner, db }: OwnerRead): Promise<ZoneRow[]> {
  return db.selectFrom('zones').selectAll().where('owner_id', '=', owner).orderBy('name').execute();
}

/** Throws `not_found` for a zone that the owner's account does not list. */
export async function findZone({ owner, db }: OwnerRead, id: string): Promise<ZoneRow> {
  const row = await db
    .selectFrom('zones')
    .selectAll()
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('domain');
  return row;
}

/** The zone that a name belongs to: the longest one whose name the name ends with. */
export async function zoneOfName(scope: OwnerRead, name: string): Promise<ZoneRow | undefined> {
  const zones = await listZones(scope);
  return zones
    .filter((zone) => name === zone.name || name.endsWith(`.${zone.name}`))
    .sort((a, b) => b.name.length - a.name.length)[0];
}

export async function readKeptZones(scope: OwnerRead): Promise<ZoneList> {
  const account = await findAccount(scope);
  if (!account) return { linked: false, zones: [], more: false, readAt: null, problem: null };
  const zones = await listZones(scope);
  return {
    linked: true,
    zones: zones.map(toZone),
    more: factsSchema.parse(account.facts).moreZones,
    readAt: account.checked_at,
    problem: account.problem,
  };
}

/** Asks Cloudflare for the zones, unless those that are kept are fresh and nobody asked by hand. */
export async function refreshZones(
  deps: DomainDeps,
  owner: Owner,
  { byHand, signal }: { byHand: boolean; signal: AbortSignal },
): Promise<ZoneList> {
  const { store, clock } = deps;
  const kept = await store.read(owner, readKeptZones);
  if (!kept.linked || (!byHand && clock() - (kept.readAt ?? 0) < zonesFreshMs)) return kept;
  await asPersonNoting(deps, owner, signal, async (asker, row) => {
    const { zones, more } = await readZones(asker);
    await store.transact(owner, async (scope) => {
      const still = await scope.db
        .updateTable('linked_accounts')
        .set({
          checked_at: clock(),
          problem: null,
          facts: JSON.stringify({ ...factsSchema.parse(row.facts), moreZones: more }),
        })
        .where('owner_id', '=', owner)
        .where('id', '=', row.id)
        // Another credential has zones of its own.
        .where('sealed', '=', row.sealed)
        .returning('id')
        .executeTakeFirst();
      if (!still) return;
      await keepZones(scope, row.id, zones);
      await notifyChange(scope.db, owner, 'zones', null);
    });
  });
  return store.read(owner, readKeptZones);
}

/**
 * Keeps the zones that Cloudflare lists now, and forgets the others. `editable` says where changes were tried; a zone that is not
 * named there keeps what is known of it.
 */
export async function keepZones(
  { owner, db }: OwnerWrite,
  accountId: AccountRow['id'],
  zones: readonly CloudflareZone[],
  editable: ReadonlyMap<string, boolean | null> = new Map(),
): Promise<void> {
  const before = new Map((await listZones({ owner, db })).map((zone) => [zone.id, zone.editable]));
  await db.deleteFrom('zones').where('owner_id', '=', owner).execute();
  const rows = zones.map((zone) => ({
    account_id: accountId,
    owner_id: owner,
    id: zone.id,
    name: zone.name.toLowerCase(),
    status: zone.status,
    type: zone.type,
    paused: zone.paused,
    editable: editable.get(zone.id) ?? before.get(zone.id) ?? null,
    created_at: zone.created_on,
  }));
  const unique = [...new Map(rows.map((row) => [row.id, row])).values()];
  if (unique.length > 0) await db.insertInto('zones').values(unique).execute();
}

/** Notes that Cloudflare refused a change in this zone, so that its pages no longer offer changes. */
export async function noteUneditable(deps: DomainDeps, owner: Owner, zoneId: string): Promise<void> {
  await deps.store.transact(owner, async ({ db }) => {
    await db
      .updateTable('zones')
      .set({ editable: false })
      .where('owner_id', '=', owner)
      .where('id', '=', zoneId)
      .execute();
    await notifyChange(db, owner, 'zones', zoneId);
  });
}
