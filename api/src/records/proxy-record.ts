import type { ProxyRecord, ProxySummary } from '@homeport/contract/proxies/schema';
import { proxyRuleSchema, proxyTestSchema } from '@homeport/contract/proxies/schema';
import type { ProxyDefinition } from '@homeport/rules';
import { type Database, notifyPlanes, type OwnerRead, type OwnerWrite } from '@homeport/store';
import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { notFound } from '../http/problem.ts';
import { standingOf } from './proxy-standing.ts';

export type ProxyRow = Omit<Selectable<Database['proxies']>, 'records' | 'saved_urls'> & {
  records: ProxyRecord['rules'];
  saved_urls: ProxyRecord['tests'];
};

/** A proxy without the texts of its rules, of which an account may have many MiB. */
export type ListedProxy = Omit<Selectable<Database['proxies']>, 'records' | 'saved_urls'>;

/** How visitors reach the proxy service. */
export type FrontDoor = {
  /** The name that the domains' CNAMEs lead to; null: the operator named none. */
  proxyHost: string | null;
  /** The console's own name or address, to which domains lead where the operator named no other machine. */
  address: string;
  /** The address under which visitors open a domain. */
  urlOf: (domain: string) => string;
  /** The proxy service asks websites at private addresses, so those are no reason for a warning. */
  asksPrivate: boolean;
};

const recordsSchema = z.array(proxyRuleSchema);
const savedUrlsSchema = z.array(proxyTestSchema);
const readRow = (row: Selectable<Database['proxies']>): ProxyRow => ({
  ...row,
  records: recordsSchema.parse(row.records),
  saved_urls: savedUrlsSchema.parse(row.saved_urls),
});

/** A proxy as a person reads it, but for the warnings about its rules. */
export function toProxyFields(row: ProxyRow, door: FrontDoor): Omit<ProxyRecord, 'warnings'> {
  return { ...fieldsOf(row, door), rules: row.records, tests: row.saved_urls, proof: row.proof };
}

export function toProxySummary(row: ListedProxy, door: FrontDoor): ProxySummary {
  return { ...fieldsOf(row, door), rules: row.rule_count };
}

const fieldsOf = (row: ListedProxy | ProxyRow, door: FrontDoor) => ({
  id: row.id,
  name: row.name,
  domain: row.domain,
  subdomain: row.subdomain === '' ? null : row.subdomain,
  url: door.urlOf(row.domain),
  source: row.source,
  standing: standingOf(row, door),
  createdAt: row.created_at,
  version: row.edit_version,
});

/** The proxy as `rules/` compiles it. */
export const definitionOf = ({ id, domain, source, records }: ProxyRow): ProxyDefinition => ({
  id,
  domain,
  source,
  records,
});

const ownProxies = ({ owner, db }: OwnerRead) =>
  db.selectFrom('proxies').selectAll().where('owner_id', '=', owner);

export const listProxies = ({ owner, db }: OwnerRead): Promise<ListedProxy[]> =>
  db
    .selectFrom('proxies')
    .select([
      ...([
        'id',
        'owner_id',
        'name',
        'domain',
        'subdomain',
        'source',
        'created_at',
        'holds',
        'proof',
      ] as const),
      ...([
        'granted_at',
        'owned',
        'pointing',
        'found',
        'checked_at',
        'check_due_at',
        'check_version',
      ] as const),
      ...(['failures', 'failing_since', 'allowed', 'refusal', 'version', 'edit_version'] as const),
      ...(['failing_rules', 'certificate', 'unserved_at', 'rule_count', 'rule_bytes', 'url_bytes'] as const),
    ])
    .where('owner_id', '=', owner)
    .orderBy('created_at')
    .orderBy('domain')
    .execute();

/** Throws `not_found` for a proxy that does not exist or is somebody else’s. */
export async function findProxy(scope: OwnerRead, id: string): Promise<ProxyRow> {
  const row = await ownProxies(scope).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('proxy');
  return readRow(row);
}

/** What is known of a proxy without its rules and saved URLs, which may be MiB. `bytes` is what they take as text. */
export type ProxyOutline = Pick<ProxyRow, 'id' | 'domain' | 'proof'> & { bytes: number };

/** Throws `not_found` as `findProxy` does, and reads none of the rules. */
export async function findProxyOutline({ owner, db }: OwnerRead, id: string): Promise<ProxyOutline> {
  const row = await outlines({ owner, db }, id).executeTakeFirst();
  if (!row) throw notFound('proxy');
  return row;
}

/** As `findProxyOutline`, and other changes of the proxy wait until the transaction ends. */
export async function holdProxyOutline({ owner, db }: OwnerWrite, id: string): Promise<ProxyOutline> {
  const row = await outlines({ owner, db }, id).forUpdate().executeTakeFirst();
  if (!row) throw notFound('proxy');
  return row;
}

const outlines = ({ owner, db }: Pick<OwnerRead, 'owner' | 'db'>, id: string) =>
  db
    .selectFrom('proxies')
    .select(['id', 'domain', 'proof', sql<number>`rule_bytes + url_bytes`.as('bytes')])
    .where('owner_id', '=', owner)
    .where('id', '=', id);

/** As `findProxy`, and other changes of the proxy wait until the transaction ends. */
export async function holdProxy(scope: OwnerWrite, id: string): Promise<ProxyRow> {
  const row = await ownProxies(scope).where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw notFound('proxy');
  return readRow(row);
}

/** What a person may change of a proxy. */
export type ProxyEdit = Pick<ProxyRow, 'name' | 'domain' | 'subdomain' | 'source' | 'records' | 'saved_urls'>;

/** Keeps an edit under a new version. What planes serve has a version of its own, which a trigger sets. */
export async function keepProxy(
  { owner, db }: OwnerWrite,
  id: string,
  { records, saved_urls, ...edit }: ProxyEdit,
): Promise<void> {
  await db
    .updateTable('proxies')
    .set({
      ...edit,
      records: JSON.stringify(records),
      saved_urls: JSON.stringify(saved_urls),
      edit_version: sql<number>`edit_version + 1`,
    })
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .returning(notifyPlanes)
    .execute();
}
