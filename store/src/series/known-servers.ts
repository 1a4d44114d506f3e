import type pg from 'pg';

/** The facts about a server that the writer of its reports needs. */
export type KnownServer = {
  id: number;
  version: number;
  /** JSON; null before the first report. */
  state: string | null;
  monitorId: string;
  provider: string | null;
  /** App series by short container id. */
  containers: Map<string, number>;
};

/** Looks servers up by the SHA-256 (hex) of their agent's token. An unknown token is missing from the result. */
export async function findByToken(
  pool: pg.Pool,
  tokenHashes: readonly string[],
): Promise<Map<string, KnownServer>> {
  const hashes = tokenHashes.map((hash) => Buffer.from(hash, 'hex'));
  await pool.query(
    `insert into series.server (server_id) select id from servers where agent_token_hash = any($1)
       and not exists (select 1 from series.server s where s.server_id = servers.id) on conflict do nothing`,
    [hashes],
  );
  const { rows } = await pool.query<
    Omit<KnownServer, 'containers'> & { hash: string; containers: object | null }
  >(
    `select encode(v.agent_token_hash, 'hex') as hash, s.id, s.version, s.state, coalesce(v.monitor_id, '') as "monitorId", v.provider,
       (select json_object_agg(c.container_id, c.app) from series.container c where c.server = s.id) as containers
     from servers v join series.server s on s.server_id = v.id where v.agent_token_hash = any($1)`,
    [hashes],
  );
  return new Map(
    rows.map(({ hash, containers, ...server }) => [
      hash,
      { ...server, containers: new Map<string, number>(Object.entries(containers ?? {})) },
    ]),
  );
}

/** Records the provider that a server's machine names, and tells the owner's pages if it is another one. */
export async function keepProvider(pool: pg.Pool, series: number, provider: string | null): Promise<void> {
  await pool.query(
    `with changed as (
        update servers v set provider = $2 from series.server s
        where s.id = $1 and v.id = s.server_id and v.provider is distinct from $2 returning v.id, v.owner_id)
      select pg_notify('changed', json_build_object('owner', owner_id, 'topic', 'servers', 'id', id)::text) from changed`,
    [series, provider],
  );
}

/** Docker's own short form has 12 digits, `ps:report` of Dokku prints 11: enough to tell a host's containers apart. */
export const shortContainerId = (id: string) => id.slice(0, 11);

/** The name of a database's series among those of its server's apps, as `series.database_name` of the store makes it. */
export const databaseSeries = (type: string, longname: string) => `${type}/${longname}`;

/** The short ids of the containers that `nameContainers` recorded for an app or a database. */
export async function namedContainers(pool: pg.Pool, serverId: string, app: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select c.container_id as id from series.container c join series.app a on a.id = c.app
       join series.server s on s.id = a.server where s.server_id = $1 and a.name = $2`,
    [serverId, app],
  );
  return rows.map(({ id }) => id);
}

/**
 * Records which containers belong to an app or a database, in place of the earlier record. The app's series continue when its containers
 * change. Each deploy, start and scaling makes new containers, so call this after each of them.
 *
 * @param serverId the id in `servers`
 * @param app `apps.longname`, or the `databaseSeries` of a database
 * @param containerIds of its deploy containers, whole or as `ps:report` shortens them
 */
export async function nameContainers(
  pool: pg.Pool,
  serverId: string,
  app: string,
  containerIds: readonly string[],
): Promise<void> {
  await pool.query(
    `with server as (
        insert into series.server (server_id) values ($1)
        on conflict (server_id) do update set version = series.server.version + 1 returning id),
      app as (
        insert into series.app (server, name) select server.id, $2 from server
        on conflict (server, name) do update set name = excluded.name returning id, server),
      gone as (
        delete from series.container c using app where c.app = app.id and c.container_id <> all($3::text[])),
      mapped as (
        insert into series.container (server, container_id, app)
        select app.server, named.id, app.id from app, unnest($3::text[]) as named (id)
        on conflict (server, container_id) do update set app = excluded.app)
      select 1`,
    [serverId, app, containerIds.map(shortContainerId)],
  );
}
