import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { testDatabase } from './testing.ts';

type Column = { type: string; nullable: boolean; default: boolean };
type Columns = Record<string, Column>;

const databaseFile = new URL('./database.ts', import.meta.url);

/** The parts of rolldown's syntax tree (ESTree with TypeScript's nodes) that a column's type is made of. */
type TypeNode = {
  type: string;
  types?: readonly TypeNode[] | undefined;
  literal?: { value: unknown } | undefined;
  elementType?: TypeNode | undefined;
  typeName?: { name: string } | undefined;
  typeArguments?: { params: readonly TypeNode[] } | null | undefined;
};

const typeSchema: z.ZodType<TypeNode> = z.lazy(() =>
  z.object({
    type: z.string(),
    types: z.array(typeSchema).optional(),
    literal: z.object({ value: z.unknown() }).optional(),
    elementType: typeSchema.optional(),
    typeName: z.object({ name: z.string() }).optional(),
    typeArguments: z.object({ params: z.array(typeSchema) }).nullish(),
  }),
);
const interfaceSchema = z.object({
  type: z.literal('ExportNamedDeclaration'),
  declaration: z.object({
    type: z.literal('TSInterfaceDeclaration'),
    id: z.object({ name: z.string() }),
    body: z.object({
      body: z.array(
        z.object({
          key: z.object({ name: z.string().optional(), value: z.string().optional() }),
          typeAnnotation: z.object({ typeAnnotation: typeSchema }),
        }),
      ),
    }),
  }),
});

type Property = { name: string; type: TypeNode };

/** TypeScript's interfaces are gone when a program runs, so they are read from the syntax tree of `database.ts`. */
async function interfacesInSource(): Promise<Record<string, Columns>> {
  const { body } = parseAst(await readFile(databaseFile, 'utf8'), { lang: 'ts' });
  const interfaces = new Map<string, readonly Property[]>();
  for (const statement of body) {
    const read = interfaceSchema.safeParse(statement);
    if (!read.success) continue;
    const { id, body: members } = read.data.declaration;
    interfaces.set(
      id.name,
      members.body.map(({ key, typeAnnotation }) => ({
        name: key.name ?? key.value ?? '',
        type: typeAnnotation.typeAnnotation,
      })),
    );
  }
  const tables = interfaces.get('Database') ?? [];
  return Object.fromEntries(
    tables.map(({ name, type }) => [name, columnsIn(interfaces.get(nameOf(type)) ?? [])]),
  );
}

function columnsIn(properties: readonly Property[]): Columns {
  return Object.fromEntries(
    properties.map(({ name, type }) => {
      const hasDefault = nameOf(type) === 'Generated' || nameOf(type) === 'JsonWithDefault';
      const value = nameOf(type) === 'Generated' ? (type.typeArguments?.params[0] ?? type) : type;
      const members = value.types ?? [value];
      const kinds = new Set(
        members.filter((member) => member.type !== 'TSNullKeyword').map((member) => kindOf(member)),
      );
      return [
        name,
        {
          type: [...kinds].join(' | '),
          nullable: members.some((member) => member.type === 'TSNullKeyword'),
          default: hasDefault,
        },
      ];
    }),
  );
}

const nameOf = (type: TypeNode): string => type.typeName?.name ?? '';

function kindOf(type: TypeNode): string {
  if (type.literal) return typeof type.literal.value;
  if (type.elementType) return `${kindOf(type.elementType)}[]`;
  const keyword = /^TS(String|Number|Boolean)Keyword$/.exec(type.type)?.[1];
  if (keyword) return keyword.toLowerCase();
  const name = nameOf(type);
  return ['Json', 'JsonWithDefault', 'JSONColumnType'].includes(name) ? 'json' : name;
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
  _uuid: 'string[]',
  _int4: 'number[]',
  _int8: 'number[]',
  _float4: 'number[]',
  _float8: 'number[]',
};

test('the table interfaces are what the migrations made', async () => {
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
