import { cron } from '@homeport/dokku';
import { ProblemError } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { awaitLeftovers } from '../changes/await-leftovers.ts';
import { findTask, type OnTask, onTaskInput, titleOf } from './find-task.ts';

/** Keeps the server from starting a task by its schedule. Dokku writes its crontab at once. */
export function suspendTask(): AnyOperationDefinition {
  return defineOperation<OnTask>({
    kind: 'app.cron-suspend',
    input: onTaskInput,
    title: ({ command }) => `Suspend ${titleOf(command)}`,
    steps: () => [
      { key: 'suspend', title: 'Suspend the task', run: suspend },
      {
        key: 'check',
        title: 'Read the task again',
        run: async (context) => {
          const { task } = await findTask(context);
          if (!task.suspended) throw new ProblemError('remote_failed', 'The server still has the task on.');
          await context.toast('ok', 'Task suspended');
          return { note: 'A deploy that changes its command or its schedule lets it run again.' };
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

async function suspend(context: StepContext<OnTask>): Promise<StepOutcome | undefined> {
  const { app, task } = await findTask(context);
  if (task.suspended) return { state: 'skipped', note: 'The task is suspended already.' };
  await context.run('apps', cron.suspend(app, task.id));
  return undefined;
}

/** Lets a suspended task run by its schedule again, unless app.json itself keeps it suspended. */
export function resumeTask(): AnyOperationDefinition {
  return defineOperation<OnTask>({
    kind: 'app.cron-resume',
    input: onTaskInput,
    title: ({ command }) => `Resume ${titleOf(command)}`,
    steps: () => [
      { key: 'resume', title: 'Resume the task', run: resume },
      {
        key: 'check',
        title: 'Read the task again',
        run: async (context) => {
          const { task, allOff } = await findTask(context);
          if (task.suspended)
            throw new ProblemError(
              'conflict',
              'app.json itself keeps the task suspended, by "maintenance": true. Change it there, and deploy.',
            );
          await context.toast('ok', 'Task resumed');
          if (!allOff) return undefined;
          return {
            state: 'warned',
            note: 'It does not run yet: all tasks of the app are off (cron:set maintenance).',
          };
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

async function resume(context: StepContext<OnTask>): Promise<StepOutcome | undefined> {
  const { app, task } = await findTask(context);
  if (!task.suspended) return { state: 'skipped', note: 'The task is not suspended.' };
  await context.run('apps', cron.resume(app, task.id));
  return undefined;
}
