import { databaseTypeSchema } from '@homeport/contract/databases/schema';
import { countOwned, type OwnerWrite, type Store } from '@homeport/store';
import { z } from 'zod';
import { readDatabase } from '../../databases/state/read-database.ts';
import { keyOf, listServices } from '../../databases/state/server-databases.ts';
import { limitReached } from '../../http/ceiling.ts';
import { ProblemError } from '../../http/problem.ts';
import { notifyChange } from '../../live/notify-change.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { type DatabaseRow, databasesOfServer, recordDatabaseFacts } from '../../records/database-record.ts';
import { findServer } from '../../records/server-record.ts';
import { ownReason } from '../../remote/own-reason.ts';
import type { Run } from '../../remote/run-command.ts';
import { namesOf } from './names-of.ts';

type Deps = {
  store: Pick<Store, 'db' | 'pool' | 'transact' | 'read'>;
  /** How many databases one person may have. */
  most: number;
};

const serviceSchema = z.object({ type: databaseTypeSchema, longname: z.string() });
type Service = z.output<typeof serviceSchema>;
const importInput = z.object({ serverId: z.uuid(), databases: z.array(serviceSchema).min(1) });
type Context = StepContext<z.output<typeof importInput>>;

const percents = { record: 0, read: 5 } as const;
const readTitle = 'Read the databases';

/**
 * Makes records of the chosen databases, then reads each from the server, with its links. A database that cannot be
 * read keeps its record, and its page reads it.
 */
export function importDatabases(deps: Deps): AnyOperationDefinition {
  return defineOperation<z.output<typeof importInput>>({
    kind: 'server.import-databases',
    input: importInput,
    title: ({ databases }) =>
      databases.length === 1
        ? `Import of ${databases[0]?.longname}`
        : `Import of ${databases.length} databases`,
    steps: () => [
      {
        key: 'record',
        title: 'Add the databases to Homeport',
        percent: percents.record,
        run: (context) => record(deps, context),
      },
      { key: 'read', title: readTitle, percent: percents.read, run: (context) => readAll(deps, context) },
    ],
  });
}

const quietly =
  (context: Context): Run =>
  (command, options) =>
    context.run('apps', command, { ...options, quiet: true });

async function record(deps: Deps, context: Context): Promise<StepOutcome | undefined> {
  const chosen = new Map(context.input.databases.map((each) => [keyOf(each), each]));
  const onServer = new Set((await listServices(quietly(context))).map(keyOf));
  const there = [...chosen.values()].filter((each) => onServer.has(keyOf(each)));
  if (there.length === 0)
    throw new ProblemError('not_found', 'The server no longer has these databases. Nothing was imported.');
  const { left } = await deps.store.transact(context.owner, (scope) =>
    recordDatabases(scope, context.input.serverId, there, deps.most),
  );
  const gone = [...chosen.values()].filter((each) => !onServer.has(keyOf(each)));
  const notes = [
    ...(gone.length > 0
      ? [`The server no longer has ${namesOf(gone.map(({ longname }) => longname))}.`]
      : []),
    ...(left > 0 ? [`Your account has no room for ${left} more.`] : []),
  ];
  return notes.length > 0 ? { state: 'warned', note: notes.join(' ') } : undefined;
}

/**
 * Makes records of those databases that have none, and no more than the person may have in all (`most`). Returns how
 * many are `left` without a record. Throws `limit_reached` if there is no room for any.
 */
async function recordDatabases(
  scope: OwnerWrite,
  serverId: string,
  there: readonly Service[],
  most: number,
): Promise<{ left: number }> {
  const { owner, db } = scope;
  await findServer(scope, serverId);
  const room = most - (await countOwned(scope, 'databases'));
  const known = new Set((await databasesOfServer(scope, serverId)).map(keyOf));
  const missing = there.filter((each) => !known.has(keyOf(each)));
  if (missing.length === 0) return { left: 0 };
  if (room <= 0) throw limitReached('databases', most);
  const wanted = missing.slice(0, room);
  await db
    .insertInto('databases')
    .values(
      wanted.map(({ type, longname }) => ({
        owner_id: owner,
        server_id: serverId,
        name: longname,
        longname,
        type,
        imported: true,
        created_at: Date.now(),
      })),
    )
    .onConflict((conflict) => conflict.columns(['server_id', 'type', 'longname']).doNothing())
    .execute();
  await notifyChange(db, owner, 'databases', null);
  return { left: missing.length - wanted.length };
}

async function readAll(deps: Deps, context: Context): Promise<StepOutcome | undefined> {
  const { serverId } = context.input;
  const chosen = new Set(context.input.databases.map(keyOf));
  const recorded = await deps.store.read(context.owner, (scope) => databasesOfServer(scope, serverId));
  const unread = recorded.filter((each) => chosen.has(keyOf(each)) && each.read_at === null);
  const failed: string[] = [];
  for (const [index, database] of unread.entries()) {
    const percent = percents.read + Math.floor(((100 - percents.read) * index) / unread.length);
    await context.progress(percent, `Read ${database.longname}, ${index + 1} of ${unread.length}`);
    const reason = await readOne(deps, context, database);
    if (reason === null) continue;
    context.note(`${database.longname}: ${reason}`);
    failed.push(database.longname);
  }
  await context.progress(100, readTitle);
  if (failed.length === 0) return undefined;
  return {
    state: 'warned',
    note: `Homeport could not read ${namesOf(failed)}. The page of ${failed.length === 1 ? 'this database' : 'each of these databases'} reads again.`,
  };
}

/** Why the database could not be read, or null. */
async function readOne(deps: Deps, context: Context, database: DatabaseRow): Promise<string | null> {
  try {
    const told = await readDatabase(quietly(context), database, database.server_plugin);
    if (told.kind === 'missing') return 'the server no longer has this database.';
    await recordDatabaseFacts(deps.store, context.owner, database.id, told.facts);
    return null;
  } catch (error) {
    const reason = ownReason(error);
    if (reason === null || context.signal.aborted) throw error;
    return reason;
  }
}
