import { recordsListed, zonesListed } from '@homeport/contract/domains/facts';
import { z } from 'zod';
import {
  batchSchema,
  type CloudflareRecord,
  type CloudflareZone,
  deletedSchema,
  oneRecordSchema,
  recordsPerPage,
  recordsSchema,
  userSchema,
  verifySchema,
  zonesSchema,
} from './answers.ts';
import type { Cloudflare } from './client.ts';
import type { Credential } from './credential.ts';
import { CloudflareFailure, codesOf, lacksPermission, recordGone } from './refusal.ts';

/** Homeport's calls, one function each. All throw `CloudflareFailure`. */
export type Asker = { cloudflare: Cloudflare; credential: Credential; signal?: AbortSignal | undefined };

const zonesPerPage = 50;
/** Pages that are asked for at once, so that a zone of 5,000 records is read in three turns. */
const pagesAtOnce = 4;

/** The fields of a record that are written. `data` holds the parts of a CAA or SRV record. */
export type WrittenRecord = {
  type: string;
  name: string;
  ttl: number;
  content?: string;
  proxied?: boolean;
  priority?: number;
  comment?: string;
  data?: Record<string, string | number>;
};

export type Verified = {
  usable: boolean;
  why: 'active' | 'disabled' | 'expired' | 'not_yet';
  expiresAt: number | null;
};

/** Asks whether a user's token lives. It says nothing of what the token may do. */
export async function verifyToken({ cloudflare, credential }: Asker, now: number): Promise<Verified> {
  const { result } = await cloudflare(credential, {
    method: 'GET',
    path: '/user/tokens/verify',
    result: verifySchema,
  });
  const early = result.not_before !== undefined && result.not_before > now;
  const why = result.status === 'active' && early ? 'not_yet' : result.status;
  return { usable: why === 'active', why, expiresAt: result.expires_on ?? null };
}

/** The user of a global key. */
export async function readUser({ cloudflare, credential }: Asker): Promise<void> {
  await cloudflare(credential, { method: 'GET', path: '/user', result: userSchema });
}

export async function readZones(asker: Asker): Promise<{ zones: CloudflareZone[]; more: boolean }> {
  const { items, more } = await readPages(
    asker,
    { path: '/zones', query: { order: 'name' }, perPage: zonesPerPage, most: zonesListed },
    zonesSchema,
  );
  return { zones: items, more };
}

/** All records of a zone, or those that fit the query. */
export async function readRecords(
  asker: Asker,
  zoneId: string,
  query: Record<string, string> = {},
): Promise<{ records: CloudflareRecord[]; more: boolean }> {
  const { items, more } = await readPages(
    asker,
    {
      path: `/zones/${zoneId}/dns_records`,
      query: { ...query, order: 'name' },
      perPage: recordsPerPage,
      most: recordsListed,
    },
    recordsSchema,
  );
  return { records: items, more };
}

/** Asks whether the credential may read the records of a zone. */
export async function tryRecords({ cloudflare, credential }: Asker, zoneId: string): Promise<void> {
  await cloudflare(credential, {
    method: 'GET',
    path: `/zones/${zoneId}/dns_records`,
    query: { per_page: '5' },
    result: recordsSchema,
  });
}

/** No record of Cloudflare's has this id. */
const nobodysId = '0'.repeat(32);

/**
 * Whether the credential may change records of a zone; null: Cloudflare did not say. It is asked to change nothing of a record that
 * does not exist, so nothing changes whatever it answers.
 */
export async function mayChange({ cloudflare, credential }: Asker, zoneId: string): Promise<boolean | null> {
  const path = `/zones/${zoneId}/dns_records/${nobodysId}`;
  try {
    await cloudflare(credential, { method: 'PATCH', path, body: {}, result: z.unknown() });
    return null;
  } catch (error) {
    if (!(error instanceof CloudflareFailure) || error.failure.kind !== 'refused') throw error;
    if (lacksPermission(error.failure)) return false;
    return codesOf(error.failure).includes(recordGone) ? true : null;
  }
}

export async function createRecord(
  { cloudflare, credential, signal }: Asker,
  zoneId: string,
  body: WrittenRecord,
): Promise<CloudflareRecord> {
  const path = `/zones/${zoneId}/dns_records`;
  return (await cloudflare(credential, { method: 'POST', path, body, result: oneRecordSchema, signal }))
    .result;
}

/** PATCH, because PUT would switch the proxy off and clear comment and tags, which are not sent. */
export async function patchRecord(
  { cloudflare, credential, signal }: Asker,
  zoneId: string,
  recordId: string,
  body: Partial<WrittenRecord>,
): Promise<CloudflareRecord> {
  const path = `/zones/${zoneId}/dns_records/${recordId}`;
  return (await cloudflare(credential, { method: 'PATCH', path, body, result: oneRecordSchema, signal }))
    .result;
}

/** A record that is gone already is no failure. */
export async function deleteRecord(
  { cloudflare, credential, signal }: Asker,
  zoneId: string,
  recordId: string,
): Promise<void> {
  const path = `/zones/${zoneId}/dns_records/${recordId}`;
  try {
    await cloudflare(credential, { method: 'DELETE', path, result: deletedSchema, signal });
  } catch (error) {
    if (!isRecordGone(error)) throw error;
  }
}

/** Deletes and adds records of a zone together: all of it is done, or nothing. Returns what was added. */
export async function changeTogether(
  { cloudflare, credential, signal }: Asker,
  zoneId: string,
  changes: { deletes: readonly string[]; posts: readonly WrittenRecord[] },
): Promise<CloudflareRecord[]> {
  const { result } = await cloudflare(credential, {
    method: 'POST',
    path: `/zones/${zoneId}/dns_records/batch`,
    body: { deletes: changes.deletes.map((id) => ({ id })), posts: changes.posts },
    result: batchSchema,
    signal,
  });
  return result.posts ?? [];
}

function isRecordGone(error: unknown): boolean {
  return (
    error instanceof CloudflareFailure &&
    error.failure.kind === 'refused' &&
    codesOf(error.failure).includes(recordGone)
  );
}

/** Reads the first page, then the others in groups. What is beyond `most` is not asked for. */
async function readPages<T>(
  { cloudflare, credential, signal }: Asker,
  list: { path: string; query: Record<string, string>; perPage: number; most: number },
  schema: z.ZodType<T[]>,
): Promise<{ items: T[]; more: boolean }> {
  const { path, query, perPage, most } = list;
  const readPage = (page: number) =>
    cloudflare(credential, {
      method: 'GET',
      path,
      query: { ...query, page: String(page), per_page: String(perPage) },
      result: schema,
      signal,
    });
  const { result: first, pages } = await readPage(1);
  const last = Math.min(pages, Math.ceil(most / perPage));
  const items = [...first];
  for (let page = 2; page <= last; page += pagesAtOnce) {
    const group = Array.from({ length: Math.min(pagesAtOnce, last - page + 1) }, (_, at) =>
      readPage(page + at),
    );
    for (const { result } of await Promise.all(group)) items.push(...result);
  }
  return { items, more: pages > last };
}
