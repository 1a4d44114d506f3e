import { cron } from '@homeport/dokku';
import { CommandError } from '@homeport/ssh';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { tailOf } from '../../remote/run-command.ts';
import { findTask, type OnTask, onTaskInput, titleOf } from './find-task.ts';

/** A task that takes longer is followed no further, and its session is ended. */
const deadlineMs = 60 * 60_000;

/** Runs a task now and follows it to its end. The log has what the task prints. */
export function runTask(): AnyOperationDefinition {
  return defineOperation<OnTask>({
    kind: 'app.cron-run',
    input: onTaskInput,
    title: ({ command }) => `Run ${titleOf(command)}`,
    steps: ({ command }) => [{ key: 'run', title: `Run ${titleOf(command)}`, run }],
  });
}

/**
 * Other steps can be repeated; a task may send mails or charge cards. So a run whose end is not known is not begun again until a
 * person asks for it.
 */
async function run(context: StepContext<OnTask>): Promise<StepOutcome> {
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
  const ran = await context
    .run('apps', cron.run(app, task.id), { accept: 'any', deadlineMs })
    .catch(async (error: unknown) => {
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

/** Not begun. After any other of these errors, the deadline's too, the task's container may have gone on. */
const isKnownEnd = ({ failure }: CommandError) =>
  ['connection_required', 'too_many_waiting', 'channel_refused'].includes(failure.code);

const failureSentences = {
  running: 'The task runs already, and its concurrency policy forbids a second one. Nothing was started.',
  missing: 'The server has no such task by now: a deploy changed or removed it. Nothing was started.',
  failed: 'The task failed. Dokku reports no exit code of a task but 1.',
} as const;
