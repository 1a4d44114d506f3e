import type { Store } from '@homeport/store';
import { factsOf, readDatabaseStates } from '../../databases/state/plugin-state.ts';
import { readDatabase } from '../../databases/state/read-database.ts';
import { keyOf } from '../../databases/state/server-databases.ts';
import type { StepContext } from '../../operations/definition.ts';
import { databasesOfServer, recordDatabaseFacts } from '../../records/database-record.ts';
import { findServer } from '../../records/server-record.ts';
import { ownReason } from '../../remote/own-reason.ts';
import type { Run } from '../../remote/run-command.ts';

/** Without Homeport’s plugin each database costs the server half a second of processor time. */
const readAtMost = 50;

/**
 * Reads the databases of a server that Homeport knows, so that imported apps show their links. With Homeport’s plugin
 * in one start of Dokku. A database that cannot be read keeps what is recorded of it.
 */
export async function readLinksOfServer(
  store: Pick<Store, 'db' | 'pool' | 'read'>,
  context: Pick<StepContext<unknown>, 'run' | 'owner' | 'note' | 'signal'>,
  serverId: string,
): Promise<void> {
  const { owner } = context;
  const known = await store.read(owner, (scope) => databasesOfServer(scope, serverId));
  if (known.length === 0) return;
  const { dokku_plugin } = await store.read(owner, (scope) => findServer(scope, serverId));
  const run: Run = (command, options) => context.run('apps', command, { ...options, quiet: true });
  const told = dokku_plugin === null ? null : await readDatabaseStates(run);
  if (told) {
    const byKey = new Map(told.map((each) => [keyOf({ type: each.type, longname: each.name }), each]));
    for (const database of known) {
      const there = byKey.get(keyOf(database));
      if (there && there.state !== 'unknown')
        await recordDatabaseFacts(store, owner, database.id, factsOf(there));
    }
    return;
  }
  for (const database of known.slice(0, readAtMost)) {
    try {
      const read = await readDatabase(run, database, null);
      if (read.kind === 'present') await recordDatabaseFacts(store, owner, database.id, read.facts);
    } catch (error) {
      const reason = ownReason(error);
      if (reason === null || context.signal.aborted) throw error;
      context.note(`${database.longname}: ${reason}`);
    }
  }
}
