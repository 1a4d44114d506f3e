import { z } from 'zod';
import { problemSchema } from '../problems/schema.ts';
import type { RouteTable } from '../route.ts';
import { changeTopics, eventIdCharacters, liveSubprotocol } from './facts.ts';

/** Which of the user’s records changed; the page reads the record again. */
export const changeSchema = z
  .object({
    topic: z.enum(changeTopics),
    id: z.string().nullable(),
  })
  .meta({ id: 'Change' });
export type Change = z.output<typeof changeSchema>;

const subscriptionSchema = z.number().int().min(1).max(2_147_483_647);
const partSchema = z.record(z.string().max(64), z.string().max(1_000)).default({});

/** What a page says. It chooses the ids of its subscriptions, and uses each for one. */
export const livePageMessageSchema = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('subscribe'),
      id: subscriptionSchema,
      /** A stream of the route table, such as `GET /api/events`. */
      route: z.string().max(100),
      /** As they would stand in the address: texts. */
      params: partSchema,
      query: partSchema,
      /** The id of the last event that this page has seen of the stream. */
      after: z.string().max(eventIdCharacters).nullable(),
    }),
    z.strictObject({ type: z.literal('unsubscribe'), id: subscriptionSchema }),
  ])
  .meta({ id: 'LivePageMessage' });
export type LivePageMessage = z.output<typeof livePageMessageSchema>;

/** What the console says. After `end`, `failed` and `dropped` nothing more comes of a subscription. */
export const liveConsoleMessageSchema = z
  .discriminatedUnion('type', [
    /** The stream goes on; its events follow. */
    z.object({ type: z.literal('opened'), id: subscriptionSchema }),
    z.object({
      type: z.literal('event'),
      id: subscriptionSchema,
      /** Null: a reader who comes back names the event before. */
      eventId: z.string().nullable(),
      data: z.unknown(),
    }),
    z.object({ type: z.literal('end'), id: subscriptionSchema }),
    z.object({ type: z.literal('failed'), id: subscriptionSchema, problem: problemSchema }),
    /** The page read too slowly. Subscribe again after `resumeFrom`; nothing is lost. */
    z.object({ type: z.literal('dropped'), id: subscriptionSchema, resumeFrom: z.string().nullable() }),
    /** There are too many sockets already. The console closes this one. */
    z.object({ type: z.literal('refused'), problem: problemSchema }),
    /** The socket lives. A script does not see the pings of the WebSocket protocol. */
    z.object({ type: z.literal('beat') }),
  ])
  .meta({ id: 'LiveConsoleMessage' });
export type LiveConsoleMessage = z.output<typeof liveConsoleMessageSchema>;

export const liveRoutes = {
  'GET /api/events': {
    access: 'signed-in',
    summary: 'What changes of the user’s things, as it happens',
    query: z.object({
      /**
       * How many milliseconds ago the reader began to read its records. The stream begins with what may have changed since. Without
       * it, it begins with the next change.
       */
      readMsAgo: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
    }),
    reply: changeSchema,
    kind: 'stream',
  },
  'GET /api/live': {
    access: 'signed-in',
    summary: 'Every stream of the console over one socket; a page holds one',
    reply: liveConsoleMessageSchema,
    kind: 'socket',
    subprotocol: liveSubprotocol,
    fromCaller: livePageMessageSchema,
  },
} as const satisfies RouteTable;
