import type { DatabaseState } from '@homeport/contract/databases/facts';
import {
  type DatabaseEnding,
  type DatabaseLink,
  databaseEndingSchema,
  databaseSchema,
  databaseTypeSchema,
  type ExposedPort,
  exposedPortSchema,
  type Database as ShownDatabase,
} from '@homeport/contract/databases/schema';
import { linksPerDatabase } from '@homeport/contract/limits';
import { type Database, databaseSeries, type Owner, type OwnerRead, type Store } from '@homeport/store';
import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { notFound } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { recordContainers } from './container-names.ts';

export type DatabaseRow = Omit<Selectable<Database['databases']>, 'type' | 'ports' | 'ending'> & {
  type: ShownDatabase['type'];
  ports: ExposedPort[];
  ending: DatabaseEnding | null;
  links: DatabaseLink[];
  server_key: string;
  server_name: string;
  server_ip: string;
  /** The version of Homeport’s own Dokku plugin on the database’s server, or null. */
  server_plugin: string | null;
  /** As the store’s function of this name answers. */
  backup_problem: unknown;
};

const problemSchema = databaseSchema.shape.backupProblem;

export function toDatabase(row: DatabaseRow): ShownDatabase {
  return {
    id: row.id,
    name: row.name,
    longname: row.longname,
    type: row.type,
    serverId: row.server_id,
    serverKey: row.server_key,
    serverName: row.server_name,
    stopped: row.stopped,
    state: row.state,
    ending: row.ending,
    imageVersion: row.image_version,
    ports: row.ports,
    exposureFails: row.exposure_fails,
    memoryBytes: row.memory_bytes,
    dataBytes: row.data_bytes,
    links: row.links,
    backupProblem: problemSchema.parse(row.backup_problem),
    imported: row.imported,
    readAt: row.read_at,
    createdAt: row.created_at,
    version: row.version,
  };
}

const ownDatabases = ({ owner, db }: OwnerRead) =>
  db
    .selectFrom('databases')
    .innerJoin('servers', 'servers.id', 'databases.server_id')
    .selectAll('databases')
    .select([
      'servers.key as server_key',
      'servers.name as server_name',
      'servers.ip as server_ip',
      'servers.dokku_plugin as server_plugin',
    ])
    .select(sql<unknown>`backup_problem(databases.id)`.as('backup_problem'))
    .where('databases.owner_id', '=', owner)
    .where('servers.owner_id', '=', owner);

/** The links of an owner’s databases, each with the app’s record if there is one. */
const ownLinks = ({ owner, db }: OwnerRead) =>
  db
    .selectFrom('links')
    .innerJoin('databases', 'databases.id', 'links.database_id')
    .leftJoin('apps', (join) =>
      join
        .onRef('apps.server_id', '=', 'databases.server_id')
        .onRef('apps.longname', '=', 'links.app_longname')
        .onRef('apps.owner_id', '=', 'links.owner_id'),
    )
    .select([
      'links.database_id',
      'links.app_longname as appLongname',
      'apps.id as appId',
      'apps.name as appName',
      'links.variable',
    ])
    .where('links.owner_id', '=', owner);

type StoredRow = Awaited<ReturnType<ReturnType<typeof ownDatabases>['execute']>>[number];
type StoredLink = Awaited<ReturnType<ReturnType<typeof ownLinks>['execute']>>[number];

const portsSchema = z.array(exposedPortSchema);
const endingSchema = databaseEndingSchema.nullable();

const withLinks = (row: StoredRow, links: readonly StoredLink[]): DatabaseRow => ({
  ...row,
  type: databaseTypeSchema.parse(row.type),
  ports: portsSchema.parse(row.ports),
  ending: endingSchema.parse(row.ending),
  links: links.map(({ database_id: _, ...link }) => link).sort(byApp),
});

/** PostgreSQL sorts by its own rules for words. */
const byApp = (a: { appLongname: string }, b: { appLongname: string }) =>
  a.appLongname < b.appLongname ? -1 : 1;

export async function listDatabases(scope: OwnerRead): Promise<DatabaseRow[]> {
  const rows = await ownDatabases(scope)
    .orderBy('databases.created_at')
    .orderBy('databases.longname')
    .orderBy('databases.id')
    .execute();
  const links = new Map<string, StoredLink[]>();
  for (const link of await ownLinks(scope).execute())
    links.set(link.database_id, [...(links.get(link.database_id) ?? []), link]);
  return rows.map((row) => withLinks(row, links.get(row.id) ?? []));
}

/** The databases that an owner has on a server. */
export async function databasesOfServer(scope: OwnerRead, serverId: string): Promise<DatabaseRow[]> {
  return (await listDatabases(scope)).filter(({ server_id }) => server_id === serverId);
}

