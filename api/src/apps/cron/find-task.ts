import { onTaskSchema } from '@homeport/contract/apps/cron/schema';
import { type AppName, appName, cron } from '@homeport/dokku';
import type { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import type { StepContext } from '../../operations/definition.ts';
import { onAppInput } from '../changes/on-app.ts';
import { programOf } from '../one-off/program-of.ts';

export const onTaskInput = onAppInput.extend(onTaskSchema.shape);
export type OnTask = z.output<typeof onTaskInput>;

type Found = { app: AppName; task: cron.ListedTask & { id: cron.TaskId }; allOff: boolean };

/** The task as the server has it now. Refuses one that is gone, or that another deploy put in its place. */
export async function findTask(context: Pick<StepContext<OnTask>, 'run' | 'input'>): Promise<Found> {
  const { longname, command } = context.input;
  const app = appName(longname);
  const id = cron.taskId(context.input.task);
  const listed = await context.run('apps', cron.list(app), { quiet: true, maxOutputBytes: cron.listBytes });
  const { tasks, allOff } = cron.readList(listed);
  const task = tasks.find((each) => each.id === id && each.command === command);
  if (!task)
    throw new ProblemError(
      'conflict',
      'The server has no such task by now: a deploy changed or removed it. Nothing was done.',
    );
  return { app, task: { ...task, id }, allOff };
}

/** The command as a title names it: by its program. The log has the whole. */
export const titleOf = (command: string): string => programOf(command.trimStart().split(/\s/, 1));
