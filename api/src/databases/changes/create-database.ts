import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { messages } from '@homeport/contract/messages';
import { creationTitle } from '@homeport/contract/operations/creation-title';
import { failureOf, service } from '@homeport/dokku';
import { countOwned, type OwnerWrite, type Store } from '@homeport/store';
import { z } from 'zod';
import { limitReached } from '../../http/ceiling.ts';
import { ProblemError } from '../../http/problem.ts';
import { notifyChange } from '../../live/notify-change.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { findDatabase } from '../../records/database-record.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { tailOf } from '../../remote/run-command.ts';
import { type CreationInput, creationInput } from './creation-input.ts';
import { installServicePlugin } from './install-plugin.ts';
import { awaitLeftovers, nameOf, readAgain } from './on-database.ts';
import { recordRemains, remainsOf, removeRemains } from './remains.ts';

type CreateDeps = { store: Pick<Store, 'db' | 'pool' | 'transact'>; most: number };

type Context = StepContext<CreationInput>;

/** With the pull of an image over a slow line. */
const createDeadlineMs = 20 * 60_000;

/** `most`: how many databases one person may have. */
export function createDatabase(deps: CreateDeps): AnyOperationDefinition {
  return defineOperation<CreationInput>({
    kind: 'database.create',
    input: creationInput,
    title: ({ name }) => creationTitle(name),
    steps: ({ type }) => [
      {
        key: 'plugin',
        title: `Look for Dokku’s plugin for ${databaseTypeOf(type).title}`,
        run: installServicePlugin,
      },
      { key: 'create', title: 'Create the database', run: create },
      { key: 'record', title: 'Save the record', run: (context) => record(deps, context) },
      { key: 'read', title: 'Read the database’s state', run: (context) => read(deps, context) },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

async function create(context: Context): Promise<StepOutcome | undefined> {
  const { type, imageVersion, memoryMb } = context.input;
  const tried = context.facts.createTried === true;
  if (tried) await removeRemains(context, remainsOf(context.facts));
  // Remembered before the command runs: a database that exists later is ours only if this operation may have made it.
  else await context.remember({ createTried: true });
  await context.remember({ remainsId: null });
  await context.result({ remains: true });
  const ran = await context.run(
    'apps',
    service.create(type, nameOf(context), {
      ...(imageVersion === null ? {} : { imageVersion }),
      ...(memoryMb === null ? {} : { memoryMb }),
    }),
    { accept: 'any', deadlineMs: createDeadlineMs },
  );
  if (ran.exitCode === 0) return undefined;
  const failure = failureOf(ran);
  if (failure?.code === 'service_exists') {
    if (!tried) await context.remember({ createTried: false });
    await context.result({ remains: false });
    throw new ProblemError(
      'conflict',
      `The server already has a database called ${context.input.longname}, which this creation did not make. Create your database again; it gets another name.`,
    );
  }
  await recordRemains(context);
  throw new ProblemError(
    'remote_failed',
    `Dokku did not create the database. ${failure ? failureSentence(failure) : ''}`.trim(),
    {
      remote: { ...ran.record, outputTail: tailOf(ran) },
      recovery: 'What was left of it on the server is removed when you run this again, or here.',
      ...(failure?.code === 'image_pull_failed' && imageVersion !== null
        ? { fields: { imageVersion: failureSentence(failure) } }
        : {}),
    },
  );
}

async function record(deps: CreateDeps, context: Context): Promise<undefined> {
  const { input, owner } = context;
  const row = await deps.store.transact(owner, async (scope) => {
    await refuseWithoutRoom(scope, input, deps.most);
    return (
      scope.db
        .insertInto('databases')
        .values({
          owner_id: owner,
          server_id: input.serverId,
          name: input.name,
          longname: input.longname,
          type: input.type,
          memory_bytes: input.memoryMb === null ? null : input.memoryMb * 1_048_576,
          created_at: Date.now(),
        })
        // If an earlier run saved the database, this update returns its id.
        .onConflict((conflict) =>
          conflict.columns(['server_id', 'type', 'longname']).doUpdateSet({ name: input.name }),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
    );
  });
  await context.attach({ databaseId: row.id, longname: input.longname });
  await context.result({ remains: false });
  await context.remember({ databaseId: row.id });
  await notifyChange(deps.store.db, owner, 'databases', row.id);
  await context.toast('ok', messages.databaseCreated);
  return undefined;
}

/** Room was reserved when the creation was requested. A creation that ended and runs again may find that room taken. */
async function refuseWithoutRoom(scope: OwnerWrite, input: CreationInput, most: number): Promise<void> {
  // The count includes this creation.
  const held = await countOwned(scope, 'databases');
  if (held <= most) return;
  const saved = await scope.db
    .selectFrom('databases')
    .select('id')
    .where('owner_id', '=', scope.owner)
    .where('server_id', '=', input.serverId)
    .where('type', '=', input.type)
    .where('longname', '=', input.longname)
    .executeTakeFirst();
  if (saved) return;
  throw limitReached(
    'databases',
    most,
    'The server has the new database, but this console has no record of it. Remove another database, then run this again.',
  );
}

async function read(deps: CreateDeps, context: Context): Promise<undefined> {
  const databaseId = z.uuid().parse(context.facts.databaseId);
  const { type, longname } = context.input;
  await readAgain(deps.store, { ...context, input: { databaseId, type, longname } });
  const row = await findDatabase({ owner: context.owner, db: deps.store.db }, databaseId);
  await context.result({ databaseId, serverKey: row.server_key, longname });
  return undefined;
}
