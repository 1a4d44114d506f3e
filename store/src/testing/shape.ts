import type pg from 'pg';

/** What programs rely on in the tables, as PostgreSQL's catalogue has it. Partitions have the shape of their table. */
export type Shape = {
  columns: Map<string, Column>;
  constraints: Map<string, Constraint>;
  functions: Set<string>;
  /** Each with its relation. What its function does is not among it. */
  triggers: Set<string>;
};

export type Column = {
  relation: string;
  name: string;
  type: string;
  required: boolean;
  filled: boolean;
  generated: boolean;
  /** The expression of its default. */
  value: string | null;
};

/** A constraint, or a unique index without one. */
export type Constraint = {
  relation: string;
  kind: 'check' | 'unique' | 'foreign key' | 'other';
  definition: string;
  /** Of a check. */
  expression: string | null;
  columns: string[];
  /** Of a foreign key: the relation that it names, and whether it keeps that relation's rows from being removed or changed. */
  names: string | null;
  holds: boolean;
};

const ours = `n.nspname in ('public', 'auth', 'series')`;

export async function readShape(client: Pick<pg.ClientBase, 'query'>): Promise<Shape> {
  const columns = await client.query<Column>(
    `select n.nspname || '.' || c.relname as relation, a.attname as name,
       format_type(a.atttypid, a.atttypmod) as type, a.attgenerated <> '' as generated,
       a.attnotnull as required, a.atthasdef or a.attidentity <> '' as filled, pg_get_expr(d.adbin, d.adrelid) as value
     from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where ${ours} and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition and a.attnum > 0 and not a.attisdropped`,
  );
  const constraints = await client.query<Constraint & { id: string }>(
    `select n.nspname || '.' || c.relname || ' ' || k.conname as id, n.nspname || '.' || c.relname as relation,
       case k.contype when 'c' then 'check' when 'f' then 'foreign key' when 'p' then 'unique' when 'u' then 'unique' else 'other' end as kind,
       pg_get_constraintdef(k.oid) as definition, pg_get_expr(k.conbin, k.conrelid) as expression,
       array(select a.attname::text from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any (k.conkey)) as columns,
       (select tn.nspname || '.' || t.relname from pg_class t join pg_namespace tn on tn.oid = t.relnamespace where t.oid = k.confrelid) as names,
       k.contype = 'f' and (k.confdeltype in ('a', 'r') or k.confupdtype = 'r' or k.confdeltype = 'n' and exists (
         select from pg_attribute a where a.attrelid = k.conrelid and a.attnotnull and a.attnum = any (coalesce(k.confdelsetcols, k.conkey)))) as holds
     from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
     where ${ours} and not c.relispartition and k.contype in ('c', 'f', 'p', 'u', 'x')
     union all
     select n.nspname || '.' || i.relname, n.nspname || '.' || c.relname, 'unique', pg_get_indexdef(x.indexrelid), null,
       array(select a.attname::text from pg_attribute a where a.attrelid = x.indrelid and a.attnum = any (x.indkey)), null, false
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
       join pg_namespace n on n.oid = c.relnamespace
     where ${ours} and x.indisunique and not c.relispartition
       and not exists (select from pg_constraint k where k.conindid = x.indexrelid)`,
  );
  const functions = await client.query<{ signature: string }>(
    `select p.oid::regprocedure || ' returns ' || pg_get_function_result(p.oid) as signature
     from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where ${ours} and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  );
  const triggers = await client.query<{ trigger: string }>(
    `select n.nspname || '.' || c.relname || ' ' || t.tgname as trigger
     from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
     where ${ours} and not t.tgisinternal and not c.relispartition`,
  );
  return {
    columns: new Map(columns.rows.map((each) => [`${each.relation}.${each.name}`, each])),
    constraints: new Map(constraints.rows.map(({ id, ...each }) => [id, each])),
    triggers: new Set(triggers.rows.map(({ trigger }) => trigger)),
    functions: new Set(functions.rows.map(({ signature }) => signature)),
  };
}
