import { z } from 'zod';
import { trimmedText } from '../fields/bounded-text.ts';
import { epochMsSchema, idSchema, nameSchema, versionSchema } from '../fields/schema.ts';
import type { RouteTable } from '../route.ts';
import {
  destinationKinds,
  destinationLimits,
  escalationMinutes,
  hourlyLimits,
  repeatHours,
} from './facts.ts';
import { pushEndpointProblem, pushKeyProblem, pushSecretProblem } from './push-subscription.ts';
import { newQuietHoursSchema, quietHoursSchema } from './quiet-hours.ts';
import {
  discordAddressProblem,
  ntfyTopicProblem,
  pagerdutyKeyProblem,
  pushoverKeyProblem,
  roomProblem,
  serverAddressProblem,
  slackAddressProblem,
  teamsAddressProblem,
  telegramTokenProblem,
  tokenProblem,
} from './service-address.ts';
import { webAddressProblem } from './web-address.ts';

/** A text of which `problemOf` says what is wrong. Forms ask the same. */
const judged = (what: string, most: number, problemOf: (text: string) => string | null) =>
  trimmedText(most, `${what} has at most ${most} characters.`).superRefine((text, context) => {
    const problem = problemOf(text);
    if (problem !== null) context.addIssue(problem);
  });
const address = (problemOf: (text: string) => string | null) =>
  judged('An address', destinationLimits.urlCharacters, problemOf);
const token = (problemOf: (text: string) => string | null = tokenProblem) =>
  judged('It', destinationLimits.tokenCharacters, problemOf);

/** Where messages go. Pages never get it back: whoever knows the address of a webhook can write there. */
export const targetSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('webhook'), url: address(webAddressProblem) }),
  z.strictObject({ kind: z.literal('slack'), url: address(slackAddressProblem) }),
  z.strictObject({ kind: z.literal('discord'), url: address(discordAddressProblem) }),
  z.strictObject({ kind: z.literal('ntfy'), url: address(ntfyTopicProblem), token: token().optional() }),
  z.strictObject({ kind: z.literal('telegram'), token: token(telegramTokenProblem) }),
  z.strictObject({ kind: z.literal('gotify'), url: address(serverAddressProblem), token: token() }),
  z.strictObject({
    ...{ kind: z.literal('pushover'), token: token(pushoverKeyProblem), user: token(pushoverKeyProblem) },
  }),
  z.strictObject({ kind: z.literal('teams'), url: address(teamsAddressProblem) }),
  z.strictObject({
    ...{ kind: z.literal('matrix'), url: address(serverAddressProblem), room: token(roomProblem) },
    token: token(),
  }),
  z.strictObject({
    ...{
      kind: z.literal('pagerduty'),
      key: token(pagerdutyKeyProblem),
      region: z.enum(['us', 'eu']).optional(),
    },
  }),
  z.strictObject({
    ...{ kind: z.literal('web-push'), endpoint: address(pushEndpointProblem) },
    ...{ p256dh: token(pushKeyProblem), auth: token(pushSecretProblem) },
  }),
]);
export type Target = z.output<typeof targetSchema>;

export const destinationSchema = z
  .object({
    id: idSchema,
    kind: z.enum(destinationKinds),
    name: z.string(),
    /** What is shown of the target: the host of a webhook, the address of the account. */
    shown: z.string(),
    /** `broken`: the target takes nothing any more. Nothing is sent until a test succeeds, the target is replaced, or the person switches it on. */
    state: z.enum(['on', 'off', 'broken']),
    /** Why nothing is sent; null if news is sent. */
    problem: z.string().nullable(),
    version: versionSchema,
    createdAt: epochMsSchema,
    /** For a webhook: until then the replaced secret signs, too. */
    previousUntil: epochMsSchema.nullable(),
    quietHours: quietHoursSchema.nullable(),
    /** Messages within any hour. */
    perHour: z.number().int(),
    /** News that something began goes there after these minutes, where it goes on and nobody has acknowledged it. With 0 all news goes there at once. */
    afterMinutes: z.number().int(),
    /** What goes on and nobody has acknowledged is repeated this often; null where it is not. */
    repeatHours: z.number().int().nullable(),
    /** Of a browser: the SHA-256 of its endpoint in base64url, by which that browser knows itself. Null for another kind. */
    device: z.string().nullable(),
    /** The delivery that ended last. */
    latest: z.object({ sent: z.boolean(), at: epochMsSchema, answer: z.string() }).nullable(),
  })
  .meta({ id: 'Destination' });
export type Destination = z.output<typeof destinationSchema>;

