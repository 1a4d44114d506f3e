import pg from 'pg';
import { StoreError } from '../store-error.ts';
import { superuser } from './cluster.ts';

/** An advisory lock in the database `postgres`. The console holds it while it lives; the lock ends with the console, however that ends. */
const lockKey = 7070;
const applicationPrefix = 'homeport console ';

/** Connects over the socket in `socketFolder` and locks the data folder for this process. Throws `second_console` when another process holds the lock. */
export async function takeConsoleLock(socketFolder: string, dataFolder: string): Promise<pg.Client> {
  const client = new pg.Client({
    host: socketFolder,
    user: superuser,
    database: 'postgres',
    application_name: `${applicationPrefix}${process.pid}`,
    connectionTimeoutMillis: 10_000,
  });
  // An error without a listener would end the process. The end of the server itself is noticed elsewhere.
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    lockKey,
  ]);
  if (rows[0]?.taken) return client;
  const holder = await holderOf(client);
  await client.end();
  throw new StoreError(
    'second_console',
    `Another Homeport${holder ? ` (process ${holder})` : ''} is already running on the data folder ${dataFolder}.`,
    'Use or stop that console, or give this one a folder and a port of its own with --data and --port.',
  );
}

async function holderOf(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ application_name: string }>(
    `select application_name from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and objid = $1 and granted`,
    [lockKey],
  );
  return rows[0]?.application_name.slice(applicationPrefix.length);
}
