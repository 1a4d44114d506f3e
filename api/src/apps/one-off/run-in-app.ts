import { commandSeconds, commandsInBackground } from '@homeport/contract/apps/one-off/facts';
import { commandWordsSchema } from '@homeport/contract/apps/one-off/schema';
import { type AppName, appName, ps, run } from '@homeport/dokku';
import { CommandError } from '@homeport/ssh';
import type { Store } from '@homeport/store';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { findApp } from '../../records/app-record.ts';
import { findServer } from '../../records/server-record.ts';
import { onAppInput } from '../changes/on-app.ts';
import { requireAllowed } from './allowed.ts';
import { programOf } from './program-of.ts';
import { beginRunEvent, endRunEvent, type RunEvent } from './run-event.ts';

type Deps = Pick<Store, 'db'>;

const runInput = onAppInput.extend({ words: commandWordsSchema, background: z.boolean() });
type RunInput = z.output<typeof runInput>;
type Context = StepContext<RunInput>;

/**
 * Runs a command in a new container of the app. Nobody knows what a command does, so nothing repeats it by itself: a lost connection
 * ends the operation. *Run again* is a person's own wish, and is refused while an earlier try still runs.
 */
export function runCommandInApp({ db }: Deps): AnyOperationDefinition {
  return defineOperation<RunInput>({
    kind: 'app.run',
    input: runInput,
    title: ({ words, background }) => `Run ${programOf(words)}${background ? ' in the background' : ''}`,
    steps: ({ words, background }) => [
      {
        key: 'run',
        title: `Run ${programOf(words)}`,
        run: (context) => (background ? beginInBackground(db, context) : attend(db, context)),
      },
    ],
    beforeRepeat: refuseWhileItRuns,
  });
}

async function attend(db: Deps['db'], context: Context): Promise<undefined> {
  const { app, words, where } = await prepare(db, context);
  const gate = gateOf(db, context, where);
  const startedAt = Date.now();
  let end = 'its end is not known';
  try {
    const { exitCode } = await context
      .run('apps', run.attended(app, words, commandSeconds.attended), {
        accept: 'any',
        deadlineMs: (commandSeconds.attended + 60) * 1_000,
        before: gate.pass,
      })
      .catch(refuseRepeating);
    end = `exit code ${exitCode}`;
    await context.result({ exitCode });
    if (exitCode !== 0) throw new ProblemError('remote_failed', exitText(exitCode));
    context.note('The command ended with exit code 0.');
    return undefined;
  } finally {
    await gate.leave(`${Math.round((Date.now() - startedAt) / 1_000)} s, ${end}`);
  }
}

async function beginInBackground(db: Deps['db'], context: Context): Promise<StepOutcome> {
  const { app, words, where } = await prepare(db, context);
  const listed = run.readList(await context.run('apps', run.list(app), { quiet: true }), app);
  if (listed.length >= commandsInBackground)
    throw new ProblemError(
      'limit_reached',
      `The app has ${listed.length} containers of commands already. Stop one of them first.`,
    );
  const gate = gateOf(db, context, where);
  let end = 'in the background, its beginning is not known';
  try {
    const ran = await context
      .run('apps', run.inBackground(app, words, commandSeconds.background), { before: gate.pass })
      .catch(refuseRepeating);
    const container = run.readStarted(ran, app);
    if (container === null)
      throw new ProblemError('remote_failed', 'The server did not say which container runs the command.');
    end = 'in the background';
    return { note: `${container} runs in the background. It ends after a day at the latest.` };
  } finally {
    await gate.leave(end);
  }
}

/** Refuses what cannot run. The command may wait long after this, so `gateOf` asks for the right again. */
async function prepare(db: Deps['db'], context: Context) {
  const { longname, words } = context.input;
  const app: AppName = appName(longname);
  const deployed = await context.run('apps', ps.reportFlag(app, 'deployed'), { quiet: true });
  if (!ps.readFlag(deployed))
    throw new ProblemError('conflict', 'The app has no image that a command could run in. Deploy it first.');
  return { app, words: run.commandWords(words), where: await whereAllowed(db, context) };
}

/** The app and the server, for people. Throws where commands are not allowed now. */
async function whereAllowed(db: Deps['db'], { owner, input }: Context): Promise<string> {
  const scope = { owner, db };
  const record = await findApp(scope, input.appId);
  const server = await findServer(scope, record.server_id);
  requireAllowed(server);
  return `${record.name} on ${server.name}`;
}

/**
 * What a command passes once it has its connection and its channel, right before the server gets it: its event is noted, and then
 * the right is asked for, as the last thing of all. Nothing is noted of a command that never came so far.
 */
function gateOf(db: Deps['db'], context: Context, where: string) {
  const { owner, operationId } = context;
  let event: RunEvent | null = null;
  let begun = false;
  return {
    async pass(): Promise<void> {
      begun = false;
      event ??= await beginRunEvent(db, { owner, operationId, kind: 'command_run', where });
      await whereAllowed(db, context);
      begun = true;
    },
    async leave(end: string): Promise<void> {
      if (event) await endRunEvent(db, event, begun ? end : 'not begun');
    },
  };
}

/** A console that was killed, or a lost connection, leaves the command running. */
async function refuseWhileItRuns(context: Context): Promise<void> {
  const { longname, words } = context.input;
  const app = appName(longname);
  const listed = run.readList(await context.run('apps', run.list(app), { quiet: true }), app);
  const runs = listed.find(({ command }) => run.isOf(command, words));
  if (runs)
    throw new ProblemError(
      'busy',
      `An earlier try still runs in ${runs.container}. Wait for its end, or stop it on the app’s page. Then run this again.`,
    );
}

/** The engine repeats a step whose connection was lost. A command may be done already. */
function refuseRepeating(error: unknown): never {
  if (error instanceof CommandError && error.failure.code === 'connection_lost')
    throw new ProblemError(
      'connection_lost',
      'The connection was lost while the command ran. It is not repeated, and it may go on: look at what runs on the app’s page.',
      {},
      { cause: error },
    );
  throw error;
}

function exitText(exitCode: number): string {
  const hint =
    exitCode === 137
      ? ': it was killed, by a stop or for want of memory'
      : exitCode === 143
        ? ': it was asked to end'
        : exitCode === 126 || exitCode === 127
          ? ': the image has no such program, or cannot run it'
          : '';
  return `The command ended with exit code ${exitCode}${hint}.`;
}
