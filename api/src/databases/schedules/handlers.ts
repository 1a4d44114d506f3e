import type { Backups, ServerSchedule } from '@homeport/contract/backups/schema';
import { ownerFromSession } from '@homeport/store';
import type { Handlers } from '../../http/handlers.ts';
import { ProblemError } from '../../http/problem.ts';
import { requireDumps } from '../dumps/list-dumps.ts';
import {
  type Asking,
  type DatabaseDeps,
  locateDatabase,
  type ReachedDatabase,
  reachDatabase,
  startOnDatabase,
} from '../reach-database.ts';
import { installerOf } from '../state/database-plugins.ts';
import { checkTarget, readSchedule, removeSchedule, writeSchedule } from './on-server.ts';
import { isSameSchedule, markUnsure, readBackups, recordSchedule } from './schedule-record.ts';

type Handled =
  | 'GET /api/databases/:id/backups'
  | 'GET /api/databases/:id/schedule'
  | 'POST /api/databases/:id/schedule/refresh'
  | 'PUT /api/databases/:id/schedule'
  | 'DELETE /api/databases/:id/schedule'
  | 'POST /api/databases/:id/schedule/check'
  | 'POST /api/databases/:id/schedule/run'
  | 'POST /api/databases/:id/backup-client';

export function backupHandlers(deps: DatabaseDeps): Pick<Handlers, Handled> {
  const { store } = deps;
  const known = (asking: Asking, id: string): Promise<Backups> =>
    store.read(ownerFromSession(asking.userId), (scope) => readBackups(scope, id));
  const reach = async (asking: Asking, id: string, signal: AbortSignal) => {
    const reached = await reachDatabase(deps, asking, id, signal);
    requireDumps(reached.database);
    return reached;
  };
  /** Work with several steps that only the whole of may be recorded. */
  const start = async (asking: Asking, id: string, kind: 'database.backup' | 'database.backup-client') => {
    const located = await locateDatabase(deps, asking, id);
    requireDumps(located.database);
    return startOnDatabase(deps, asking, located, kind);
  };
  return {
    'GET /api/databases/:id/backups': async ({ session, params }) => {
      await locateDatabase(deps, session, params.id);
      return known(session, params.id);
    },
    'GET /api/databases/:id/schedule': async ({ session, params, signal }) =>
      showSchedule(await reach(session, params.id, signal), await known(session, params.id)),
    'POST /api/databases/:id/schedule/refresh': async ({ session, params, signal }) => {
      await recordFromServer(deps, await reach(session, params.id, signal));
      return known(session, params.id);
    },
    'PUT /api/databases/:id/schedule': async ({ session, params, body, signal }) => {
      const reached = await reach(session, params.id, signal);
      const { owner, database, run } = reached;
      await writing(deps, reached, async () =>
        recordSchedule(store, owner, database, await writeSchedule(run, database, body)),
      );
      return known(session, params.id);
    },
    'DELETE /api/databases/:id/schedule': async ({ session, params, signal }) => {
      const reached = await reach(session, params.id, signal);
      const { owner, database, run } = reached;
      await writing(deps, reached, async () => {
        await removeSchedule(run, database);
        await recordSchedule(store, owner, database, { schedule: null, runs: [] });
      });
      return known(session, params.id);
    },
    'POST /api/databases/:id/schedule/check': async ({ session, params, body, signal }) => {
      const { database, run } = await reach(session, params.id, signal);
      return checkTarget(run, database, body.target);
    },
    'POST /api/databases/:id/schedule/run': ({ session, params }) =>
      start(session, params.id, 'database.backup'),
    'POST /api/databases/:id/backup-client': ({ session, params }) =>
      start(session, params.id, 'database.backup-client'),
  };
}

async function showSchedule(
  { database, server, run }: ReachedDatabase,
  known: Backups,
): Promise<ServerSchedule> {
  const told = await readSchedule(run, database);
  if (!told) return { kind: 'plugin_missing' };
  const { schedule, timeZone, inCrontab, client, runs } = told;
  const newest = runs.at(-1);
  const hasRun = !newest || known.runs.some(({ id, state }) => id === newest.id && state === newest.state);
  return {
    kind: 'told',
    schedule,
    timeZone,
    inCrontab,
    client,
    installer: installerOf(server),
    recorded: !known.unsure && hasRun && isSameSchedule(schedule, known.schedule),
  };
}

async function recordFromServer(
  { store }: Pick<DatabaseDeps, 'store'>,
  { owner, database, run }: ReachedDatabase,
): Promise<void> {
  const told = await readSchedule(run, database);
  if (!told) throw new ProblemError('conflict', 'Homeport’s plugin on this server does not know schedules.');
  await recordSchedule(store, owner, database, told);
}

/** After a refusal, the server says what it kept. Without an answer of the server, the record stays unsure. */
async function writing(
  deps: Pick<DatabaseDeps, 'store'>,
  reached: ReachedDatabase,
  act: () => Promise<void>,
): Promise<void> {
  await markUnsure(deps.store, reached.owner, reached.database.id);
  try {
    await act();
  } catch (error) {
    await recordFromServer(deps, reached).catch(() => undefined);
    throw error;
  }
}
