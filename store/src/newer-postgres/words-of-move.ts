import { isDiskFull, isUnavailable, StoreError } from '../store-error.ts';

/** The copy speaks of backups, and PostgreSQL of rows: the person at the terminal waits for a console that starts. */
export function inWordsOfMove(error: unknown, from: number, data: string): unknown {
  const isOfArchive =
    error instanceof StoreError && (error.code === 'archive_damaged' || error.code === 'archive_newer');
  const isOfDisk = isDiskFull(error);
  if (error instanceof StoreError && !isOfArchive && !isOfDisk) return error;
  // The words of the look at the disk are of the move already.
  if (error instanceof StoreError && isOfDisk && error.message.includes('newer PostgreSQL')) return error;
  const why = error instanceof Error ? `\n${error.message}` : '';
  if (isOfDisk)
    return new StoreError(
      'disk_full',
      `The disk of ${data} became full while the data of PostgreSQL ${from} were moved to a newer one.`,
      `Nothing was changed, and what was moved so far, in ${data}/moving, is removed. Free some space there and start again, or start the Homeport of before.`,
      error,
    );
  return new StoreError(
    // A connection that ended may hold at the next try.
    isUnavailable(error) ? 'unreachable' : 'move_failed',
    `The data could not be moved from PostgreSQL ${from} to a newer one.${why}`,
    'Nothing was changed. Start the Homeport of before, which goes on with the same data; or mend the cause that is named here, and start again.',
    error,
  );
}
