import { recordTtl } from '@homeport/contract/domains/facts';
import type { DnsRecord, DnsRecordList, PointsAt, RecordChange } from '@homeport/contract/domains/schema';
import { messages } from '@homeport/contract/messages';
import { checkDomainsSoon, type Owner } from '@homeport/store';
import type { CloudflareRecord } from '../cloudflare/answers.ts';
import {
  type Asker,
  changeTogether,
  createRecord,
  deleteRecord,
  patchRecord,
  readRecords,
  type WrittenRecord,
} from '../cloudflare/calls.ts';
import {
  CloudflareFailure,
  codesOf,
  lacksPermission,
  nameTaken,
  type Refusal,
  reasonOf,
  recordExists,
} from '../cloudflare/refusal.ts';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { asPerson, type DomainDeps } from './account.ts';
import { toAscii, toUnicode, wholeName } from './names.ts';
import { pointsAtOf, readBelongings, withNames } from './points-at.ts';
import { findZone, noteUneditable, toZone, type ZoneRow } from './zones.ts';

export function toRecord(record: CloudflareRecord, pointsAt: PointsAt | null): DnsRecord {
  const { id, name, type, content, ttl, proxied, priority, caa, srv, comment } = record;
  return {
    id,
    name,
    shownName: toUnicode(name),
    type,
    content: type === 'CNAME' || type === 'MX' ? toUnicode(content) : content,
    ttl,
    proxied,
    priority: priority ?? null,
    caa,
    srv,
    comment: comment ?? null,
    pointsAt,
  };
}

/** The records of a zone with what each leads to. `query`: Cloudflare's own filters. */
export async function listRecords(
  deps: DomainDeps,
  owner: Owner,
  zone: ZoneRow,
  { query, signal }: { query?: Record<string, string>; signal: AbortSignal },
): Promise<DnsRecordList> {
  const kept = await deps.store.read(owner, (scope) => readBelongings(scope, deps));
  const belongings = await withNames(deps, owner, kept, signal);
  return asPerson(deps, owner, { doing: 'reading', signal }, async (asker) => {
    const { records, more } = await readRecords(asker, zone.id, query);
    const pointsAt = pointsAtOf(records, belongings);
    return { records: records.map((record) => toRecord(record, pointsAt(record))), more };
  });
}

/** Adds a record, in place of the named ones: all of it or nothing. Somebody who added the same one first is no failure. */
export function addRecord(
  deps: DomainDeps,
  owner: Owner,
  zoneId: string,
  { record, replaces }: { record: RecordChange; replaces: readonly string[] },
): Promise<DnsRecord> {
  return changeRecords(deps, owner, zoneId, messages.errorAddingRecord, async (asker, zone) => {
    const body = toWritten(record, zone.name);
    if (replaces.length > 0) {
      const [added] = await changeTogether(asker, zoneId, { deletes: replaces, posts: [body] });
      return added ?? findSame(asker, zoneId, body);
    }
    try {
      return await createRecord(asker, zoneId, body);
    } catch (error) {
      if (!isRefused(error) || !codesOf(error.failure).some((code) => recordExists.includes(code)))
        throw error;
      const same = await findSame(asker, zoneId, body);
      if (same) return same;
      throw error;
    }
  });
}

/** Changes the fields that a person edits, and leaves comment, tags and settings as they are. */
export function editRecord(
  deps: DomainDeps,
  owner: Owner,
  { zoneId, recordId }: { zoneId: string; recordId: string },
  record: RecordChange,
): Promise<DnsRecord> {
  return changeRecords(deps, owner, zoneId, messages.errorUpdatingRecord, (asker, zone) =>
    patchRecord(asker, zoneId, recordId, toWritten(record, zone.name)),
  );
}

/** Removes records of a zone: one by itself, several together, which Cloudflare does whole or not at all. */
export async function removeRecords(
  deps: DomainDeps,
  owner: Owner,
  zoneId: string,
  recordIds: readonly string[],
): Promise<void> {
  await findEditable(deps, owner, zoneId);
  await asPerson(deps, owner, { doing: 'changing' }, async (asker) => {
    const [only] = recordIds;
    if (recordIds.length === 1 && only !== undefined) await deleteRecord(asker, zoneId, only);
    else await changeTogether(asker, zoneId, { deletes: recordIds, posts: [] });
  }).catch((error) => noteRefusal(deps, owner, zoneId, error));
  await notifyChange(deps.store.db, owner, 'zones', zoneId);
}

