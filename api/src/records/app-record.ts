import { type App, crashSchema } from '@homeport/contract/apps/schema';
import { domainsPerApp } from '@homeport/contract/limits';
import type { Database, Owner, OwnerRead } from '@homeport/store';
import type { Kysely, Selectable, Updateable } from 'kysely';
import { notFound } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';

export type AppRow = Selectable<Database['apps']> & {
  server_key: string;
  server_name: string;
  /** The version of Homeport’s own Dokku plugin on the app’s server, or null. */
  server_plugin: string | null;
};

export function toApp(row: AppRow): App {
  return {
    id: row.id,
    name: row.name,
    longname: row.longname,
    serverId: row.server_id,
    serverKey: row.server_key,
    serverName: row.server_name,
    monitorId: row.monitor_id,
    plan: row.plan,
    domains: row.domains,
    url: row.url,
    stopped: row.stopped,
    crash: row.crash === null ? null : crashSchema.parse(JSON.parse(row.crash)),
    https: row.https,
    imported: row.imported,
    unread: row.unread,
    missingSince: row.missing_since,
    repository:
      row.repository && row.repository_branch
        ? { fullName: row.repository, branch: row.repository_branch }
        : null,
    deployBranch: row.deploy_branch,
    keys: row.keys,
    deployment: { status: row.deploy_status, at: row.deployed_at },
    startedAt: row.started_at,
    createdAt: row.created_at,
    version: row.version,
  };
}

const ownApps = ({ owner, db }: OwnerRead) =>
  db
    .selectFrom('apps')
    .innerJoin('servers', 'servers.id', 'apps.server_id')
    .selectAll('apps')
    .select([
      'servers.key as server_key',
      'servers.name as server_name',
      'servers.dokku_plugin as server_plugin',
    ])
    .where('apps.owner_id', '=', owner)
    .where('servers.owner_id', '=', owner);

export function listApps(scope: OwnerRead): Promise<AppRow[]> {
  return ownApps(scope).orderBy('apps.created_at').orderBy('apps.longname').orderBy('apps.id').execute();
}

/** Throws `not_found` for an app that does not exist or is somebody else’s. */
export async function findApp(scope: OwnerRead, id: string): Promise<AppRow> {
  const row = await ownApps(scope).where('apps.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('app');
  return row;
}

/** The oldest apps that an owner imported from a server and that were not read yet; with `longnames`, of these alone. */
export function listUnreadApps(
  scope: OwnerRead,
  serverId: string,
  { most, longnames }: { most: number; longnames?: readonly string[] },
): Promise<AppRow[]> {
  const unread = ownApps(scope).where('apps.server_id', '=', serverId).where('apps.unread', '=', true);
  return (longnames ? unread.where('apps.longname', 'in', [...longnames]) : unread)
    .orderBy('apps.created_at')
    .orderBy('apps.longname')
    .orderBy('apps.id')
    .limit(most)
    .execute();
}

/** The apps that an owner has on a server, from longname to id. */
export async function appIdsOfServer(
  { owner, db }: OwnerRead,
  serverId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('apps')
    .select(['id', 'longname'])
    .where('owner_id', '=', owner)
    .where('server_id', '=', serverId)
    .execute();
  return new Map(rows.map(({ longname, id }) => [longname, id]));
}

type Facts = Updateable<Database['apps']>;

/** As long as a name of DNS may be (RFC 1035, 2.3.4), and an address with it. */
const domainCharacters = 253;
const addressCharacters = 300;

/** A server may report any number of domains, of any length. Lists of apps read all that is kept. */
function kept({ domains, url, ...facts }: Facts): Facts {
  return {
    ...facts,
    ...(domains && {
      domains: domains.filter(({ length }) => length <= domainCharacters).slice(0, domainsPerApp),
    }),
    ...(url !== undefined && { url: url !== null && url.length > addressCharacters ? null : url }),
  };
}

/** Whether a server says something about an app that the record does not hold. */
export function hasNewFacts(app: AppRow, told: Facts): boolean {
  const before: Record<string, unknown> = { ...app };
  return Object.entries(kept(told)).some(
    ([column, value]) => JSON.stringify(before[column]) !== JSON.stringify(value),
  );
}

/**
 * Records what the server says about an app, and leaves the version of the user’s own edits as it is.
 * Notifies pages only of new facts.
 */
export async function recordAppFacts(
  db: Kysely<Database>,
  owner: Owner,
  app: AppRow,
  told: Facts,
): Promise<void> {
  if (!hasNewFacts(app, told)) return;
  await db
    .updateTable('apps')
    .set(kept(told))
    .where('owner_id', '=', owner)
    .where('id', '=', app.id)
    .execute();
  await notifyChange(db, owner, 'apps', app.id);
}
