import type { App } from '@homeport/contract/apps/schema';
import type { Server } from '@homeport/contract/servers/schema';
import type { Connect } from '../../on-server/use-connect.ts';

/** An app with its server: the input of every section that asks the server. */
export interface AppPlace {
  app: App;
  server: Server;
  connect: Connect;
}
