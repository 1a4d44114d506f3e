import { z } from 'zod';
import { epochMsSchema, idSchema, storableText } from '../fields/schema.ts';
import { problemSchema } from '../problems/schema.ts';
import type { RouteTable } from '../route.ts';
import { logTail, operationStates, stepStates } from './facts.ts';
import { operationKinds } from './kinds.ts';

export const stepSchema = z.object({
  key: z.string(),
  title: z.string(),
  state: z.enum(stepStates),
  /** The progress when this step begins, if the specification gives one. */
  percent: z.number().nullable(),
  /** The account on the server that the step’s commands ran under, once known. */
  account: z.string().nullable(),
  startedAt: epochMsSchema.nullable(),
  endedAt: epochMsSchema.nullable(),
  /** One sentence for the person: what was done, skipped or failed. */
  note: z.string().nullable(),
});
export type OperationStep = z.output<typeof stepSchema>;

export const toastSchema = z.object({ tone: z.enum(['ok', 'info', 'warning', 'bad']), text: z.string() });

export const operationSchema = z
  .object({
    id: idSchema,
    kind: z.enum(operationKinds),
    title: z.string(),
    state: z.enum(operationStates),
    /**
     * The sign-in over whose connections the work runs: the one that began it, or one that took it over
     * since.
     */
    sessionId: idSchema,
    /** Why the work is `queued` or `waiting`. */
    waitingFor: z
      .object({
        reason: z.enum(['connection', 'operation']),
        text: z.string(),
        /** For `connection`: the account on the server that the page has to log in as. */
        user: z.string().optional(),
      })
      .nullable(),
    serverId: idSchema.nullable(),
    serverKey: z.string().nullable(),
    serverName: z.string().nullable(),
    appId: idSchema.nullable(),
    databaseId: idSchema.nullable(),
    longname: z.string().nullable(),
    percent: z.number().nullable(),
    steps: z.array(stepSchema),
    problem: problemSchema.nullable(),
    /** Values that the finished work gives the page, by kind, such as deployment instructions. */
    result: z.record(z.string(), z.unknown()),
    /** Toasts that came up while the work ran, in order. A page shows those that it has not shown. */
    toasts: z.array(toastSchema),
    createdAt: epochMsSchema,
    startedAt: epochMsSchema.nullable(),
    endedAt: epochMsSchema.nullable(),
  })
  .meta({ id: 'Operation' });
export type Operation = z.output<typeof operationSchema>;

export const operationLineSchema = z.object({
  seq: z.number().int(),
  at: epochMsSchema,
  step: z.string(),
  stream: z.enum(['out', 'err', 'note']),
  text: z.string(),
});
export type OperationLine = z.output<typeof operationLineSchema>;

/** One remote command as it ran. No argv holds a secret, so the text is complete. */
export const ranCommandSchema = z
  .object({
    step: z.string(),
    account: z.string(),
    command: z.string(),
    exitCode: z.number().int().nullable(),
    startedAt: epochMsSchema,
    durationMs: z.number(),
  })
  .meta({ id: 'RanCommand' });
export type RanCommand = z.output<typeof ranCommandSchema>;

/**
 * One event of an operation’s stream. The event id is the number of the last line seen, so `Last-Event-ID`
 * goes on from there.
 */
export const operationEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('state'), operation: operationSchema }),
  z.object({ type: z.literal('lines'), lines: z.array(operationLineSchema) }),
]);
export type OperationEvent = z.output<typeof operationEventSchema>;

const byId = z.object({ id: idSchema });

export const operationRoutes = {
  'GET /api/operations': {
    access: 'signed-in',
    summary: 'Recent operations, newest first',
    query: z.object({
      serverId: idSchema.optional(),
      appId: idSchema.optional(),
      databaseId: idSchema.optional(),
      active: z.stringbool().optional(),
      /** True: creations of databases that ended early and may have left something on their server. */
      remains: z.stringbool().optional(),
    }),
    reply: z.array(operationSchema),
  },
  'GET /api/operations/:id': {
    access: 'signed-in',
    summary: 'One operation',
    params: byId,
    reply: operationSchema,
  },
  'GET /api/operations/:id/events': {
    access: 'signed-in',
    summary: 'The operation’s state and log lines, as they come',
    params: byId,
    reply: operationEventSchema,
    kind: 'stream',
  },
  'GET /api/operations/:id/log': {
    access: 'signed-in',
    summary: 'The last lines that the operation’s log holds now, of one step or of all',
    params: byId,
    query: z.object({
      lines: z.coerce.number().int().min(1).max(logTail.most).default(logTail.usual),
      /** The key of a step. */
      step: storableText(100).optional(),
    }),
    reply: z.array(operationLineSchema),
  },
  'GET /api/operations/:id/commands': {
    access: 'signed-in',
    summary: 'The exact commands that the operation ran',
    params: byId,
    reply: z.array(ranCommandSchema),
  },
  'POST /api/operations/:id/cancel': {
    access: 'signed-in',
    summary: 'Cancel an operation that is not over',
    params: byId,
    reply: operationSchema,
  },
  'POST /api/operations/:id/continue': {
    access: 'signed-in',
    summary: 'Let work that waits for a connection go on over a connection of this sign-in',
    params: byId,
    reply: operationSchema,
  },
  'POST /api/operations/:id/retry': {
    access: 'signed-in',
    summary: 'Run the operation again, from its first unfinished step',
    params: byId,
    reply: operationSchema,
    status: 202,
  },
} as const satisfies RouteTable;
