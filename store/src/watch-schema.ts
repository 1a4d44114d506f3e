import type pg from 'pg';
import type { Listener } from './listen.ts';
import { refuseNewerSchema } from './migrate.ts';
import { type Migration, readMigrations } from './read-migrations.ts';
import { repeatWork } from './regular-work.ts';
import { StoreError } from './store-error.ts';

type Watched = { pool: pg.Pool; listener: Listener };

/**
 * Looks whether a newer program has brought the data up to date meanwhile: when that program says so, and each half minute. From then on
 * this program does not know the tables any more. `newer` settles with the reason, in words for the operator.
 */
export async function watchSchema(
  { pool, listener }: Watched,
  report: (error: unknown) => void,
  migrations?: Migration[],
): Promise<{ newer: Promise<StoreError>; stop(): Promise<void> }> {
  // Without their texts: what a program has run is never run again.
  const known = (migrations ?? (await readMigrations())).map((each) => ({ ...each, sql: '' }));
  let found: (error: StoreError) => void = () => {};
  const newer = new Promise<StoreError>((resolve) => {
    found = resolve;
  });
  const look = async () => {
    try {
      await refuseNewerSchema(pool, known);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      found(error);
    }
  };
  const work = repeatWork('schema', look, report);
  let looking: Promise<void> = Promise.resolve();
  const lookNow = () => {
    looking = looking.then(look).catch(report);
  };
  const stopHearing = await listener.on('schema', lookNow);
  const stopBack = listener.onReconnect(lookNow);
  return {
    newer,
    async stop() {
      stopHearing();
      stopBack();
      await Promise.all([work.stop(), looking]);
    },
  };
}
