import type pg from 'pg';

/** A server as the writer of its reports needs it. */
export type KnownServer = {
  id: number;
  version: number;
  /** JSON; null before the first report. */
  state: string | null;
  monitorId: string;
  /** App series by container id. */
  containers: Map<string, number>;
};

/** Looks servers up by the SHA-256 (hex) of their agent's token; an unknown one is missing from the answer. */
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
    `select encode(v.agent_token_hash, 'hex') as hash, s.id, s.version, s.state, coalesce(v.monitor_id, '') as "monitorId",
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

/** Counts reports that were refused as too old or impossible, so that silence can be told from nonsense. */
export async function countRefused(pool: pg.Pool, id: number, count: number): Promise<void> {
  await pool.query('update series.server set refused = refused + $2 where id = $1', [id, count]);
}

/**
 * Says which containers are which app's on a server, replacing what was said before; the series of an app stay when its
 * containers change. What is not named is not kept: to be called with all running containers whenever an app's may have
 * changed (after it is created, deployed, started, rebuilt, scaled or destroyed) and when a connection to the server is
 * opened, since a push deploys without the console.
 *
 * @param serverId the id in `servers`
 * @param containers `containerId` is the whole id, 64 hex digits; `app` the label `com.dokku.app-name`, which is
 *   `apps.longname`. One with the label `com.dokku.container-type` other than `deploy` belongs to no app.
 */
export async function nameContainers(
  pool: pg.Pool,
  serverId: string,
  containers: readonly { containerId: string; app: string }[],
): Promise<void> {
  await pool.query(
    `with server as (
        insert into series.server (server_id) values ($1)
        on conflict (server_id) do update set version = series.server.version + 1 returning id),
      named as (select * from unnest($2::text[], $3::text[]) as n (container_id, name)),
      app as (
        insert into series.app (server, name) select distinct server.id, named.name from server, named
        on conflict (server, name) do update set name = excluded.name returning id, name),
      gone as (
        delete from series.container c using server where c.server = server.id and c.container_id <> all($2)),
      mapped as (
        insert into series.container (server, container_id, app)
        select server.id, named.container_id, app.id from server, named join app using (name)
        on conflict (server, container_id) do update set app = excluded.app)
      select 1`,
    [serverId, containers.map((one) => one.containerId), containers.map((one) => one.app)],
  );
}
