import pg from 'pg';

/**
 * A connection that prepares nothing under a name: a pooler gives each transaction another session, which does not know the statement. Each
 * statement is planned anew, which is what a pooler's sessions cost.
 */
export class UnnamedStatements extends pg.Client {
  // The driver's overloads differ in what comes behind the statement only, which is passed on as it is.
  override query = ((statement: unknown, ...rest: unknown[]) =>
    Reflect.apply(super.query, this, [withoutName(statement), ...rest])) as pg.Client['query'];
}

/** A stream of COPY, or a cursor, brings its own way of asking. */
function withoutName(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || 'submit' in statement) return statement;
  const { name: _, ...rest } = statement as { name?: string };
  return rest;
}
