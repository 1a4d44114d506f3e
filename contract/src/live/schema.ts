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

/** A message of the page. The page chooses the ids of its subscriptions, and uses each id once. */
export const livePageMessageSchema = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('subscribe'),
      id: subscriptionSchema,
      /** A stream of the route table, such as `GET /api/events`. */
      route: z.string().max(100),
      /** Texts, as they would stand in the address. */
      params: partSchema,
      query: partSchema,
      /** The id of the last event of the stream that this page has seen. */
      after: z.string().max(eventIdCharacters).nullable(),
    }),
    z.strictObject({ type: z.literal('unsubscribe'), id: subscriptionSchema }),
    /** For a subscription to an exchange; the route’s `fromCaller` says what `data` is. */
    z.strictObject({ type: z.literal('send'), id: subscriptionSchema, data: z.unknown() }),
  ])
  .meta({ id: 'LivePageMessage' });
export type LivePageMessage = z.output<typeof livePageMessageSchema>;

/** A message of the console. After `end`, `failed` or `dropped`, a subscription gets no more messages. */
export const liveConsoleMessageSchema = z
  .discriminatedUnion('type', [
    /** The stream is open; its events follow. */
    z.object({ type: z.literal('opened'), id: subscriptionSchema }),
    z.object({
      type: z.literal('event'),
      id: subscriptionSchema,
      /** Null: a returning reader names an earlier event. */
      eventId: z.string().nullable(),
      data: z.unknown(),
    }),
    z.object({ type: z.literal('end'), id: subscriptionSchema }),
    z.object({ type: z.literal('failed'), id: subscriptionSchema, problem: problemSchema }),
    /** The page read too slowly. Subscribe again after `resumeFrom`; nothing is lost. */
    z.object({ type: z.literal('dropped'), id: subscriptionSchema, resumeFrom: z.string().nullable() }),
    /** Too many sockets are open already. The console closes this one. */
    z.object({ type: z.literal('refused'), problem: problemSchema }),
    /** Shows that the socket lives, because a script does not see the pings of the WebSocket protocol. */
    z.object({ type: z.literal('beat') }),
  ])
  .meta({ id: 'LiveConsoleMessage' });
export type LiveConsoleMessage = z.output<typeof liveConsoleMessageSchema>;

export const liveRoutes = {
  'GET /api/events': {
    access: 'signed-in',
    summary:
      'Changes of the user’s records, as they happen; a token hears of the topics that its scopes read, and with an id of null all records of the topic may have changed',
    query: z.object({
      /**
       * How many milliseconds ago the reader began to read its records. The stream begins with the changes
       * that the reader may have missed. Without this value, the stream begins with the next change.
       */
      readMsAgo: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
    }),
    reply: changeSchema,
    kind: 'stream',
  },
  'GET /api/live': {
    access: 'signed-in',
    summary: 'Every stream of the console over one socket; a page holds one socket',
    reply: liveConsoleMessageSchema,
    kind: 'socket',
    subprotocol: liveSubprotocol,
    fromCaller: livePageMessageSchema,
  },
} as const satisfies RouteTable;
