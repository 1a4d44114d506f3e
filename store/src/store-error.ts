export type StoreErrorCode =
  | 'second_console'
  | 'newer_data'
  | 'older_data'
  | 'newer_schema'
  | 'edited_migration'
  | 'disk_full'
  | 'folder_unusable'
  | 'no_binaries'
  | 'start_failed'
  | 'unreachable';

/**
 * The store cannot be used. `message` says what is wrong and `remedy` what its reader can do about it: both are
 * written for the person at the terminal and hold no secret.
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

/** PostgreSQL's or the system's way to say that nothing more fits on the disk (SQLSTATE 53100, ENOSPC). */
export function isDiskFull(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === '53100' || error.code === 'ENOSPC' || error.code === 'disk_full')
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
