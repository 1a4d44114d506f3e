import type { App } from '@homeport/contract/apps/schema';
import type { Database } from '@homeport/contract/databases/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { recordOf } from './records.ts';

export const serverOf = (servers: readonly Server[], name: string): Server =>
  recordOf(servers, name, { what: 'server', namesOf: (each) => [each.name, each.key] });

export const appOf = (apps: readonly App[], name: string): App =>
  recordOf(apps, name, {
    what: 'app',
    namesOf: (each) => [each.name, each.longname],
    serverOf: (each) => [each.serverName, each.serverKey],
  });

export const databaseOf = (databases: readonly Database[], name: string): Database =>
  recordOf(databases, name, {
    what: 'database',
    namesOf: (each) => [each.name, each.longname],
    serverOf: (each) => [each.serverName, each.serverKey],
  });
