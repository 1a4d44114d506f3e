import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { epochMsSchema, idSchema } from '../fields/schema.ts';
import type { RouteTable } from '../route.ts';
import { notificationKinds, notificationRules } from './kinds.ts';
import { acknowledgedSchema, newsKindSchema, newsPageSchema, sentStateSchema } from './news-page.ts';

const kindSchema = z.enum([
  ...notificationKinds.server,
  ...notificationKinds.app,
  ...notificationKinds.proxy,
]);

export const notificationsSchema = z
  .object({
    email: z.object({
      address: z.string(),
      /** Why no mail is sent, whatever the switches say; null if mail is sent. */
      problem: z.enum(['no_mail_server', 'unverified']).nullable(),
      /** Messages to it within any hour. */
      perHour: z.number().int(),
    }),
    /** All news of this server and its apps, of this app, or of this proxy is switched off. */
    silenced: z.boolean(),
    /** For an app: its server is silenced, and so is the app. */
    silencedByServer: z.boolean(),
    kinds: z.array(z.object({ kind: kindSchema, on: z.boolean() })),
    /** The newest pieces of news, newest first. */
    news: z.array(
      z.object({
        id: idSchema,
        kind: kindSchema,
        text: z.string(),
        at: epochMsSchema,
        state: sentStateSchema,
        /** When the mail server took the message. */
        sentAt: epochMsSchema.nullable(),
        /** The news left together with other news. */
        summary: z.boolean(),
        /** The last answer of the mail server, or why nothing was sent. */
        answer: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'Notifications' });
export type Notifications = z.output<typeof notificationsSchema>;

const byId = z.object({ id: idSchema });
const changed = <K extends z.ZodType>(kind: K) =>
  z.strictObject({
    /** Null switches all news of the server, app or proxy. */
    kind: kind,
    on: z.boolean(),
  });

/** For so long nothing of it is sent; null ends that. */
const muteSchema = z.strictObject({
  minutes: z.number().int().min(1).max(notificationRules.muteMinutes).nullable(),
});
const mutedReply = z.object({ mutedUntil: epochMsSchema.nullable() });

export const notificationRoutes = {
  'GET /api/notifications': {
    access: 'signed-in',
    summary:
      'All news of the person, newest first, page by page: where each piece went and what was answered',
    query: z.object({
      kind: newsKindSchema.optional(),
      /** A server with its apps, an app or a proxy. */
      about: idSchema.optional(),
      /** All news of one incident. */
      incident: idSchema.optional(),
      /** `next` of the page before. */
      before: boundedText(15)
        .regex(/^[0-9]{1,15}$/)
        .transform(Number)
        .optional(),
    }),
    reply: newsPageSchema,
  },
  'PUT /api/notifications/:id/acknowledgement': {
    access: 'signed-in',
    summary: 'Say of an incident that goes on that somebody looks into it, or take that back',
    /** The incident. */
    params: byId,
    body: z.strictObject({ acknowledged: z.boolean() }),
    reply: z.object({ acknowledged: acknowledgedSchema.nullable() }),
  },
  'PUT /api/notifications/:id/mute': {
    access: 'signed-in',
    summary: 'Mute an incident for some minutes; null ends that. What still goes on at the end is sent then',
    /** The incident. */
    params: byId,
    body: muteSchema,
    reply: mutedReply,
  },
  'PUT /api/servers/:id/mute': {
    access: 'signed-in',
    summary: 'Mute the news of a server and its apps for some minutes; null ends that',
    params: byId,
    body: muteSchema,
    reply: mutedReply,
  },
  'PUT /api/apps/:id/mute': {
    access: 'signed-in',
    summary: 'Mute the news of an app for some minutes; null ends that',
    params: byId,
    body: muteSchema,
    reply: mutedReply,
  },
  'GET /api/servers/:id/notifications': {
    access: 'signed-in',
    summary: 'The notification settings of a server, and its past news',
    params: byId,
    reply: notificationsSchema,
  },
  'PUT /api/servers/:id/notifications': {
    access: 'signed-in',
    summary: 'Switch one kind of news of a server, or all news of the server and its apps',
    params: byId,
    body: changed(z.enum(notificationKinds.server).nullable()),
    reply: notificationsSchema,
  },
  'GET /api/apps/:id/notifications': {
    access: 'signed-in',
    summary: 'The notification settings of an app, and its past news',
    params: byId,
    reply: notificationsSchema,
  },
  'PUT /api/apps/:id/notifications': {
    access: 'signed-in',
    summary: 'Switch one kind of news of an app, or all news of the app',
    params: byId,
    body: changed(z.enum(notificationKinds.app).nullable()),
    reply: notificationsSchema,
  },
  'GET /api/proxies/:id/notifications': {
    access: 'signed-in',
    summary: 'The notification settings of a proxy, and its past news',
    params: byId,
    reply: notificationsSchema,
  },
  'PUT /api/proxies/:id/notifications': {
    access: 'signed-in',
    summary: 'Switch one kind of news of a proxy, or all news of the proxy',
    params: byId,
    body: changed(z.enum(notificationKinds.proxy).nullable()),
    reply: notificationsSchema,
  },
  'POST /api/operations/:id/seen': {
    access: 'signed-in',
    summary: 'Record that a page has shown how this work ended, so that no message reports its failure',
    params: byId,
    reply: z.object({ seen: z.literal(true) }),
  },
} as const satisfies RouteTable;
