import type { DatabaseStatus } from '@homeport/contract/databases/health';
import type { Database } from '@homeport/contract/databases/schema';
import type { Server } from '@homeport/contract/servers/schema';

/** A database with its server and its status: the input of every section of its page. */
export interface DatabasePlace {
  database: Database;
  server: Server;
  status: DatabaseStatus;
}
