import { z } from 'zod';
import { boundedText } from '../../fields/bounded-text.ts';
import { idSchema, storableText } from '../../fields/schema.ts';
import { operationSchema } from '../../operations/schema.ts';
import type { RouteTable } from '../../route.ts';
import { cronCommandCharacters, cronIdCharacters, cronTasksShown } from './facts.ts';

/** As Dokku names a task: the base 36 of app, command and schedule. Whoever changes one of them makes another task. */
export const cronTaskIdSchema = boundedText(cronIdCharacters).regex(
  /^[0-9a-z]+$/,
  'A task is named in letters and digits.',
);

const cronTaskSchema = z.object({
  /** Null for a task whose name is too long: nothing is done with it from here. */
  id: z.string().nullable(),
  command: z.string(),
  /** As app.json has it: `0 3 * * *`, `@daily`. */
  schedule: z.string(),
  /** What a second start does while the first runs: `allow`, `forbid`, `replace`. Null: not known. */
  concurrency: z.string().nullable(),
  suspended: z.boolean(),
});
export type CronTask = z.output<typeof cronTaskSchema>;

/** The tasks of app.json that the server starts by its clock. */
export const cronTasksSchema = z
  .object({
    tasks: z.array(cronTaskSchema),
    /** How many tasks there are beyond those. */
    more: z.number().int(),
    /** All tasks are off, whatever each says of itself: somebody set the app or the server to maintenance. */
    allOff: z.boolean(),
    /** The server's time zone: an IANA name, or an offset such as `+02:00`. Null: not known. */
    timeZone: z.string().nullable(),
  })
  .meta({ id: 'CronTasks', description: `At most ${cronTasksShown} tasks.` });
export type CronTasks = z.output<typeof cronTasksSchema>;

const byId = z.object({ id: idSchema });

/** The command as the page showed it: the work names it, and is refused if the task is another by now. */
export const onTaskSchema = z.strictObject({
  task: cronTaskIdSchema,
  command: storableText(cronCommandCharacters),
});
const onTask = { params: byId, reply: operationSchema, status: 202, body: onTaskSchema } as const;

export const cronRoutes = {
  'GET /api/apps/:id/cron': {
    access: 'signed-in',
    summary: 'The scheduled tasks of the app’s app.json, and the server’s time zone',
    params: byId,
    reply: cronTasksSchema,
  },
  'POST /api/apps/:id/cron/suspend': {
    access: 'signed-in',
    summary: 'Suspend a scheduled task, until it is resumed or a deploy changes its command or schedule',
    ...onTask,
  },
  'POST /api/apps/:id/cron/resume': {
    access: 'signed-in',
    summary: 'Let a suspended task run again by its schedule',
    ...onTask,
  },
  'POST /api/apps/:id/cron/run': {
    access: 'signed-in',
    summary: 'Run a scheduled task now, also a suspended one. The log has its output',
    ...onTask,
  },
} as const satisfies RouteTable;
