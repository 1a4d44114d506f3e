import { databaseTypeSchema } from '@homeport/contract/databases/schema';
import { leftovers, type ServiceName, serviceName } from '@homeport/dokku';
import type { Store } from '@homeport/store';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import type { StepContext } from '../../operations/definition.ts';
import { type DatabaseRow, findDatabase, recordDatabaseFacts } from '../../records/database-record.ts';
import type { Run } from '../../remote/run-command.ts';
import { type ReportedDatabase, readDatabase } from '../state/read-database.ts';

export type Deps = Pick<Store, 'db' | 'pool'>;

/** The input that the store keeps for every operation on an existing database. */
export const onDatabaseInput = z.object({
  databaseId: z.uuid(),
  type: databaseTypeSchema,
  longname: z.string(),
});
export type OnDatabase = z.output<typeof onDatabaseInput>;

/** The context of a step that works on one database, whatever else the operation’s input holds. */
export type DatabaseStep = Pick<StepContext<OnDatabase>, 'run' | 'owner' | 'input' | 'note' | 'toast'>;

export const nameOf = ({ input }: { input: { longname: string } }): ServiceName =>
  serviceName(input.longname);

/** Runs commands of a step without their output in the log: their answers are read, and some hold a secret. */
export const quietly =
  (context: Pick<DatabaseStep, 'run'>): Run =>
  (command, options) =>
    context.run('apps', command, { ...options, quiet: true });

/** Reads the database from its server and records it. Throws `not_found` if the server no longer has it. */
export async function readAgain(deps: Deps, context: DatabaseStep): Promise<DatabaseRow> {
  const scope = { owner: context.owner, db: deps.db };
  const { databaseId } = context.input;
  const { server_plugin } = await findDatabase(scope, databaseId);
  const told = await readDatabase(quietly(context), context.input, server_plugin);
  await recordReported(deps, context.owner, databaseId, told);
  return findDatabase(scope, databaseId);
}

/** Records what a server told. Throws `not_found`, and keeps the record, if the server no longer has the database. */
export async function recordReported(
  store: Deps,
  owner: DatabaseStep['owner'],
  databaseId: string,
  told: ReportedDatabase,
): Promise<void> {
  if (told.kind === 'missing')
    throw new ProblemError('not_found', 'The server no longer has this database.', {
      recovery: 'Delete the database here to remove its record. Nothing is left to delete on the server.',
    });
  await recordDatabaseFacts(store, owner, databaseId, told.facts);
}

/** The deadline of the longest command that an earlier try can leave running: a creation with the pull of its image. */
const atMostSeconds = 30 * 60;

/**
 * Runs before a step on a database is repeated. Waits for commands that the earlier try left running on the server,
 * and notes the wait in the log. Throws `busy` if those commands do not end in time.
 */
export async function awaitLeftovers(
  context: StepContext<{ longname: string; appLongname?: string }>,
): Promise<void> {
  const { longname, appLongname } = context.input;
  for (const name of [longname, ...(appLongname === undefined ? [] : [appLongname])])
    await awaitCommandsOn(context, serviceName(name));
}

/** Waits for the commands on one thing of the server: an app, a database or a plugin. */
export async function awaitCommandsOn(
  context: Pick<StepContext<unknown>, 'run' | 'note'>,
  name: ServiceName,
): Promise<void> {
  const ran = await context.run('apps', leftovers.waitForLeftovers(name, atMostSeconds), {
    accept: 'any',
    deadlineMs: (atMostSeconds + 60) * 1_000,
    quiet: true,
    shown: `wait until no earlier dokku command changes ${name}`,
  });
  const left = leftovers.readLeftovers(ran);
  if (!left?.ran) return;
  if (!left.ended)
    throw new ProblemError(
      'busy',
      `The server still runs an earlier command: ${left.ran}. Run this again when that command has ended.`,
    );
  context.note(`Waited for an earlier command that still ran on the server: ${left.ran}.`);
}
