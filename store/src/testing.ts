import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openStore, type Store } from './connect.ts';

export { fillTables, proofsOf } from './archive/testing/fill-tables.ts';
export { fillOlderData, olderFolder } from './testing/older-cluster.ts';
export { startTransactionPooler } from './testing/transaction-pooler.ts';

/** The variable that tells a test run's processes where the server is. `store/testing/global-setup.ts` sets it. */
export const testServerVariable = 'HOMEPORT_TEST_DATABASE_URL';
export const templateName = 'homeport_template';

export type TestDatabase = {
  store: Store;
  /** The address for a program under test that opens its own store. */
  url: string;
  /** Closes the store and drops the database. Fails when the test left connections open. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A fresh, migrated database of its own on the test run's PostgreSQL. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = testServerUrl();
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(server, (client) =>
    client.query(`create database ${name} template ${templateName} strategy file_copy`),
  );
  const url = withDatabase(server, name);
  const store = await openStore({ url });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= release(store, server, name);
    return closing;
  };
  return { store, url, close, [Symbol.asyncDispose]: close };
}

/**
 * Notes every row that anybody writes from now on. The returned function resolves with the notes since its
 * last call: `UPDATE public.apps`.
 */
export async function watchWrites({ pool }: Pick<Store, 'pool'>): Promise<() => Promise<string[]>> {
  await pool.query(`
    create table public.written (what text not null);
    create function public.note_written() returns trigger language plpgsql as $$
    begin
      insert into public.written values (format('%s %s.%s', tg_op, tg_table_schema, tg_table_name));
      return null;
    end $$;
    do $$
    declare one record;
    begin
      for one in
        select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'written'
          and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
      loop
        execute format('create trigger note_written after insert or update or delete on %I.%I
          for each row execute function public.note_written()', one.schema, one.name);
      end loop;
    end $$`);
  return async () => {
    const { rows } = await pool.query<{ what: string }>('delete from public.written returning what');
    return rows.map(({ what }) => what);
  };
}

export function testServerUrl(): string {
  const url = process.env[testServerVariable];
  if (!url)
    throw new Error(
      `${testServerVariable} is not set: run the tests with the vitest.config.ts of the project`,
    );
  return url;
}

/** The same server, another database. `postgresql://user@%2Fsocket%2Ffolder/name` means a unix socket. */
export function withDatabase(url: string, name: string): string {
  return url.replace(/\/[^/?]*(\?.*)?$/, (_whole, query: string | undefined) => `/${name}${query ?? ''}`);
}

export async function administer<T>(url: string, fn: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await fn(client);
  } finally {
    await client.end();
  }
}

const connectionsEndWithinMs = 3_000;

async function release(store: Store, server: string, name: string): Promise<void> {
  await store.close();
  await administer(server, async (client) => {
    const left = await connectionsLeft(client, name);
    await client.query(`drop database ${name} with (force)`);
    if (left.length > 0) throw new Error(`the test left connections open, last doing: ${left.join('; ')}`);
  });
}

/** The connections that are still open after a short wait, because a server notices a connection's end later than its client. */
async function connectionsLeft(client: pg.Client, name: string): Promise<string[]> {
  const deadline = Date.now() + connectionsEndWithinMs;
  for (;;) {
    const { rows } = await client.query<{ query: string }>(
      "select query from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
      [name],
    );
    if (rows.length === 0 || Date.now() > deadline) return rows.map((row) => row.query);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
