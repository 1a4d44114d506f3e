import { addressKindOf } from '@homeport/contract/fields/server-address';
import type { Owner } from '@homeport/store';
import { type Asker, readRecords } from '../../cloudflare/calls.ts';
import type { DomainDeps } from '../account.ts';
import { listZones, type ZoneRow } from '../zones.ts';

/** What a server that is known by a name hangs on. A record that leads there already, or through which the name leads, stays as it is. */
export type Target = {
  /** The name's addresses. */
  addresses: ReadonlySet<string>;
  /** Whether the record of this name decides where the target leads. */
  leadsThrough(recordName: string): boolean;
};

const address: Target = { addresses: new Set(), leadsThrough: () => false };

/** As far as resolvers follow a chain of CNAMEs. */
const mostHops = 8;

/** Null: nobody knows now where the name leads, so none of its records can be told from the others. */
export async function findTarget(
  deps: DomainDeps,
  owner: Owner,
  to: { ip: string; port: number },
  asker: Asker,
): Promise<Target | null> {
  if (addressKindOf(to.ip) !== 'name') return address;
  const looked = await deps.addresses.of(owner, to, asker.signal);
  if (looked.kind !== 'found') return null;
  const zones = await deps.store.read(owner, listZones);
  const names = await namesThrough(asker, zones, to.ip);
  return {
    addresses: new Set(looked.addresses),
    leadsThrough: (recordName) => names.some((name) => name === recordName || isWildcardOf(recordName, name)),
  };
}

/**
 * The name and those that its CNAMEs lead to, as they stand in the person's zones. DNS itself does not show them where Cloudflare answers
 * for a proxied record.
 */
async function namesThrough(asker: Asker, zones: readonly ZoneRow[], first: string): Promise<string[]> {
  const names = [first];
  for (let hop = 0; hop < mostHops; hop += 1) {
    const name = names.at(-1) ?? first;
    const [zone] = zones
      .filter((each) => name === each.name || name.endsWith(`.${each.name}`))
      .sort((a, b) => b.name.length - a.name.length);
    if (!zone) break;
    const { records } = await readRecords(asker, zone.id, { 'name.exact': name, type: 'CNAME' });
    const next = records[0]?.content.toLowerCase();
    if (next === undefined || names.includes(next)) break;
    names.push(next);
  }
  return names;
}

/** A wildcard may answer for any name below its own. That a record of the name itself hides it is not asked. */
const isWildcardOf = (recordName: string, name: string) =>
  recordName.startsWith('*.') && name.endsWith(recordName.slice(1));
