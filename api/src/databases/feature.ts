import type { Ceilings } from '@homeport/contract/limits';
import type { Store } from '@homeport/store';
import type { AnyOperationDefinition } from '../operations/definition.ts';
import { linkDatabase, promoteDatabase, unlinkDatabase } from './changes/change-links.ts';
import { clearRemains } from './changes/clear-remains.ts';
import { controlDatabase } from './changes/control-database.ts';
import { createDatabase } from './changes/create-database.ts';
import { deleteDatabase } from './changes/delete-database.ts';
import { dumpDatabase } from './changes/dump-database.ts';
import { exposeDatabase, unexposeDatabase } from './changes/expose-database.ts';
import { restoreDatabase } from './changes/restore-database.ts';
import { installBackupClient, runBackup } from './changes/run-backup.ts';
import { testDump } from './changes/test-dump.ts';
import { dumpHandlers } from './dumps/handlers.ts';
import { databaseHandlers } from './handlers.ts';
import type { DatabaseDeps } from './reach-database.ts';
import { backupHandlers } from './schedules/handlers.ts';

/** The routes of database services, of their dumps and of their backups. */
export const databaseRoutes = (deps: DatabaseDeps) => ({
  ...databaseHandlers(deps),
  ...dumpHandlers(deps),
  ...backupHandlers(deps),
});

/** The kinds of operation on database services. */
export const databaseOperations = (store: Store, ceilings: Ceilings) =>
  [
    createDatabase({ store, most: ceilings.databases }),
    clearRemains(store),
    ...controlDatabase(store),
    linkDatabase(store),
    unlinkDatabase(store),
    promoteDatabase(store),
    exposeDatabase(store),
    unexposeDatabase(store),
    deleteDatabase(store),
    dumpDatabase(store),
    restoreDatabase(store),
    runBackup(store),
    installBackupClient(store),
    testDump(store),
  ] satisfies AnyOperationDefinition[];
