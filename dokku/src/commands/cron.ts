import {
  cronCommandCharacters,
  cronScheduleCharacters,
  cronTasksShown,
} from '@homeport/contract/apps/cron/facts';
import { cronTaskIdSchema } from '@homeport/contract/apps/cron/schema';
import { z } from 'zod';
import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { linesOf, oneLine, readJson } from '../output.ts';

const taskIdSchema = cronTaskIdSchema.brand<'CronTaskId'>();
export type TaskId = z.output<typeof taskIdSchema>;

/** @throws ZodError */
export function taskId(text: string): TaskId {
  return taskIdSchema.parse(text);
}

/** The tasks of the app.json of the last deploy. Since Dokku 0.31. */
export function list(app: AppName): Command {
  return dokku('cron:list', app, '--format', 'json');
}

/** Since Dokku 0.37. Writes the crontab at once. A deploy that changes the task’s command or schedule undoes it. */
export function suspend(app: AppName, task: TaskId): Command {
  return dokku('cron:suspend', app, task);
}

/** Since Dokku 0.37. Ends with 0 for a task that app.json itself keeps suspended, and leaves it so: ask `list` afterwards. */
export function resume(app: AppName, task: TaskId): Command {
  return dokku('cron:resume', app, task);
}

/**
 * Runs the task in a container of its own until it ends, also a suspended one. Prints what the task prints. Ends with 0 or, however the
 * task failed, with 1. Not repeatable: each call is a run.
 */
export function run(app: AppName, task: TaskId): Command {
  return dokku('cron:run', app, task);
}

export type ListedTask = {
  /** Null where it is no id, or too long a one. */
  readonly id: TaskId | null;
  readonly command: string;
  readonly schedule: string;
  readonly concurrency: string | null;
  readonly suspended: boolean;
};

export type TaskList = {
  readonly tasks: readonly ListedTask[];
  /** How many tasks were left out, because there are too many. */
  readonly more: number;
  /** The app, or the whole server, is set to maintenance: no task runs. */
  readonly allOff: boolean;
};

/** A server may have at most so much to say of an app’s tasks. */
export const listBytes = 1024 * 1024;

/** @throws UnreadableOutputError */
export function readList(outcome: Outcome): TaskList {
  const rows = readJson('cron:list', outcome.stdout, rowsSchema) ?? [];
  return {
    tasks: rows.slice(0, cronTasksShown).map((row) => ({
      id: taskIdSchema.safeParse(row.id).data ?? null,
      command: oneLine(row.command, cronCommandCharacters),
      schedule: oneLine(row.schedule, cronScheduleCharacters),
      concurrency: row.concurrency_policy?.slice(0, 20) || null,
      suspended: row['task-in-maintenance'] ?? row.maintenance ?? false,
    })),
    more: Math.max(0, rows.length - cronTasksShown),
    allOff: rows.some((row) => row['app-in-maintenance'] === true),
  };
}

/** Before Dokku 0.37 a row has fewer keys. */
const rowsSchema = z
  .array(
    z.object({
      id: z.string(),
      command: z.string(),
      schedule: z.string(),
      concurrency_policy: z.string().optional(),
      maintenance: z.boolean().optional(),
      'app-in-maintenance': z.boolean().optional(),
      'task-in-maintenance': z.boolean().optional(),
    }),
  )
  .nullable();

/**
 * Why Dokku did not start a task. The output is the task’s own wherever it did, so only Dokku’s one line counts.
 * `running`: the task runs already, and its policy forbids a second one. `missing`: the app has no task of this id.
 */
export function refusalOf({ exitCode, stdout, stderr }: Outcome): 'running' | 'missing' | null {
  const lines = linesOf(`${stdout}\n${stderr}`).filter((line) => line !== '');
  const [line = ''] = lines;
  if (exitCode === 0 || lines.length > 2) return null;
  if (line.includes(' currently has a cron lock in place for ')) return 'running';
  return line.includes('No matching Cron ID found') ? 'missing' : null;
}
