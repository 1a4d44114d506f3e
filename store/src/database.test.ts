import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from './testing.ts';

type Column = { type: string; nullable: boolean; default: boolean };
type Columns = Record<string, Column>;

/**
 * TypeScript's interfaces do not exist at run time, so this function reads `database.ts` as text. The formatter gives every
 * column a line of its own, and breaks some over several lines.
 */
async function interfacesInSource(): Promise<Record<string, Columns>> {
  const source = await readFile(new URL('./database.ts', import.meta.url), 'utf8');
  const bodies = new Map<string, string>();
  for (const [, name = '', body = ''] of source.matchAll(/^export interface (\w+) \{\n(.*?)^\}/gms)) {
    bodies.set(name, body);
  }
  const tables = [...(bodies.get('Database') ?? '').matchAll(/^ {2}'?([\w.]+)'?: (\w+);$/gm)];
  return Object.fromEntries(
    tables.map(([, table = '', name = '']) => [table, columnsIn(bodies.get(name) ?? '')]),
  );
}

function columnsIn(body: string): Columns {
  const withoutComments = body.replaceAll(/\/\*.*?\*\//gs, '');
  const lines = withoutComments.matchAll(/^ {2}(\w+):\s*(.*?);$/gms);
  return Object.fromEntries(
    [...lines].map(([, name = '', written = '']) => {
      const type = /^Generated<(.*)>$/s.exec(written)?.[1] ?? written.replace(/^JsonWithDefault</, 'Json<');
      const bare = type.replace(/ \| null$/, '');
      return [name, { type: kindOf(bare), nullable: bare !== type, default: type !== written }];
    }),
  );
}

function kindOf(type: string): string {
  if (/^(Json|JSONColumnType)</.test(type)) return 'json';
  if (/^'[^']*'( \| '[^']*')*$/s.test(type)) return 'string';
  return type;
}

const kinds: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  integer: 'number',
  smallint: 'number',
  bigint: 'number',
  real: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  jsonb: 'json',
  bytea: 'Buffer',
  'timestamp with time zone': 'Date',
};

const elements: Record<string, string> = {
  _text: 'string[]',
  _int4: 'number[]',
  _int8: 'number[]',
  _float4: 'number[]',
  _float8: 'number[]',
};

test('the table interfaces match the tables that the migrations made', async () => {
  await using database = await testDatabase();
  const { rows } = await sql<{
    table: string;
    column: string;
    type: string;
    element: string;
    nullable: boolean;
    default: boolean;
  }>`
    select case table_schema when 'public' then '' else table_schema || '.' end || table_name as table,
           column_name as column, data_type as type, udt_name as element, is_nullable = 'YES' as nullable,
           column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS' as default
      from information_schema.columns where table_schema in ('public', 'auth')`.execute(database.store.db);
  const actual: Record<string, Columns> = {};
  for (const row of rows) {
    actual[row.table] ??= {};
    const columns = actual[row.table] ?? {};
    const type = row.type === 'ARRAY' ? elements[row.element] : kinds[row.type];
    columns[row.column] = { type: type ?? row.type, nullable: row.nullable, default: row.default };
  }
  const expected = await interfacesInSource();
  expect(Object.keys(expected)).toContain('servers');
  for (const [table, columns] of Object.entries(expected))
    expect({ [table]: columns }).toEqual({ [table]: actual[table] });
});
