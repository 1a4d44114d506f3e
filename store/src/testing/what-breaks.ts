import type { Column, Constraint, Shape } from './shape.ts';

/**
 * What a step did to the tables that a program of before does not bear: that program reads and writes all its columns as they were, leaves
 * new ones out, and removes rows. A constraint that changed counts as broken even where it became wider, because that program would
 * read values that it does not know. What triggers do, nobody can read from the catalogue.
 */
export function whatBreaks(before: Shape, after: Shape): string[] {
  const relations = new Set([...before.columns.values()].map(({ relation }) => relation));
  const isOld = (constraint: Constraint, name: string) =>
    before.columns.has(`${constraint.relation}.${name}`);
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
    if (!relations.has(constraint.relation)) continue;
    const mayBeNull = constraint.columns.some(
      (column) =>
        !isOld(constraint, column) &&
        after.columns.get(`${constraint.relation}.${column}`)?.required === false,
    );
    const binds =
      constraint.kind === 'check'
        ? constraint.columns.length === 0 || constraint.columns.some((column) => isOld(constraint, column))
        : !mayBeNull;
    if (binds) found.push(`the constraint ${name} binds rows that an older program writes`);
  }
  for (const name of before.functions)
    if (!after.functions.has(name)) found.push(`the function ${name} is gone or changed`);
  return found;
}

function changesOf(name: string, was: Column, is: Column | undefined): string[] {
  if (is === undefined) return [`${name} is gone`];
  if (is.type !== was.type) return [`${name} is ${is.type} and was ${was.type}`];
  if (is.required && !was.required) return [`${name} is required and was not`];
  if (was.filled && !is.filled) return [`${name} has no default any more`];
  // A program that reads a column without null has no case for it.
  if (was.required && !is.required) return [`${name} may be null and was required`];
  return [];
}
