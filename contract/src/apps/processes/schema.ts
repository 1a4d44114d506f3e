import { z } from 'zod';
import { boundedText } from '../../fields/bounded-text.ts';
import { epochMsSchema, idSchema } from '../../fields/schema.ts';
import { operationSchema } from '../../operations/schema.ts';
import type { RouteTable } from '../../route.ts';
import {
  isProcessCount,
  isStopTime,
  isTask,
  processCountRefused,
  stopTimeRefused,
  typesAtOnce,
} from './facts.ts';

/** A process as a Procfile names it. */
export const processTypeSchema = boundedText(63).regex(
  /^[A-Za-z0-9][A-Za-z0-9_-]*$/,
  'A process is named in letters, digits, - and _.',
);

/** How many processes of a type are wanted. */
const processCountSchema = z.number().refine(isProcessCount, processCountRefused);

/** What runs in a container: the image, and the commit that it was built from as far as that is known. */
const versionSchema = z.object({
  /** Two containers run the same version if this is equal. */
  image: z.string(),
  sha: z.string().nullable(),
  /** The first line of the commit's message. */
  title: z.string().nullable(),
});

const processContainerSchema = z.object({
  /** `web.1` */
  name: z.string(),
  /** Docker's word: `running`, `exited`… */
  state: z.string(),
  /** Null if Docker holds it to no limit. */
  memoryBytes: z.number().nullable(),
  /** Docker's word for when it starts the container again: `on-failure:10`. */
  restartPolicy: z.string(),
  createdAt: epochMsSchema,
  version: versionSchema,
});
export type ProcessContainer = z.output<typeof processContainerSchema>;

/** The types of process of an app, wanted and there. */
export const processesSchema = z
  .object({
    types: z.array(
      z.object({
        type: z.string(),
        /** Its command in the Procfile of the last deploy; null: not known, or the image's own. */
        command: z.string().nullable(),
        /** How many are wanted. */
        quantity: z.number().int(),
        /** Limits of this type alone, which count in place of the app's; null: none. */
        memoryMb: z.number().nullable(),
        cpus: z.number().nullable(),
      }),
    ),
    /** False: the formation in the repository's app.json sets the numbers. Null: not known. */
    scalable: z.boolean().nullable(),
    /** For containers that are made from now on. Null: not known. */
    restartPolicy: z.string().nullable(),
    /** How long a process may take to end before it is killed. Null: not known. */
    stopSeconds: z.number().nullable(),
    /** What built the running image: `herokuish`, `dockerfile`… Null: not known, or nothing runs. */
    builder: z.string().nullable(),
    /** Null if the server did not report them. */
    containers: z.array(processContainerSchema).nullable(),
  })
  .meta({ id: 'Processes' });
export type Processes = z.output<typeof processesSchema>;
export type ProcessTypeOf = Processes['types'][number];

const changeSchema = z.strictObject({
  type: processTypeSchema.refine(
    (type) => !isTask(type),
    'release is a task of each deploy, and no process.',
  ),
  /** The number that the page showed. If another is wanted by now, nothing is changed. */
  from: z.int().min(0).max(100_000),
  to: processCountSchema,
});

/** No type is named twice: Dokku would take the first. */
export const scaleSchema = z.strictObject({
  processes: z
    .array(changeSchema)
    .min(1, 'Change the number of a process.')
    .max(typesAtOnce, `Change at most ${typesAtOnce} types at once.`)
    .refine(
      (changes) => new Set(changes.map(({ type }) => type)).size === changes.length,
      'Name each type once.',
    ),
  /** Of a stopped app: true starts it with the new numbers; otherwise they hold from its next start on. */
  start: z.boolean().default(false),
});

/** Dokku checks the name of a policy only, and the seconds not at all: a wrong value would break the next deploy. */
export const rulesSchema = z.strictObject({
  restartPolicy: boundedText(20)
    .regex(
      /^(?:no|always|unless-stopped|on-failure(?::[1-9]\d{0,2})?)$/,
      'Enter no, always, unless-stopped, on-failure, or on-failure:10.',
    )
    .optional(),
  stopSeconds: z.number().refine(isStopTime, stopTimeRefused).optional(),
});

const byId = z.object({ id: idSchema });
const operationReply = { params: byId, reply: operationSchema, status: 202 } as const;

export const processRoutes = {
  'GET /api/apps/:id/processes': {
    access: 'signed-in',
    summary: 'The types of process: how many are wanted, what runs, and which version serves',
    params: byId,
    reply: processesSchema,
  },
  'POST /api/apps/:id/scale': {
    access: 'signed-in',
    summary:
      'Set how many processes of each type are wanted; refused if `from` is no longer wanted, or if app.json sets the numbers',
    ...operationReply,
    body: scaleSchema,
  },
  'POST /api/apps/:id/processes/rules': {
    access: 'signed-in',
    summary:
      'Set when a process that ended is started again, and how long one may take to end. A running app restarts',
    ...operationReply,
    body: rulesSchema,
  },
  'POST /api/apps/:id/processes/restart': {
    access: 'signed-in',
    summary: 'Restart the processes of one type',
    ...operationReply,
    body: z.strictObject({ type: processTypeSchema }),
  },
} as const satisfies RouteTable;
