import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Channel, Payload } from './channels.ts';
import type { Database } from './database.ts';
import { type EmbeddedServer, startEmbedded } from './embedded/server.ts';
import { type Listener, notify, openListener } from './listen.ts';
import { alone, awaitSchema, isOlderData, migrate, type SchemaWait } from './migrate.ts';
import { type Owner, type OwnerRead, type OwnerWrite, readAs, transactAs } from './owner.ts';
import { readMigrations } from './read-migrations.ts';
import { refuseOtherDatabase, refusePooler } from './refuse-pooler.ts';
import { lose, StoreError } from './store-error.ts';
import { UnnamedStatements } from './unnamed-statements.ts';

export type StoreOptions = (
  | {
      url: string;
      /** Of the same database, where `url` is a pooler's that lends a session for one transaction only. What needs a session goes there. */
      directUrl?: string | undefined;
    }
  /** Starts an embedded server on this folder. */
  | { dataFolder: string; programs?: string | undefined }
) & {
  /** Called with the error of each lost connection. The pool opens new connections by itself. */
  report?: (error: Error) => void;
  poolSize?: number;
  /** Called whenever the embedded server is starting: there is nothing to do but wait for its process. */
  waiting?: () => void;
  /**
   * Called before this program changes the tables of an older one, while no other console does. What it throws leaves them as they are.
   */
  beforeUpgrade?: (data: OlderData) => Promise<void>;
  /** This process never makes or changes tables: it waits for the process that does. Without this option the process does so itself. */
  awaitSchema?: SchemaWait;
};

/** Data whose tables are about to be changed. */
export type OlderData = {
  /** As `Store.url`. */
  url: string;
  /** What the database takes on its disk. */
  bytes: number;
};

export type Store = {
  /** Where another process reaches the same database, not through a pooler. It holds a password where the user's address has one. */
  url: string;
  /** All owners' rows, for identity, ingest and background work. A user's request goes through `read` and `transact`. */
  db: Kysely<Database>;
  /** For libraries that use pg themselves. */
  pool: pg.Pool;
  /** One owner's rows, read only. */
  read<T>(owner: Owner, fn: (scope: OwnerRead) => Promise<T>): Promise<T>;
  /** One owner's rows. All changes are kept, or none. */
  transact<T>(owner: Owner, fn: (scope: OwnerWrite) => Promise<T>): Promise<T>;
  /** Tells every replica immediately. */
  notify<C extends Channel>(channel: C, payload: Payload<C>): Promise<void>;
  listener: Listener;
  /** Settles when the embedded server ended by itself and cannot be brought back. Never settles for a server of the user's. */
  lost: Promise<StoreError>;
  /** Ends the connections, then the embedded server. */
  close(): Promise<void>;
};

export const databaseName = 'homeport';

/** Starts or reaches PostgreSQL, brings the schema up to date (or waits for it) and connects. Throws `StoreError`. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const report = options.report ?? (() => {});
  const server = 'dataFolder' in options ? await startEmbedded({ ...options, report }) : undefined;
  try {
    const target: pg.ClientConfig = server
      ? { host: server.socketFolder, user: server.user, database: databaseName }
      : { connectionString: 'url' in options ? options.url : '' };
    if (server) await ensureDatabase({ ...target, database: 'postgres' });
    const directUrl = 'url' in options ? options.directUrl : undefined;
    const url = server ? socketUrl(server) : (directUrl ?? ('url' in options ? options.url : ''));
    const direct = directUrl === undefined ? target : { connectionString: directUrl };
    if (direct !== target) await withClient(direct, (holder) => refuseOtherDatabase(holder, target));
    await bringUpToDate(direct, url, { ...options, keepsSessions: server !== undefined });
    const pooled = direct === target ? target : { ...target, Client: UnnamedStatements };
    const { pool, closed } = openPool(pooled, options.poolSize ?? 10, report);
    const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
    const listener = openListener(direct, report);
    let closing: Promise<void> | undefined;
    return {
      url,
      db,
      pool,
      read: (owner, fn) => readAs(db, owner, fn),
      transact: (owner, fn) => transactAs(db, owner, fn),
      notify: (channel, payload) => notify(db, channel, payload),
      listener,
      lost: server?.lost ?? new Promise(() => {}),
      close() {
        closing ??= (async () => {
          await listener.close();
          await db.destroy();
          // Kysely ends the pool only if it has used the pool.
          if (!pool.ending) await pool.end();
          await closed();
          await server?.stop();
        })();
        return closing;
      },
    };
  } catch (error) {
    await server?.stop();
    throw error;
  }
}

/** The form of a unix socket's folder in an address of PostgreSQL: https://www.postgresql.org/docs/18/libpq-connect.html */
function socketUrl({ user, socketFolder }: EmbeddedServer): string {
  return `postgresql://${user}@${encodeURIComponent(socketFolder)}/${databaseName}`;
}

const int8 = 20;

/** bigint columns hold milliseconds and bytes, far below 2^53, so they are read as numbers and not as text. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === int8 && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format)) as never,
};

export function openPool(target: pg.PoolConfig, size: number, report: (error: Error) => void) {
  const pool = new pg.Pool({
    ...target,
    types,
    max: size,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: 10_000,
    application_name: 'homeport',
  });
  // Without a listener, a broken idle connection would end the process.
  pool.on('error', report);
  const open = new Set<Promise<void>>();
  pool.on('connect', (client) => {
    client.on('error', lose(report));
    const ended = new Promise<void>((resolve) => {
      client.once('end', () => resolve());
    });
    open.add(ended);
    void ended.then(() => open.delete(ended));
  });
  return {
    pool,
    /**
     * The pool counts as ended when its clients were asked to end. Until their connections are closed too, a server that stops tells
     * them so, which reads like a lost connection.
     */
    closed: () => Promise.all(open),
  };
}

/** `target` names a database that exists. */
export async function ensureDatabase(target: pg.ClientConfig, name = databaseName): Promise<void> {
  await withClient(target, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (!rowCount) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  });
}

async function bringUpToDate(
  target: pg.ClientConfig,
  url: string,
  {
    awaitSchema: wait,
    beforeUpgrade,
    keepsSessions,
  }: Pick<StoreOptions, 'awaitSchema' | 'beforeUpgrade'> & { keepsSessions: boolean },
): Promise<void> {
  // Read when the server is reached: a program that waits for it tries every second.
  await withClient(target, async (client) => {
    const migrations = await readMigrations();
    if (!keepsSessions) await refusePooler(client, target);
    if (wait) return awaitSchema(client, migrations, wait);
    if (!beforeUpgrade || !(await isOlderData(client, migrations))) {
      await migrate(client, migrations);
      return;
    }
    await alone(client, async () => {
      // Another console that started meanwhile may have copied and changed them.
      if (await isOlderData(client, migrations)) {
        const { rows } = await client.query<{ bytes: number }>(
          'select pg_database_size(current_database())::float8 as bytes',
        );
        await beforeUpgrade({ url, bytes: rows[0]?.bytes ?? 0 });
      }
      await migrate(client, migrations);
    });
  });
}

export const unreachableRemedy =
  'Check that the server runs and that DATABASE_URL, and DATABASE_URL_DIRECT where it is set, name its address, database, user and password.';

async function withClient(target: pg.ClientConfig, fn: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ ...target, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw new StoreError(
      'unreachable',
      `PostgreSQL cannot be reached: ${(error as Error).message}.`,
      unreachableRemedy,
      error,
    );
  }
  try {
    await fn(client);
  } finally {
    await client.end();
  }
}
