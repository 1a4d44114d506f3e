/** The SQLSTATE of a failed statement (PostgreSQL, appendix A); an empty text for every other error. */
function sqlState(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** A row that another statement has made in between. `constraint`: only of this one. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (sqlState(error) !== '23505') return false;
  return (
    constraint === undefined ||
    (error instanceof Error && 'constraint' in error && error.constraint === constraint)
  );
}

/** A row that no partition takes (check_violation): the console slept past the partitions that were made for it. */
export const isMissingPartition = (error: unknown) => sqlState(error) === '23514';

/** Two replicas wrote the same rows in another order. */
export const isDeadlock = (error: unknown) => sqlState(error) === '40P01';

/** A statement waited for a lock as long as it may (lock_not_available). */
export const isLockTimeout = (error: unknown) => sqlState(error) === '55P03';

/** A statement took longer than it may, or somebody cancelled it (query_canceled). */
export const isTooLong = (error: unknown) => sqlState(error) === '57014';

/** A value that a column does not take. */
export const isDataError = (error: unknown) => sqlState(error).startsWith('22');

/** A table, column or function that is not there (undefined_column, undefined_table, undefined_function): another program changed the schema. */
export const isOtherSchema = (error: unknown) => /^(42703|42P01|42883)$/.test(sqlState(error));

/** PostgreSQL finds no room on the disk. */
export const isDiskFullState = (error: unknown) => sqlState(error) === '53100';

/** The server is gone, ending, recovering or has no free connection. */
export const isGone = (error: unknown) => /^(08...|57P0[1-5]|53300)$/.test(sqlState(error));
