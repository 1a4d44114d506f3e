import { sql } from 'kysely';
import type pg from 'pg';
import { notifyPages } from './notify-pages.ts';

/** A proxy as the data plane reads it. */
export type SiteRow = {
  id: string;
  domain: string;
  /** The account that the proxy belongs to. */
  owner: string;
  version: number;
  /** Whether visitors get answers. A row that is not served takes an older one of the same proxy away. */
  served: boolean;
  /** JSON of `{ source, records }`; '' for a row that is not served. */
  text: string;
};

export type FreedRow = { domain: string; version: number };

/** Everything that changed above a version, in order. `more` is set when the bound cut the list: read again above `version`. */
export type SiteChanges = { version: number; sites: SiteRow[]; freed: FreedRow[]; more: boolean };

/** So much of the rules is in memory at once while a plane that was away reads; one row more, because one row is always read. */
const rowsAtOnce = 500;
const bytesAtOnce = 8 * 1024 * 1024;

/** The rules of a row as the data plane compiles them. */
const servedText =
  "case when holds and allowed then json_build_object('source', source, 'records', records)::text else '' end";
const siteRow = `json_build_object('id', id, 'domain', domain, 'owner', owner_id, 'version', version,
  'served', holds and allowed, 'text', ${servedText})::text`;

/** PostgreSQL sends no message of 8,000 bytes or more. */
const messageBytes = 7_900;

/**
 * A column of a changed row that tells the data planes how the proxy reads from now on, so that they need not ask. Rules that are too long for a message are only read: every change tells its version anyway.
 */
export const notifyPlanes = sql`case when octet_length(${sql.raw(siteRow)}) <= ${sql.lit(messageBytes)}
  then pg_notify('site', ${sql.raw(siteRow)}) end`.as('told');

const readChanged = {
  name: 'read_changed_sites',
  text: `select id, domain, owner_id as owner, version, (holds and allowed) as served, ${servedText} as text, rule_bytes as bytes
    from (select *, sum(rule_bytes) over (order by version) - rule_bytes as before
      from (select id, domain, owner_id, version, holds, allowed, source, records, rule_bytes
        from proxies where version > $1 order by version limit $2) as next) as weighed
    where before < $3 order by version`,
};
const readFreed = {
  name: 'read_freed_names',
  text: 'select domain, version from freed_names where version > $1 order by version limit $2',
};

/** Reads the changes above a version. The data plane calls this at its start, at each notification and every half minute. */
export async function readSiteChanges(pool: pg.Pool, above: number): Promise<SiteChanges> {
  const [changed, freed] = await Promise.all([
    pool.query<SiteRow & { bytes: number }>({ ...readChanged, values: [above, rowsAtOnce, bytesAtOnce] }),
    pool.query<FreedRow>({ ...readFreed, values: [above, rowsAtOnce] }),
  ]);
  const bytes = changed.rows.reduce((sum, row) => sum + row.bytes, 0);
  const isCut = [
    changed.rows.length === rowsAtOnce || bytes >= bytesAtOnce,
    freed.rows.length === rowsAtOnce,
  ];
  const cut = [changed.rows, freed.rows].filter((_rows, index) => isCut[index]);
  const ends = [changed.rows, freed.rows].map((rows) => rows.at(-1)?.version ?? above);
  // Where one list was cut, the other one may hold later versions, which come again with the next reading.
  const version =
    cut.length > 0 ? Math.min(...cut.map((rows) => rows.at(-1)?.version ?? above)) : Math.max(...ends);
  return {
    version,
    sites: changed.rows.filter((row) => row.version <= version).map(({ bytes: _, ...site }) => site),
    freed: freed.rows.filter((row) => row.version <= version),
    more: cut.length > 0,
  };
}

/** The ids and versions of all served proxies, by which a plane drops what its old snapshot still has. */
export async function readServed(pool: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ id: string; version: number }>(
    'select id, version from proxies where holds and allowed',
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Whether there is any proxy, served or not. */
export async function hasProxies(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>('select exists (select from proxies) as found');
  return rows[0]?.found ?? false;
}

/** Says why the data plane does not serve the newest rules of a proxy, or null when it serves them. Tells pages where that is news. */
export async function keepRefusal(
  pool: pg.Pool,
  { id, version, refusal }: { id: string; version: number; refusal: string | null },
): Promise<void> {
  await pool.query(
    `update proxies set refusal = $3 where id = $1 and version = $2 and refusal is distinct from $3 returning ${notifyPages}`,
    [id, version, refusal],
  );
}
