import { messages } from '@homeport/contract/messages';
import { failureOf, schedules, service } from '@homeport/dokku';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { type DatabaseRow, findDatabase, forgetDatabase } from '../../records/database-record.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { tailOf } from '../../remote/run-command.ts';
import { unlinkApp } from './change-links.ts';
import { awaitLeftovers, type Deps, nameOf, onDatabaseInput, quietly, readAgain } from './on-database.ts';

/** `unlink`: the apps whose links the person agreed to take away. The operation has their lanes. */
const deleteInput = onDatabaseInput.extend({ unlink: z.array(z.string()) });
type DeleteInput = z.output<typeof deleteInput>;
type Context = StepContext<DeleteInput>;

const deadlineMs = 10 * 60_000;

/**
 * Deletes the database and its data on the server, then its record. A database that is already gone there counts as
 * deleted.
 */
export function deleteDatabase(deps: Deps): AnyOperationDefinition {
  return defineOperation<DeleteInput>({
    kind: 'database.delete',
    input: deleteInput,
    title: () => 'Deletion',
    steps: ({ unlink }) => [
      ...(unlink.length === 0
        ? []
        : [
            {
              key: 'unlink',
              title: 'Take the links away',
              run: (context: Context) => unlinkAll(deps, context),
            },
          ]),
      { key: 'destroy', title: 'Delete the database and its data', run: (context) => destroy(deps, context) },
      {
        key: 'record',
        title: 'Remove the record',
        run: async (context) => {
          await forgetDatabase(deps.db, context.owner, context.input.databaseId);
          await context.toast('ok', messages.databaseDeleted);
          return undefined;
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

/** Refuses to delete a linked database, with the apps that would lose their variable. */
export function refuseLinked({ links }: Pick<DatabaseRow, 'links'>): void {
  if (links.length === 0) return;
  throw stillLinked(links.map(({ appName, appLongname }) => appName ?? appLongname));
}

function stillLinked(apps: readonly string[]): ProblemError {
  const message = `The database is linked to ${apps.join(', ')}. Nothing was deleted.`;
  return new ProblemError('conflict', message, {
    fields: { unlinkAll: message },
    recovery: 'Unlink these apps first, or agree to unlink all of them with the deletion.',
  });
}

async function unlinkAll(deps: Deps, context: Context): Promise<StepOutcome | undefined> {
  const { type, unlink } = context.input;
  const ran = await quietly(context)(service.links(type, nameOf(context)), { accept: 'any' });
  if (failureOf(ran)?.code === 'service_missing') return { state: 'skipped' };
  const linked = ran.exitCode === 0 ? service.readLinks(ran) : unlink;
  const others = linked.filter((app) => !unlink.includes(app));
  if (others.length > 0) {
    await readAgain(deps, context);
    throw stillLinked(others);
  }
  // Not those alone that are listed: the plugin takes a link off its list first, so an earlier try that was cut off in
  // between left the variable, with the password in it.
  for (const app of unlink) await unlinkApp(context, app);
  return { note: 'The apps keep the old variable in the containers that run now, until they restart.' };
}

async function destroy(deps: Deps, context: Context): Promise<StepOutcome | undefined> {
  const { type, databaseId } = context.input;
  const name = nameOf(context);
  const { ports } = await findDatabase({ owner: context.owner, db: deps.db }, databaseId);
  // The container that leads the ports to the database would stay.
  if (ports.length > 0)
    await context.run('apps', service.unexpose(type, name), { accept: 'any', deadlineMs });
  const ran = await context.run('apps', service.destroy(type, name), { accept: 'any', deadlineMs });
  const failure = ran.exitCode === 0 ? null : failureOf(ran);
  // The schedule and its secrets go with the database. A server without Homeport’s plugin has none.
  if (ran.exitCode === 0 || failure?.code === 'service_missing')
    await context.run('apps', schedules.remove(type, name), { accept: 'any', quiet: true });
  if (ran.exitCode === 0) return undefined;
  if (failure?.code === 'service_missing') return { note: 'The server no longer had this database.' };
  if (failure?.code === 'service_linked') {
    const { links } = await readAgain(deps, context);
    throw stillLinked(links.map(({ appLongname }) => appLongname));
  }
  throw new ProblemError(
    'remote_failed',
    `Dokku did not delete the database. ${failure ? failureSentence(failure) : ''}`.trim(),
    { remote: { ...ran.record, outputTail: tailOf(ran) } },
  );
}
