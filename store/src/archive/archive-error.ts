import { StoreError } from '../store-error.ts';

/** The file is no backup, or not all of one any more. */
export function damaged(why: string, cause?: unknown): StoreError {
  return new StoreError(
    'archive_damaged',
    `The backup is damaged. ${why}`,
    'Nothing was changed. Take another copy of this backup, or an older backup.',
    cause,
  );
}

export function newerArchive(madeBy: string): StoreError {
  return new StoreError(
    'archive_newer',
    `The backup was made by a newer Homeport (${madeBy}), whose data this program does not know.`,
    'Nothing was changed. Restore it with that version, or a later one.',
  );
}
