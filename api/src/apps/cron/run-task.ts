import { cron } from '@homeport/dokku';
import { CommandError } from '@homeport/ssh';
import type { Store } from '@homeport/store';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { findApp } from '../../records/app-record.ts';
import { findServer } from '../../records/server-record.ts';
import { type Ran, tailOf } from '../../remote/run-command.ts';
import { beginRunEvent, endRunEvent, type RunEvent } from '../one-off/run-event.ts';
import { findTask, type OnTask, onTaskInput, titleOf } from './find-task.ts';

type Deps = Pick<Store, 'db'>;

/** A task that takes longer is followed no further, and its session is ended. */
const deadlineMs = 60 * 60_000;

/** Runs a task now and follows it to its end. The log has what the task prints, and a security event says who ran one. */
export function runTask({ db }: Deps): AnyOperationDefinition {
  return defineOperation<OnTask>({
    kind: 'app.cron-run',
    input: onTaskInput,
    title: ({ command }) => `Run ${titleOf(command)}`,
    steps: ({ command }) => [
      { key: 'run', title: `Run ${titleOf(command)}`, run: (context) => run(db, context) },
    ],
  });
}

/**
 * Other steps can be repeated; a task may send mails or charge cards. So a run whose end is not known is not begun again until a
 * person asks for it.
 */
async function run(db: Deps['db'], context: StepContext<OnTask>): Promise<StepOutcome> {
  const { facts, remember } = context;
  if (facts.begun === true) {
    await remember({ begun: false });
    throw new ProblemError(
      'conflict',
      'The end of the earlier run is not known. Look at what it did. Run again starts the task once more.',
    );
  }
  const { app, task } = await findTask(context);
  await remember({ begun: true });
  const ran = await runNoted(db, context, (before) =>
    context.run('apps', cron.run(app, task.id), { accept: 'any', deadlineMs, before }),
  ).catch(async (error: unknown) => {
    if (error instanceof CommandError && isKnownEnd(error)) await remember({ begun: false });
    throw error;
  });
  await remember({ begun: false });
  const seconds = Math.round(ran.record.durationMs / 1_000);
  if (ran.exitCode === 0) {
    await context.result({ seconds });
    await context.toast('ok', 'Task ended well');
    return { note: `Ended well after ${seconds} s.` };
  }
  throw new ProblemError('remote_failed', failureSentences[cron.refusalOf(ran) ?? 'failed'], {
    remote: {
      command: ran.record.command,
      account: ran.record.account,
      exitCode: ran.exitCode,
      outputTail: tailOf(ran),
    },
  });
}

/** Runs with an event that is noted right before the server gets the task, and gets its end afterwards. */
async function runNoted(
  db: Deps['db'],
  { owner, operationId, input }: StepContext<OnTask>,
  run: (before: () => Promise<void>) => Promise<Ran>,
): Promise<Ran> {
  let event: RunEvent | null = null;
  let end = 'its end is not known';
  try {
    const ran = await run(async () => {
      const app = await findApp({ owner, db }, input.appId);
      const server = await findServer({ owner, db }, app.server_id);
      const where = `${app.name} on ${server.name}`;
      event = await beginRunEvent(db, { owner, operationId, kind: 'task_run', where });
    });
    const seconds = Math.round(ran.record.durationMs / 1_000);
    end = `${seconds} s, ${ran.exitCode === 0 ? 'ended well' : 'failed'}`;
    return ran;
  } finally {
    if (event) await endRunEvent(db, event, end);
  }
}

/** Not begun. After any other of these errors, the deadline's too, the task's container may have gone on. */
const isKnownEnd = ({ failure }: CommandError) =>
  ['connection_required', 'too_many_waiting', 'channel_refused'].includes(failure.code);

const failureSentences = {
  running: 'The task runs already, and its concurrency policy forbids a second one. Nothing was started.',
  missing: 'The server has no such task by now: a deploy changed or removed it. Nothing was started.',
  failed: 'The task failed. Dokku reports no exit code of a task but 1.',
} as const;
