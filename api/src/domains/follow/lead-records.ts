import type { LeavingRecord } from '@homeport/contract/domains/schema';
import { recordTypeTo } from '@homeport/contract/fields/server-address';
import { checkDomainsSoon, type Owner } from '@homeport/store';
import type { CloudflareRecord } from '../../cloudflare/answers.ts';
import {
  type Asker,
  changeTogether,
  deleteRecord,
  patchRecord,
  readRecords,
} from '../../cloudflare/calls.ts';
import {
  codesOf,
  isBadCredential,
  lacksPermission,
  reasonOf,
  recordExists,
  recordGone,
} from '../../cloudflare/refusal.ts';
import { notifyChange } from '../../live/notify-change.ts';
import { asPerson, type DomainDeps } from '../account.ts';
import { findEditable, findSame, isRefused, noteRefusal } from '../records.ts';
import type { Target } from './names-through.ts';

/** What became of a record. `kept`: it leads to the target already, or the target leads through it. */
export type Fate = { kind: 'changed' | 'kept' } | { kind: 'refused'; why: string };

export type Leading = {
  chosen: readonly LeavingRecord[];
  /** Where they led when they were chosen. */
  former: readonly string[];
  /** An address, or the name of a server. */
  to: string;
  target: Target;
  signal: AbortSignal;
};

/**
 * Leads records of one zone that still have a former address to another one, and leaves what they have besides. It may run again. Calls
 * `tell` with the fate of each as it is decided; a record without one is gone, or leads elsewhere by now.
 */
export async function leadRecords(
  deps: DomainDeps,
  owner: Owner,
  zoneId: string,
  leading: Leading,
  tell: (id: string, fate: Fate) => void,
): Promise<void> {
  const zone = await findEditable(deps, owner, zoneId);
  const { signal } = leading;
  try {
    await asPerson(deps, owner, { doing: 'changing', signal }, async (asker) => {
      await tellDone(asker, zoneId, leading, tell);
      await leadEach(asker, zoneId, leading, tell);
    }).catch((error) => noteRefusal(deps, owner, zoneId, error));
  } finally {
    // Also after a refusal: records before it have changed.
    await notifyChange(deps.store.db, owner, 'zones', zoneId);
    await checkDomainsSoon(deps.store.pool, { ownerId: owner, zone: zone.name, now: deps.clock() });
  }
}

/** A run that was ended may have changed some. One whose type changed has another id since then. */
async function tellDone(
  asker: Asker,
  zoneId: string,
  { chosen, to }: Leading,
  tell: (id: string, fate: Fate) => void,
): Promise<void> {
  const { records } = await readRecords(asker, zoneId, withContent(to));
  for (const { record, dnsName } of chosen)
    if (records.some(({ id, name }) => id === record || name === dnsName)) tell(record, { kind: 'changed' });
}

async function leadEach(
  asker: Asker,
  zoneId: string,
  { chosen, former, to, target }: Leading,
  tell: (id: string, fate: Fate) => void,
): Promise<void> {
  const ids = new Set(chosen.map(({ record }) => record));
  for (const content of former.filter((each) => each !== to)) {
    const { records } = await readRecords(asker, zoneId, withContent(content));
    for (const record of records.filter(({ id }) => ids.has(id))) {
      const isKept = target.addresses.has(content) || target.leadsThrough(record.name);
      const fate: Fate | null = isKept ? { kind: 'kept' } : await changeContent(asker, zoneId, record, to);
      if (fate) tell(record.id, fate);
    }
  }
}

const withContent = (content: string) => ({ type: recordTypeTo(content), 'content.exact': content });

/**
 * Null: the record is gone. A refusal of this one record is its fate, and the others go on; one of the credential is thrown. Cloudflare
 * changes no record's type, so a record of another type takes its place in the same batch.
 */
async function changeContent(
  asker: Asker,
  zoneId: string,
  { id, name, type, ttl, proxied, comment }: CloudflareRecord,
  content: string,
): Promise<Fate | null> {
  const needed = recordTypeTo(content);
  const record = { ...{ type: needed, name, content, ttl, proxied }, ...(comment ? { comment } : {}) };
  try {
    if (type === needed) await patchRecord(asker, zoneId, id, { content });
    else await changeTogether(asker, zoneId, { deletes: [id], posts: [record] });
    return { kind: 'changed' };
  } catch (error) {
    if (!isRefused(error) || isBadCredential(error.failure) || lacksPermission(error.failure)) throw error;
    const codes = codesOf(error.failure);
    if (codes.includes(recordGone)) return null;
    if (codes.some((code) => recordExists.includes(code)) && (await findSame(asker, zoneId, record))) {
      await deleteRecord(asker, zoneId, id);
      return { kind: 'changed' };
    }
    return { kind: 'refused', why: `Cloudflare refused: ${reasonOf(error.failure)}` };
  }
}
