import type { ConnectionStrings } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { urlHost } from '@homeport/contract/fields/server-address';
import { service, serviceName } from '@homeport/dokku';
import type { ReachedDatabase } from '../reach-database.ts';

/**
 * Reads the connection string from the server: a secret, which is handed to the person who asked and kept nowhere.
 * The external ones name the server and the mapped port in place of the container.
 */
export async function readConnectionStrings({
  database,
  server,
  run,
}: Pick<ReachedDatabase, 'database' | 'server' | 'run'>): Promise<ConnectionStrings> {
  const { type, longname, ports } = database;
  const internal = service.readDsn(await run(service.dsn(type, serviceName(longname)), { quiet: true }));
  const { mainPort } = databaseTypeOf(type);
  return {
    internal,
    external: ports
      .filter(({ containerPort }) => containerPort === mainPort)
      .map(({ address, hostPort }) => {
        const host = address ?? server.ip;
        return { address: host, url: withHost(internal, host, hostPort) };
      }),
  };
}

/** The connection string with another host and port. The plugins escape nothing in a password, so no parser reads it. */
export function withHost(dsn: string, host: string, port: number): string {
  const scheme = dsn.indexOf('://') + 3;
  const user = dsn.lastIndexOf('@') + 1;
  const from = Math.max(scheme, user);
  const path = dsn.indexOf('/', from);
  return `${dsn.slice(0, from)}${urlHost(host)}:${port}${path < 0 ? '' : dsn.slice(path)}`;
}