async function changeRecords(
  deps: DomainDeps,
  owner: Owner,
  zoneId: string,
  what: string,
  change: (asker: Asker, zone: ZoneRow) => Promise<CloudflareRecord | undefined>,
): Promise<DnsRecord> {
  const zone = await findEditable(deps, owner, zoneId);
  const changed = await asPerson(deps, owner, { doing: 'changing' }, (asker) =>
    change(asker, zone).catch((error: unknown) => {
      if (isRefused(error) && !lacksPermission(error.failure)) throw besideField(what, error.failure);
      throw error;
    }),
  ).catch((error) => noteRefusal(deps, owner, zoneId, error));
  if (!changed)
    throw new ProblemError('unavailable', `${what}: Cloudflare no longer has it. Read the records again.`);
  await notifyChange(deps.store.db, owner, 'zones', zoneId);
  await checkDomainsSoon(deps.store.pool, { ownerId: owner, zone: zone.name, now: deps.clock() });
  const kept = await deps.store.read(owner, (scope) => readBelongings(scope, deps));
  const belongings = await withNames(deps, owner, kept);
  return toRecord(changed, pointsAtOf([changed], belongings)(changed));
}

/** Throws `conflict` for a zone whose records come from somewhere else or may not be changed with this credential. */
export async function findEditable(deps: DomainDeps, owner: Owner, zoneId: string): Promise<ZoneRow> {
  const zone = await deps.store.read(owner, (scope) => findZone(scope, zoneId));
  if (toZone(zone).editable) return zone;
  throw new ProblemError(
    'conflict',
    zone.type === 'full'
      ? 'Your credential may not change the records of this domain. Nothing was changed.'
      : `This is a ${zone.type} zone, whose records come from another DNS service. Nothing was changed.`,
    {
      recovery:
        zone.type === 'full'
          ? 'Give the token Zone DNS Edit for this domain, then check it on the page Profile.'
          : 'Change the records where they come from.',
    },
  );
}

/** Keeps that a credential may not change the records of a zone, and throws the refusal again. */
export async function noteRefusal(
  deps: DomainDeps,
  owner: Owner,
  zoneId: string,
  error: unknown,
): Promise<never> {
  if (
    error instanceof ProblemError &&
    error.code === 'conflict' &&
    error.message.includes('may not do this')
  ) {
    await noteUneditable(deps, owner, zoneId);
  }
  throw error;
}

/** The record as Cloudflare takes it. A proxied record has no TTL of its own. */
export function toWritten(record: RecordChange, zone: string): WrittenRecord {
  const { type, ttl } = record;
  const every = { type, name: wholeName(record.host, zone), ttl };
  switch (record.type) {
    case 'A':
    case 'AAAA':
    case 'CNAME': {
      const content = record.type === 'CNAME' ? toAscii(record.content, 'record.content') : record.content;
      const { proxied } = record;
      return { ...every, content, proxied, ttl: proxied ? recordTtl.automatic : ttl };
    }
    case 'TXT':
      return { ...every, content: record.content };
    case 'MX':
      return { ...every, content: toAscii(record.content, 'record.content'), priority: record.priority };
    case 'CAA':
      return { ...every, data: { flags: record.flags, tag: record.tag, value: record.value } };
    case 'SRV': {
      const { priority, weight, port } = record;
      return { ...every, data: { priority, weight, port, target: toAscii(record.target, 'record.target') } };
    }
  }
}

export async function findSame(
  asker: Asker,
  zoneId: string,
  { type, name, content }: WrittenRecord,
): Promise<CloudflareRecord | undefined> {
  const { records } = await readRecords(asker, zoneId, { 'name.exact': name, type });
  return records.find((each) => content !== undefined && each.content === content);
}

/** Cloudflare's reason, beside the field that its code names. */
function besideField(what: string, refusal: Refusal): ProblemError {
  const reason = reasonOf(refusal);
  return new ProblemError('invalid_input', what, {
    fields: { [`record.${fieldOf(codesOf(refusal))}`]: `Cloudflare: ${reason}` },
    recovery: 'Correct the named field. Nothing was changed.',
  });
}

function fieldOf(codes: readonly number[]): string {
  if (codes.includes(9021)) return 'ttl';
  if (codes.includes(9004) || codes.includes(9041)) return 'proxied';
  if (codes.includes(9000) || codes.some((code) => nameTaken.includes(code))) return 'host';
  return 'content';
}

export const isRefused = (error: unknown): error is CloudflareFailure & { failure: Refusal } =>
  error instanceof CloudflareFailure && error.failure.kind === 'refused';