/** Throws `not_found` for a database that does not exist or is somebody else’s. */
export async function findDatabase(scope: OwnerRead, id: string): Promise<DatabaseRow> {
  const row = await ownDatabases(scope).where('databases.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('database');
  return withLinks(row, await ownLinks(scope).where('links.database_id', '=', id).execute());
}

/** What a server says of a database. A value that is absent was not read, and the recorded one stays. */
export type DatabaseFacts = {
  state: DatabaseState;
  /** Null: it has not ended, or nobody knows how. */
  ending: DatabaseEnding | null;
  /** Null: it has no container now. The one that was measured last keeps its name. */
  containerId?: string | null;
  imageVersion: string | null;
  ports: readonly ExposedPort[];
  exposureFails?: boolean;
  /** Null: no limit. */
  memoryBytes?: number | null;
  dataBytes?: number | null;
  links: readonly { appLongname: string; variable?: string | null }[];
};

/**
 * Records what a server says of a database, and its container for the monitor, which measures it. Leaves the version of
 * the user’s own edits as it is. Tells pages of new facts only. A database that is no longer recorded stays so.
 */
export async function recordDatabaseFacts(
  store: Pick<Store, 'db' | 'pool'>,
  owner: Owner,
  id: string,
  told: DatabaseFacts,
): Promise<void> {
  const recorded = await keepFacts(store.db, owner, id, told);
  if (!recorded || !told.containerId) return;
  const name = databaseSeries(recorded.type, recorded.longname);
  await recordContainers(store, { serverId: recorded.server_id, name }, [told.containerId]);
}

/** Returns the record as it was, or undefined if there is none. */
async function keepFacts(
  db: Kysely<Database>,
  owner: Owner,
  id: string,
  told: DatabaseFacts,
): Promise<DatabaseRow | undefined> {
  return db.transaction().execute(async (transaction) => {
    const scope = { owner, db: transaction };
    // Two readings at once must not mix their links.
    const held = await transaction
      .selectFrom('databases')
      .select('id')
      .where('owner_id', '=', owner)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!held) return undefined;
    const before = await findDatabase(scope, id);
    const after = factsAfter(before, told);
    await transaction
      .updateTable('databases')
      .set({
        ...after.columns,
        ports: JSON.stringify(after.ports),
        ending: after.ending === null ? null : JSON.stringify(after.ending),
        read_at: Date.now(),
      })
      .where('owner_id', '=', owner)
      .where('id', '=', id)
      .execute();
    const known = {
      columns: columnsOf(before),
      ports: before.ports,
      ending: before.ending,
      links: before.links.map(({ appLongname, variable }) => ({ appLongname, variable })),
    };
    if (JSON.stringify(known) === JSON.stringify(after) && before.read_at !== null) return before;
    await replaceLinks(scope, id, after.links);
    await notifyChange(transaction, owner, 'databases', id);
    return before;
  });
}

const columnsOf = (
  row: Pick<
    DatabaseRow,
    'state' | 'stopped' | 'image_version' | 'exposure_fails' | 'memory_bytes' | 'data_bytes'
  >,
) => ({
  state: row.state,
  stopped: row.stopped,
  image_version: row.image_version,
  exposure_fails: row.exposure_fails,
  memory_bytes: row.memory_bytes,
  data_bytes: row.data_bytes,
});

/** The record as it is after a reading. */
function factsAfter(before: DatabaseRow, told: DatabaseFacts) {
  const variables = new Map(before.links.map(({ appLongname, variable }) => [appLongname, variable]));
  const links = told.links
    .slice(0, linksPerDatabase)
    .map(({ appLongname, variable = variables.get(appLongname) ?? null }) => ({ appLongname, variable }))
    .sort(byApp);
  return {
    columns: columnsOf({
      state: told.state,
      stopped: told.state === 'paused' || (before.stopped && hasEnded(told.state)),
      image_version: told.imageVersion ?? before.image_version,
      exposure_fails: told.ports.length > 0 && (told.exposureFails ?? before.exposure_fails),
      memory_bytes: told.memoryBytes === undefined ? before.memory_bytes : told.memoryBytes,
      data_bytes: told.dataBytes ?? before.data_bytes,
    }),
    ports: told.ports.map(({ containerPort, address, hostPort }) => ({ containerPort, address, hostPort })),
    ending: told.ending,
    links,
  };
}

/** A database that somebody stopped through Homeport stays stopped, however its server tells of its end, until it runs again. */
const hasEnded = (state: DatabaseState) => state === 'exited' || state === 'ended';

/** Records that somebody stopped the database through Homeport, and tells pages. */
export async function recordStop(db: Kysely<Database>, owner: Owner, id: string): Promise<void> {
  await db
    .updateTable('databases')
    .set({ stopped: true })
    .where('owner_id', '=', owner)
    .where('id', '=', id)
    .execute();
  await notifyChange(db, owner, 'databases', id);
}

async function replaceLinks(
  { owner, db }: OwnerRead,
  databaseId: string,
  links: readonly { appLongname: string; variable: string | null }[],
): Promise<void> {
  await db.deleteFrom('links').where('owner_id', '=', owner).where('database_id', '=', databaseId).execute();
  if (links.length === 0) return;
  await db
    .insertInto('links')
    .values(
      links.map(({ appLongname, variable }) => ({
        database_id: databaseId,
        owner_id: owner,
        app_longname: appLongname,
        variable,
      })),
    )
    .execute();
}

/** Removes the record of a database that its server no longer has, and tells pages. */
export async function forgetDatabase(db: Kysely<Database>, owner: Owner, id: string): Promise<void> {
  await db.deleteFrom('databases').where('owner_id', '=', owner).where('id', '=', id).execute();
  await notifyChange(db, owner, 'databases', id);
}

/** Forgets the links to an app that its server no longer has: Dokku takes them away with the app. */
export async function forgetLinksTo(
  db: Kysely<Database>,
  owner: Owner,
  app: { serverId: string; longname: string },
): Promise<void> {
  const gone = await db
    .deleteFrom('links')
    .where('owner_id', '=', owner)
    .where('app_longname', '=', app.longname)
    .where('database_id', 'in', (eb) =>
      eb.selectFrom('databases').select('databases.id').where('server_id', '=', app.serverId),
    )
    .returning('database_id')
    .execute();
  for (const { database_id } of gone) await notifyChange(db, owner, 'databases', database_id);
}
