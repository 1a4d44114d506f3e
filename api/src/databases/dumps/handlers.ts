import { dumps, serviceName } from '@homeport/dokku';
import { ownerFromSession } from '@homeport/store';
import type { Handlers } from '../../http/handlers.ts';
import { notifyChange } from '../../live/notify-change.ts';
import { type DatabaseDeps, locateDatabase, reachDatabase, startOnDatabase } from '../reach-database.ts';
import { findDump, listDumps, refusedDump, requireDumps } from './list-dumps.ts';
import { fetchDump, storeUpload } from './transfer-dump.ts';

type Handled =
  | 'GET /api/databases/:id/dumps'
  | 'POST /api/databases/:id/dumps'
  | 'PUT /api/databases/:id/dumps/:dump'
  | 'GET /api/databases/:id/dumps/:dump/content'
  | 'DELETE /api/databases/:id/dumps/:dump'
  | 'POST /api/databases/:id/dumps/:dump/restore'
  | 'POST /api/databases/:id/dumps/:dump/test';

export function dumpHandlers(deps: DatabaseDeps): Pick<Handlers, Handled> {
  /** Other pages of this person read the list again. */
  const tell = (userId: string, id: string) =>
    notifyChange(deps.store.db, ownerFromSession(userId), 'databases', id);
  return {
    'GET /api/databases/:id/dumps': async ({ session, params, signal }) => {
      const { run, database } = await reachDatabase(deps, session, params.id, signal);
      return listDumps(run, database);
    },
    'POST /api/databases/:id/dumps': async ({ session, params }) => {
      const located = await locateDatabase(deps, session, params.id);
      requireDumps(located.database);
      return startOnDatabase(deps, session, located, 'database.dump');
    },
    'PUT /api/databases/:id/dumps/:dump': async ({ session, params, upload, signal }) => {
      const reached = await reachDatabase(deps, session, params.id, signal);
      const dump = await storeUpload(reached, params.dump, upload, signal);
      await tell(session.userId, params.id);
      return dump;
    },
    'GET /api/databases/:id/dumps/:dump/content': async ({ session, params, signal }) =>
      fetchDump(await reachDatabase(deps, session, params.id, signal), params.dump, signal),
    'DELETE /api/databases/:id/dumps/:dump': async ({ session, params, signal }) => {
      const { run, database } = await reachDatabase(deps, session, params.id, signal);
      const command = dumps.remove(database.type, serviceName(database.longname), dumps.dumpId(params.dump));
      const ran = await run(command, { accept: 'any', quiet: true, deadlineMs: removalDeadlineMs });
      if (ran.exitCode !== 0) throw refusedDump(ran);
      await tell(session.userId, params.id);
      return { removed: true };
    },
    'POST /api/databases/:id/dumps/:dump/restore': async ({ session, params, signal }) => {
      const { database, server, run } = await reachDatabase(deps, session, params.id, signal);
      const { id, bytes, madeAt } = await findDump(run, database, params.dump);
      return startOnDatabase(deps, session, { database, server }, 'database.restore', {
        input: { dumpId: id, bytes, madeAt },
      });
    },
    'POST /api/databases/:id/dumps/:dump/test': async ({ session, params, signal }) => {
      const { database, server, run } = await reachDatabase(deps, session, params.id, signal);
      const { id, madeAt } = await findDump(run, database, params.dump);
      return startOnDatabase(deps, session, { database, server }, 'database.test', {
        input: { dumpId: id, madeAt },
      });
    },
  };
}

const removalDeadlineMs = 5 * 60_000;
