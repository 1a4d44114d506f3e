import { once } from 'node:events';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { migrateWithin } from '../migrate.ts';
import type { Migration } from '../read-migrations.ts';
import { StoreError } from '../store-error.ts';
import { damaged, newerArchive } from './archive-error.ts';
import {
  type ArchivedRows,
  type ArchiveTable,
  copyIn,
  copyOut,
  quoted,
  readForeignKeys,
  readKeptTables,
  readPartitions,
  sameText,
} from './catalogue.ts';
import type { ArchiveHead, ArchiveManifest } from './format.ts';
import { layToRest } from './lay-to-rest.ts';
import { tableProof } from './prove-table.ts';
import { type ReadArchive, readArchive } from './read-archive.ts';

export type LoadOptions = {
  migrations: Migration[];
  keepTokens: boolean;
  now: number;
  /** As the archive was written. With `all` the console goes on as it was: nothing is laid to rest. */
  which?: ArchivedRows;
  /** Called before anything is kept for good. */
  beforeCommit(archive: ReadArchive): Promise<void>;
};

/**
 * Loads an archive into an empty console's database, in one transaction: whatever ends it leaves the database as it was. Each table is
 * read again and compared with the archive, and PostgreSQL checks every foreign key. Throws `StoreError`.
 */
export async function loadArchive(
  client: pg.Client,
  source: AsyncIterable<Uint8Array>,
  { migrations, keepTokens, now, which = 'kept', beforeCommit }: LoadOptions,
): Promise<ReadArchive> {
  const load = tableLoader(client);
  await client.query('begin');
  try {
    await client.query(sameText);
    let foreignKeys: Awaited<ReturnType<typeof readForeignKeys>> = [];
    const archive = await readArchive(source, {
      async head(head) {
        await makeSchema(client, head, migrations);
        foreignKeys = await readForeignKeys(client);
        await makeRoom(client, { head, foreignKeys, which });
        load.expect(head.tables);
      },
      piece: (table, bytes) => load.piece(table, bytes),
    });
    await load.end();
    await proveTables(client, archive);
    for (const { name, value } of archive.head.sequences)
      await client.query('select setval($1::regclass, $2::bigint)', [quoted(name), value]);
    await checkAgain(client, archive.head, foreignKeys);
    const applied = new Set(archive.head.migrations.map(({ number }) => number));
    await migrateWithin(
      client,
      migrations.filter(({ number }) => !applied.has(number)),
    );
    if (which === 'kept') await layToRest(client, { keepTokens, now, backupAt: archive.head.at });
    await client.query('analyze');
    await beforeCommit(archive);
    await client.query('commit');
    return archive;
  } catch (error) {
    await load.end().catch(() => {});
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

/** The schema of the archive, not the newest: the archive's rows go through the later migrations like any others. */
async function makeSchema(client: pg.Client, head: ArchiveHead, migrations: Migration[]): Promise<void> {
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  const wanted = head.migrations.map(({ number, checksum }) => {
    const migration = known.get(number);
    if (migration?.checksum !== checksum) throw newerArchive(head.madeBy);
    return migration;
  });
  const { rows } = await client.query<{ found: string | null }>("select to_regclass('migration') as found");
  if (!rows[0]?.found) return migrateWithin(client, wanted);
  await refuseUsed(client);
  const { rows: present } = await client.query<{ number: number }>('select number from migration');
  const numbers = (list: readonly { number: number }[]) =>
    list
      .map(({ number }) => number)
      .sort()
      .join();
  if (numbers(present) !== numbers(wanted))
    throw new StoreError(
      'not_empty',
      'The database holds the empty schema of another version than the backup’s.',
      'Nothing was changed. Make a new database, and name it in DATABASE_URL.',
    );
}

/** A process of a console writes every ten seconds that it lives. */
const livesMs = 30_000;

async function refuseUsed(client: pg.Client): Promise<void> {
  await client.query('lock table auth."user" in access exclusive mode');
  const { rows } = await client.query<{ used: boolean; lives: boolean }>(
    `select exists (select from auth."user") as used, exists (select from replicas
       where seen_at > (extract(epoch from clock_timestamp()) * 1000)::bigint - $1::bigint) as lives`,
    [livesMs],
  );
  if (rows[0]?.used) throw notEmpty();
  if (rows[0]?.lives)
    throw new StoreError(
      'not_empty',
      'A console is running on this database.',
      'Nothing was changed. Stop that console, wait half a minute, and restore again.',
    );
}

export function notEmpty(): StoreError {
  return new StoreError(
    'not_empty',
    'This console has accounts already.',
    'Nothing was changed. Restore into a new data folder (--data), or into a new database (DATABASE_URL).',
  );
}

/**
 * Without foreign keys and triggers, rows come in any order and nothing is derived from them twice. A role that owns the tables may do
 * this; `session_replication_role` would need a superuser.
 */
async function makeRoom(
  client: pg.Client,
  {
    head,
    foreignKeys,
    which,
  }: {
    head: ArchiveHead;
    foreignKeys: readonly { table: string; name: string }[];
    which: ArchivedRows;
  },
): Promise<void> {
  for (const { table, name } of foreignKeys)
    await client.query(`alter table ${quoted(table)} drop constraint ${pg.escapeIdentifier(name)}`);
  for (const { of, name } of await readPartitions(client))
    await client.query(`drop table ${quoted(`${of.split('.')[0]}.${name}`)}`);
  for (const { of, name, from, to, fillfactor } of head.partitions)
    await client.query(
      `create table ${quoted(`${of.split('.')[0]}.${name}`)} partition of ${quoted(of)}
       for values from (${from}) to (${to}) with (fillfactor = ${fillfactor})`,
    );
  const tables = await readKeptTables(client, which);
  const described = (list: readonly ArchiveTable[]) =>
    JSON.stringify(list.map(({ name, columns }) => [name, columns]).sort());
  if (described(tables) !== described(head.tables)) throw damaged('Its tables are not those of its version.');
  for (const { name } of tables) await client.query(`alter table ${quoted(name)} disable trigger user`);
  await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`);
}

/** Triggers and foreign keys as they were. Adding a key makes PostgreSQL check every row. */
async function checkAgain(
  client: pg.Client,
  head: ArchiveHead,
  foreignKeys: Awaited<ReturnType<typeof readForeignKeys>>,
): Promise<void> {
  for (const { name } of head.tables) await client.query(`alter table ${quoted(name)} enable trigger user`);
  for (const { table, name, definition } of foreignKeys)
    await client
      .query(`alter table ${quoted(table)} add constraint ${pg.escapeIdentifier(name)} ${definition}`)
      .catch((error: unknown) => {
        if (error instanceof pg.DatabaseError && error.code === foreignKeyViolation)
          throw damaged(`Rows of ${table} name others that it does not hold.`, error);
        throw error;
      });
}

const foreignKeyViolation = '23503';

/** Reads what was loaded in the same form in which it was saved. */
async function proveTables(client: pg.Client, { head, manifest }: ReadArchive): Promise<void> {
  for (const table of head.tables) {
    const proof = tableProof();
    for await (const chunk of client.query(copyTo(copyOut(table)))) proof.add(chunk as Buffer);
    const { sha256 } = proof.end();
    const saved: ArchiveManifest['tables'][string] | undefined = manifest.tables[table.name];
    if (saved?.sha256 !== sha256)
      throw damaged(`PostgreSQL gives the rows of ${table.name} back in another form than they were saved.`);
  }
}

/** Sends each table's pieces as one COPY. PostgreSQL takes one COPY at a time. */
function tableLoader(client: pg.Client) {
  let tables: readonly ArchiveTable[] = [];
  let open: { name: string; stream: ReturnType<typeof copyFrom>; ended: Promise<unknown> } | undefined;

  async function end(): Promise<void> {
    const ending = open;
    open = undefined;
    if (!ending) return;
    ending.stream.end();
    await ending.ended;
  }

  return {
    expect(given: readonly ArchiveTable[]): void {
      tables = given;
    },
    async piece(name: string, bytes: Buffer): Promise<void> {
      if (open?.name !== name) {
        await end();
        const table = tables.find((each) => each.name === name);
        if (!table) throw damaged(`It holds rows of ${name}, which does not belong there.`);
        const stream = client.query(copyFrom(copyIn(table)));
        const ended = once(stream, 'finish').catch((error: unknown) => {
          throw refusedRows(name, error);
        });
        ended.catch(() => {});
        open = { name, stream, ended };
      }
      const { stream, ended } = open;
      if (!stream.write(bytes)) await Promise.race([once(stream, 'drain'), ended]);
    },
    end,
  };
}

/** SQL states of class 22 and 23: the rows do not fit the table. Others are the server's. */
function refusedRows(table: string, error: unknown): unknown {
  return error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')
    ? damaged(`PostgreSQL does not take the rows of ${table}.`, error)
    : error;
}
