import pg from 'pg';
import type { ArchiveHead } from './format.ts';
import { archivedTables } from './tables.ts';

/** A table or a partition, with the columns that hold its data: PostgreSQL computes the generated ones itself. */
export type ArchiveTable = ArchiveHead['tables'][number];

type Client = Pick<pg.ClientBase, 'query'>;

const ours = `n.nspname in ('public', 'auth', 'series')`;

/** `of` is the table to which a partition belongs; any other table's is its own name. */
export async function readTables(client: Client): Promise<(ArchiveTable & { of: string })[]> {
  const { rows } = await client.query<ArchiveTable & { of: string }>(
    `select n.nspname || '.' || c.relname as name,
       coalesce((select pn.nspname || '.' || p.relname from pg_inherits i join pg_class p on p.oid = i.inhparent
         join pg_namespace pn on pn.oid = p.relnamespace where i.inhrelid = c.oid), n.nspname || '.' || c.relname) as of,
       array(select a.attname::text from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and ${ours}
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     order by 1`,
  );
  return rows;
}

/** `kept`: what a backup keeps. `all`: also what must not come back to life, for the same console in another place. */
export type ArchivedRows = 'kept' | 'all';

/** The tables and partitions whose rows go into an archive. Tables that somebody else has in the same database are not the console's. */
export async function readKeptTables(client: Client, which: ArchivedRows = 'kept'): Promise<ArchiveTable[]> {
  const tables = await readTables(client);
  return tables
    .filter(({ of }) => archivedTables[of] === 'kept' || (which === 'all' && isOurs(of)))
    .map(({ name, columns }) => ({ name, columns }));
}

/** Whoever loads the archive runs the steps of the schema, and writes their rows. */
const isOurs = (table: string) => archivedTables[table] !== undefined && table !== 'public.migration';

/** Partitions are made from time to time, so that no migration knows them. */
export async function readPartitions(client: Client): Promise<ArchiveHead['partitions']> {
  const { rows } = await client.query<{ of: string; name: string; bound: string; fillfactor: number }>(
    `select n.nspname || '.' || p.relname as of, c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound,
       coalesce((select option_value::integer from pg_options_to_table(c.reloptions)
         where option_name = 'fillfactor'), 100) as fillfactor
     from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
       join pg_namespace n on n.oid = p.relnamespace
     where ${ours} and c.relkind = 'r' order by 1, 2`,
  );
  return rows.map(({ bound, ...partition }) => {
    const [, from, to] = /^FOR VALUES FROM \('(-?\d+)'\) TO \('(-?\d+)'\)$/.exec(bound) ?? [];
    if (from === undefined || to === undefined)
      throw new Error(`${partition.name} has other bounds: ${bound}`);
    return { ...partition, from, to };
  });
}

/** The last value of each sequence that gave one. */
export async function readSequences(client: Client): Promise<ArchiveHead['sequences']> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select n.schemaname || '.' || n.sequencename as name, n.last_value::text as value from pg_sequences n
     where n.schemaname in ('public', 'auth', 'series') and n.last_value is not null order by 1`,
  );
  return rows;
}

type ForeignKey = { table: string; name: string; definition: string };

export async function readForeignKeys(client: Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select n.nspname || '.' || c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
     where k.contype = 'f' and k.conparentid = 0 and ${ours} order by 1, 2`,
  );
  return rows;
}

/** `auth.user` as `"auth"."user"`. */
export const quoted = (name: string): string => name.split('.').map(pg.escapeIdentifier).join('.');

/**
 * Values as the same text on every server (https://www.postgresql.org/docs/18/runtime-config-client.html), and rows in the order in
 * which the table holds them: so a table that was copied from another one gives the same text.
 */
export const sameText = `
  set local timezone = 'UTC'; set local datestyle = 'ISO, MDY'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1; set local client_encoding = 'UTF8';
  set local synchronize_seqscans = off; set local max_parallel_workers_per_gather = 0;
  set local enable_indexscan = off; set local enable_indexonlyscan = off; set local enable_bitmapscan = off;
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0`;

export function copyOut({ name, columns }: ArchiveTable): string {
  return `copy (select ${columns.map(pg.escapeIdentifier).join(', ')} from ${quoted(name)}) to stdout`;
}

export function copyIn({ name, columns }: ArchiveTable): string {
  return `copy ${quoted(name)} (${columns.map(pg.escapeIdentifier).join(', ')}) from stdin`;
}
