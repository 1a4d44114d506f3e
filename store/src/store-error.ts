import { isDiskFullState, isGone } from './sql-state.ts';

export type StoreErrorCode =
  | 'second_console'
  | 'newer_data'
  | 'older_data'
  | 'move_failed'
  | 'newer_schema'
  | 'older_schema'
  | 'edited_migration'
  | 'table_held'
  | 'step_too_long'
  | 'disk_full'
  | 'folder_unusable'
  | 'no_binaries'
  | 'start_failed'
  | 'archive_damaged'
  | 'archive_newer'
  | 'no_data'
  | 'not_empty'
  | 'pooled'
  | 'unreachable';

/**
 * The store cannot be used. `message` names the fault, `remedy` says what to do. Both are written for the person at the terminal
 * and hold no secret.
 */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  readonly remedy: string;

  constructor(code: StoreErrorCode, message: string, remedy: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StoreError';
    this.code = code;
    this.remedy = remedy;
  }
}

/** Whether PostgreSQL or the system reports a full disk. */
export function isDiskFull(error: unknown): boolean {
  if (isDiskFullState(error)) return true;
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'disk_full');
}

/** The messages of `pg` for a connection that ended or could not be opened. These errors have no code. */
const unavailableWords =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed))/;

/** The errors by which connections to PostgreSQL ended. A reset socket looks the same for every other program that was reached. */
const lostConnections = new WeakSet<Error>();

/** Listens to the errors of a connection, so that `isUnavailable` knows them. */
export function lose(report: (error: Error) => void): (error: Error) => void {
  return (error) => {
    lostConnections.add(error);
    report(error);
  };
}

/** Whether the error means that PostgreSQL does not answer now. A change under way may or may not be stored. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('syscall' in error && error.syscall === 'connect') return true;
  if (isGone(error) || lostConnections.has(error)) return true;
  return unavailableWords.test(error.message);
}

/** The error for a running console, which goes on by itself. */
export function outOfSpace(folder: string): StoreError {
  return new StoreError(
    'disk_full',
    `The disk that holds ${folder} is full, and PostgreSQL has ended.`,
    'Everything saved is kept. Free at least 100 MB there: Homeport goes on by itself.',
  );
}

export function diskFull(folder: string, cause?: unknown): StoreError {
  return new StoreError(
    'disk_full',
    `The disk that holds ${folder} is full.`,
    'Free some space there (Homeport needs at least 100 MB to start) or choose another folder with --data, then start again.',
    cause,
  );
}
