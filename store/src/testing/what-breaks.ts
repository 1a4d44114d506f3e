import pg from 'pg';
import type { Column, Constraint, Shape } from './shape.ts';

/**
 * What a step did to the tables that a program of before does not bear: that program reads and writes all its columns as they were, leaves
 * new ones out, and removes rows. A constraint that changed counts as broken even where it became wider, because that program would
 * read values that it does not know. What functions and new triggers do, nobody can read from the catalogue.
 */
export async function whatBreaks(
  client: Pick<pg.ClientBase, 'query'>,
  before: Shape,
  after: Shape,
): Promise<string[]> {
  const relations = new Set([...before.columns.values()].map(({ relation }) => relation));
  const found: string[] = [];
  for (const [name, was] of before.columns) found.push(...changesOf(name, was, after.columns.get(name)));
  for (const [name, { relation, required, filled }] of after.columns)
    if (!before.columns.has(name) && relations.has(relation) && required && !filled)
      found.push(`${name} is required and has no default`);
  for (const [name, { definition }] of before.constraints)
    if (after.constraints.get(name)?.definition !== definition)
      found.push(`the constraint ${name} is gone or changed`);
  for (const [name, constraint] of after.constraints) {
    if (before.constraints.has(name)) continue;
    if (constraint.holds && constraint.names !== null && relations.has(constraint.names))
      found.push(`${name} keeps rows of ${constraint.names} from being removed`);
    if (relations.has(constraint.relation) && (await binds(client, constraint, before, after)))
      found.push(`the constraint ${name} binds rows that an older program writes`);
  }
  for (const name of before.triggers)
    if (!after.triggers.has(name)) found.push(`the trigger ${name} is gone`);
  for (const name of before.functions)
    if (!after.functions.has(name)) found.push(`the function ${name} is gone or changed`);
  return found;
}

function changesOf(name: string, was: Column, is: Column | undefined): string[] {
  if (is === undefined) return [`${name} is gone`];
  if (is.type !== was.type) return [`${name} is ${is.type} and was ${was.type}`];
  if (is.generated !== was.generated) return [`${name} is written by another`];
  if (is.required && !was.required) return [`${name} is required and was not`];
  if (was.filled && !is.filled) return [`${name} has no default any more`];
  // A program that reads a column without null has no case for it.
  if (was.required && !is.required) return [`${name} may be null and was required`];
  return [];
}

/** Whether a new constraint can refuse a row of an older program, in which each new column has its default, or null. */
async function binds(
  client: Pick<pg.ClientBase, 'query'>,
  { kind, relation, definition, expression, columns: names }: Constraint,
  before: Shape,
  after: Shape,
): Promise<boolean> {
  const columns = names.flatMap((name) => after.columns.get(`${relation}.${name}`) ?? []);
  const isNew = ({ name }: Column) => !before.columns.has(`${relation}.${name}`);
  if (kind !== 'check')
    return (
      definition.includes('NULLS NOT DISTINCT') ||
      !columns.some((column) => isNew(column) && !column.required && !column.filled)
    );
  if (expression === null || columns.length === 0) return true;
  if (!columns.every((column) => isNew(column) && !column.generated)) return true;
  const row = columns.map(
    ({ name, type, value }) => `(${value ?? 'null'})::${type} as ${pg.escapeIdentifier(name)}`,
  );
  const { rows } = await client.query<{ passes: boolean }>(
    `select coalesce(${expression}, true) as passes from (select ${row.join(', ')}) as written`,
  );
  return rows[0]?.passes !== true;
}