export const destinationDeliverySchema = z
  .object({
    id: idSchema,
    /** `waiting`: on its way, or to be tried again. `unsent`: it was not tried. */
    state: z.enum(['waiting', 'sent', 'refused', 'unsent']),
    /** Somebody asked for it, to see whether the destination works. */
    test: z.boolean(),
    createdAt: epochMsSchema,
    attempts: z.number().int(),
    /** When the next try is due; null for a delivery that has ended. */
    dueAt: epochMsSchema.nullable(),
    endedAt: epochMsSchema.nullable(),
    /** What the other end answered, in the console's words. */
    answer: z.string().nullable(),
    /** The first piece of news in it; null for a test, and where the news is gone. */
    text: z.string().nullable(),
    /** Further pieces in the same message. */
    more: z.number().int(),
  })
  .meta({ id: 'DestinationDelivery' });
export type DestinationDelivery = z.output<typeof destinationDeliverySchema>;

/** Whoever opens one of them at Telegram says the code to the bot, and the chat becomes the destination. */
export const chatLinkSchema = z.object({ link: z.string(), groupLink: z.string(), expiresAt: epochMsSchema });
export type ChatLink = z.output<typeof chatLinkSchema>;

const byId = z.object({ id: idSchema });
/** Only this answer holds the secret; null for a kind that has none. */
const withSecret = z.object({ record: destinationSchema, secret: z.string().nullable() });

export const destinationRoutes = {
  'GET /api/destinations': {
    access: 'signed-in',
    summary: 'Where the person’s news goes, the address of the account first; never the targets themselves',
    reply: z.array(destinationSchema),
  },
  'GET /api/destinations/push-key': {
    access: 'signed-in',
    summary:
      'The console’s public key, with which a browser asks its push service for messages of this console alone',
    /** Null while no key opens with the console's secret. */
    reply: z.object({ key: z.string().nullable() }),
  },
  'POST /api/destinations': {
    access: 'signed-in',
    confirm: true,
    summary: 'Add a destination of news; for a webhook only this answer holds the secret that signs',
    body: z.strictObject({ name: nameSchema, target: targetSchema }),
    reply: withSecret,
    status: 201,
  },
  'PATCH /api/destinations/:id': {
    access: 'signed-in',
    summary:
      'Rename a destination, switch it on or off, or replace its target; another target asks for a fresh confirmation',
    params: byId,
    body: z.strictObject({
      version: versionSchema,
      name: nameSchema.optional(),
      on: z.boolean().optional(),
      target: targetSchema.optional(),
    }),
    reply: destinationSchema,
  },
  'DELETE /api/destinations/:id': {
    access: 'signed-in',
    summary: 'Remove a destination with its deliveries',
    params: byId,
    reply: z.object({ removed: z.literal(true) }),
  },
  'PUT /api/destinations/:id/quiet-hours': {
    access: 'signed-in',
    summary: 'Set when a destination is left in peace; news waits for the end. Null ends such hours',
    params: byId,
    body: z.strictObject({ quietHours: newQuietHoursSchema.nullable() }),
    reply: destinationSchema,
  },
  'PUT /api/destinations/:id/hourly-limit': {
    access: 'signed-in',
    summary: 'Set how many messages a destination gets within any hour; further news leaves as one summary',
    params: byId,
    body: z.strictObject({ perHour: z.literal(hourlyLimits) }),
    reply: destinationSchema,
  },
  'PUT /api/destinations/:id/escalation': {
    access: 'signed-in',
    summary:
      'Set after how many minutes a destination gets what goes on unacknowledged, and how often that is repeated there',
    params: byId,
    body: z.strictObject({
      afterMinutes: z.literal(escalationMinutes),
      repeatHours: z.literal(repeatHours).nullable(),
    }),
    reply: destinationSchema,
  },
  'POST /api/destinations/:id/secret': {
    access: 'signed-in',
    confirm: true,
    summary:
      'Replace the secret of a webhook, which only this answer holds; the old one signs, too, for a day',
    params: byId,
    reply: withSecret,
  },
  'POST /api/destinations/:id/chat-link': {
    access: 'signed-in',
    confirm: true,
    summary:
      'Make the link by which a chat of Telegram becomes the destination; it is good once, for ten minutes',
    params: byId,
    reply: chatLinkSchema,
  },
  'POST /api/destinations/:id/chat': {
    access: 'signed-in',
    summary: 'Look whether a chat of Telegram has come by the link, and make that chat the destination',
    params: byId,
    reply: z.object({ linked: z.boolean(), record: destinationSchema }),
  },
  'POST /api/destinations/:id/test': {
    access: 'signed-in',
    summary: 'Send a message without news, and answer with what came of it',
    params: byId,
    reply: destinationDeliverySchema,
  },
  'GET /api/destinations/:id/deliveries': {
    access: 'signed-in',
    summary: 'The newest messages to a destination, the newest first, with what became of each',
    params: byId,
    reply: z.array(destinationDeliverySchema),
  },
  'POST /api/destinations/:id/send-again': {
    access: 'signed-in',
    summary: 'Send a message again that has ended, under the same id',
    params: byId,
    body: z.strictObject({ deliveryId: idSchema }),
    reply: destinationDeliverySchema,
  },
} as const satisfies RouteTable;
