import { parseAst } from 'rolldown/parseAst';
import { z } from 'zod';
import { sourceFiles } from './import-graph.mjs';
import { rooms } from './rooms.mjs';

/** The import name of the room whose members need a user. */
const dokku = '@homeport/dokku';

/** `ps.start`, `ps.readReport`, `failureOf`, …: the values that a module exports, those of its namespaces one by one. */
export function membersOf(exported: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(exported).flatMap(([name, value]) =>
    isNamespace(value) ? Object.keys(value).map((member) => `${name}.${member}`) : name,
  );
}

/** The tag of a module's namespace (ECMA-262, 28.3.1). */
function isNamespace(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Reflect.get(value, Symbol.toStringTag) === 'Module';
}

/** The sources of the product that may use Dokku: all rooms but `dokku/` itself, without tests. */
export function productFiles(): string[] {
  return sourceFiles().filter((path) => {
    const [room = ''] = path.split('/');
    return room in rooms && room !== 'dokku';
  });
}

/** The members that no source names. A source imports a member from `dokku/`, or imports its namespace and writes `namespace.member`. */
export function membersWithoutUser(members: readonly string[], sources: readonly string[]): string[] {
  const named = new Set(sources.filter((text) => text.includes(dokku)).flatMap(membersNamed));
  return members.filter((member) => !named.has(member));
}

const importSchema = z.object({
  type: z.literal('ImportDeclaration'),
  source: z.object({ value: z.literal(dokku) }),
  specifiers: z.array(
    z.object({
      local: z.object({ name: z.string() }),
      imported: z.object({ name: z.string() }).optional(),
    }),
  ),
});

const memberSchema = z.object({
  type: z.literal('MemberExpression'),
  computed: z.literal(false),
  object: z.object({ type: z.literal('Identifier'), name: z.string() }),
  property: z.object({ name: z.string() }),
});

function membersNamed(text: string): string[] {
  const program = parseAst(text, { lang: 'ts' });
  const imports = new Map<string, string>();
  for (const node of program.body) {
    for (const { local, imported } of importSchema.safeParse(node).data?.specifiers ?? [])
      if (imported) imports.set(local.name, imported.name);
  }
  const named = [...imports.values()];
  visit(program, (node) => {
    const member = memberSchema.safeParse(node).data;
    if (!member) return;
    const namespace = imports.get(member.object.name);
    if (namespace !== undefined) named.push(`${namespace}.${member.property.name}`);
  });
  return named;
}

function visit(value: unknown, see: (node: object) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) see(value);
  for (const child of Object.values(value)) visit(child, see);
}
