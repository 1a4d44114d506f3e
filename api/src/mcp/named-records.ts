import type { App } from '@homeport/contract/apps/schema';
import type { Database } from '@homeport/contract/databases/schema';
import type { Server } from '@homeport/contract/servers/schema';
import type { Caller } from './caller.ts';
import { recordOf } from './records.ts';

/** The call is then about the record that the name means. */
export function serverOf(caller: Caller, servers: readonly Server[], name: string): Server {
  const server = recordOf(servers, name, { what: 'server', namesOf: (each) => [each.name, each.key] });
  caller.concerns('server', server.id);
  return server;
}

export function appOf(caller: Caller, apps: readonly App[], name: string): App {
  const app = recordOf(apps, name, { what: 'app', ...namesOnServers });
  caller.concerns('app', app.id);
  return app;
}

export function databaseOf(caller: Caller, databases: readonly Database[], name: string): Database {
  const database = recordOf(databases, name, { what: 'database', ...namesOnServers });
  caller.concerns('database', database.id);
  return database;
}

type OnServer = Pick<App, 'name' | 'longname' | 'serverName' | 'serverKey'>;

const namesOnServers = {
  namesOf: (each: OnServer) => [each.name, each.longname],
  serverOf: (each: OnServer) => [each.serverName, each.serverKey],
};
