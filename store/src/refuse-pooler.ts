import { randomInt } from 'node:crypto';
import pg from 'pg';
import { StoreError } from './store-error.ts';

const answersWithinMs = 5_000;
/** A pooler that draws one of many sessions may draw the same one some times. */
const asks = 8;

/**
 * Refuses an address whose connections do not each keep a session of their own, as those of a pooler in transaction mode
 * (https://www.pgbouncer.org/features.html): LISTEN hears nothing there, a lock of a session stays with whoever gets the session next, and a
 * statement that was prepared is not there any more. `client` is connected to `target`. Throws `StoreError`.
 */
export async function refusePooler(client: pg.Client, target: pg.ClientConfig): Promise<void> {
  if (!(await lendsSessions(client, target))) return;
  throw new StoreError(
    'pooled',
    'DATABASE_URL_DIRECT, or DATABASE_URL without it, names a pooler that gives each transaction another session, as PgBouncer does with pool_mode = transaction. Pages would not hear of changes, and two consoles could change the tables at once.',
    'Nothing was changed. Name PostgreSQL’s own address in DATABASE_URL_DIRECT: what needs a session goes there, and the rest through DATABASE_URL.',
  );
}

/** Without a pooler, a session belongs to one connection. The other connection holds one in a transaction, so that a pooler has to lend another. */
async function lendsSessions(client: pg.Client, target: pg.ClientConfig): Promise<boolean> {
  const session = await sessionOf(client);
  const other = new pg.Client({
    ...target,
    ...{ connectionTimeoutMillis: answersWithinMs, query_timeout: answersWithinMs },
    application_name: 'homeport sessions',
  });
  other.on('error', () => {});
  try {
    await other.connect();
    await other.query('begin');
    if ((await sessionOf(other)) === session) return true;
  } catch {
    // A server without room for another connection is no pooler: that would let it wait.
    await other.end().catch(() => {});
    return false;
  }
  try {
    for (let ask = 0; ask < asks; ask += 1) if ((await sessionOf(client)) !== session) return true;
    return false;
  } finally {
    await other.end().catch(() => {});
  }
}

async function sessionOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}

/** Refuses two addresses of different databases: a lock that a transaction holds in one is free in the other. Throws `StoreError`. */
export async function refuseOtherDatabase(direct: pg.Client, pooled: pg.ClientConfig): Promise<void> {
  const key = randomInt(2 ** 31);
  const client = new pg.Client({ ...pooled, connectionTimeoutMillis: answersWithinMs });
  client.on('error', () => {});
  await direct.query('begin');
  try {
    await direct.query('select pg_advisory_xact_lock($1)', [key]);
    await client.connect().catch((error: Error) => {
      throw new StoreError(
        'unreachable',
        `PostgreSQL cannot be reached through the pooler: ${error.message}.`,
        'Check that the pooler runs and that DATABASE_URL names its address, database, user and password.',
        error,
      );
    });
    const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [
      key,
    ]);
    if (rows[0]?.free !== false)
      throw new StoreError(
        'pooled',
        'DATABASE_URL and DATABASE_URL_DIRECT lead to different databases.',
        'Name the same database in both: once through the pooler, once by PostgreSQL’s own address.',
      );
  } finally {
    await client.end().catch(() => {});
    await direct.query('rollback');
  }
}
