import { dumps, failureOf, service } from '@homeport/dokku';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import { notifyChange } from '../../live/notify-change.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { findDump, refusedDump } from '../dumps/list-dumps.ts';
import { dumpDeadlineMs, makeDump } from './dump-database.ts';
import { awaitLeftovers, type Deps, nameOf, onDatabaseInput, quietly, readAgain } from './on-database.ts';

/** `bytes` and `madeAt` say which dump the person chose, should it be gone. */
const restoreInput = onDatabaseInput.extend({ dumpId: z.uuid(), bytes: z.number(), madeAt: z.number() });
type RestoreInput = z.output<typeof restoreInput>;
type Context = StepContext<RestoreInput>;

const startDeadlineMs = 10 * 60_000;

/**
 * Keeps a dump of the present state, then replaces the data by those of the chosen dump. Both commands carry the operation's id:
 * a repeated step makes no second dump, and does not replace the data again after a restore that ended well.
 */
export function restoreDatabase(deps: Deps): AnyOperationDefinition {
  return defineOperation<RestoreInput>({
    kind: 'database.restore',
    input: restoreInput,
    title: () => 'Restore',
    steps: () => [
      { key: 'check', title: 'Look for the dump', run: (context) => check(deps, context) },
      { key: 'keep', title: 'Keep a dump of the present state', run: keep },
      { key: 'restore', title: 'Replace the data by the dump’s', run: restore },
      { key: 'read', title: 'Read the database’s state', run: (context) => read(deps, context) },
    ],
    beforeRepeat: awaitLeftovers,
    onFailure: async (context) => {
      await notifyChange(deps.db, context.owner, 'databases', context.input.databaseId);
      await readAgain(deps, context);
    },
  });
}

/** A database that does not run can neither give nor take data. */
async function check(deps: Deps, context: Context): Promise<StepOutcome | undefined> {
  const { type, dumpId } = context.input;
  await findDump(quietly(context), context.input, dumpId);
  const { state } = await readAgain(deps, context);
  if (state === 'running' || state === 'unknown') return undefined;
  await context.run('apps', service.start(type, nameOf(context)), { deadlineMs: startDeadlineMs });
  return {
    note:
      state === 'missing'
        ? 'The database had no container. It was started with what its disk holds.'
        : 'The database did not run, and was started.',
  };
}

async function keep(context: Context): Promise<StepOutcome | undefined> {
  try {
    if (await makeDump(context, 'before_restore')) return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code === 'connection_lost') throw error;
    throw new ProblemError(
      error.code,
      `The present state could not be kept, so nothing was replaced. ${error.message}`,
      {
        ...error.details,
        recovery:
          error.details.recovery ??
          'If this database cannot be dumped any more, create another, upload the dump there and restore it.',
      },
      { cause: error },
    );
  }
  return { state: 'warned', note: 'The database held nothing, so there was nothing to keep.' };
}

async function restore(context: Context): Promise<StepOutcome | undefined> {
  const { type, dumpId } = context.input;
  const run = dumps.dumpId(context.operationId);
  const ran = await context.run('apps', dumps.restore(type, nameOf(context), dumps.dumpId(dumpId), run), {
    accept: 'any',
    quiet: 'answer',
    deadlineMs: dumpDeadlineMs,
  });
  if (ran.exitCode === 0) return undefined;
  const problem = refusedDump(ran);
  if (failureOf(ran)?.code !== 'import_failed') throw problem;
  throw new ProblemError('remote_failed', problem.message, {
    ...problem.details,
    recovery: 'The state before it is kept as a dump. Run this again, or restore that one.',
  });
}

async function read(deps: Deps, context: Context): Promise<StepOutcome | undefined> {
  const { state } = await readAgain(deps, context);
  await notifyChange(deps.db, context.owner, 'databases', context.input.databaseId);
  if (state !== 'running' && state !== 'unknown')
    return {
      state: 'warned',
      note: `The data were replaced, and the server says that the database is ${state}. Its log may say why.`,
    };
  await context.toast('ok', 'Database restored');
  return undefined;
}
