import { z } from 'zod';
import { boundedText } from '../../fields/bounded-text.ts';
import { epochMsSchema, idSchema, storableText } from '../../fields/schema.ts';
import { operationSchema } from '../../operations/schema.ts';
import type { RouteTable } from '../../route.ts';
import { commandWords, refusalOfWords } from './facts.ts';

/** The words of a command: each reaches the program as it is, and no shell reads them. */
export const commandWordsSchema = z
  .array(storableText(commandWords.characters))
  .max(commandWords.most, `Use at most ${commandWords.most} words.`)
  .superRefine((words, context) => {
    const refusal = refusalOfWords(words);
    if (refusal !== null) context.addIssue({ code: 'custom', message: refusal });
  });

/** A container of a one-off command, as Dokku names it: the app, `run` and a number. */
export const runContainerSchema = boundedText(200).regex(
  /^[a-z0-9][a-z0-9._-]*\.run\.\d{1,9}$/,
  'Name the container of a one-off command.',
);

const runningCommandsSchema = z
  .object({
    commands: z.array(
      z.object({
        container: z.string(),
        /** Docker's word: `running`, `exited`… */
        state: z.string(),
        /** As Docker prints it, cut where it is long. */
        command: z.string(),
        createdAt: epochMsSchema.nullable(),
      }),
    ),
  })
  .meta({ id: 'RunningCommands' });
export type RunningCommands = z.output<typeof runningCommandsSchema>;

const byId = z.object({ id: idSchema });
const operationReply = { params: byId, reply: operationSchema, status: 202 } as const;

export const oneOffRoutes = {
  'GET /api/apps/:id/commands': {
    access: 'signed-in',
    summary: 'The containers of one-off commands that the server has of the app',
    params: byId,
    reply: runningCommandsSchema,
  },
  'GET /api/apps/:id/commands/output': {
    access: 'signed-in',
    summary: 'The last lines that a one-off command printed; they go with its container',
    params: byId,
    /** Without a name: of the newest one. */
    query: z.object({ container: runContainerSchema.optional() }),
    reply: z.object({ lines: z.array(z.string()) }),
  },
  'POST /api/apps/:id/commands': {
    access: 'signed-in',
    summary:
      'Run a command in a new container of the app, if the server’s owner allowed commands there; no shell reads the words',
    ...operationReply,
    body: z.strictObject({
      words: commandWordsSchema,
      /** True: the command goes on without a connection. Nobody keeps its exit code. */
      background: z.boolean().default(false),
    }),
  },
  'POST /api/apps/:id/commands/stop': {
    access: 'signed-in',
    summary: 'Stop a one-off command, which the server lists for this app',
    ...operationReply,
    body: z.strictObject({ container: runContainerSchema }),
  },
} as const satisfies RouteTable;
