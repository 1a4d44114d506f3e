import { z } from 'zod';
import { epochMsSchema, idSchema } from '../fields.ts';
import type { RouteTable } from '../route.ts';
import { notificationKinds } from './kinds.ts';

const kindSchema = z.enum([...notificationKinds.server, ...notificationKinds.app]);

/**
 * `gathering`: too many messages left in the last hour, so it waits for a summary. `waiting`: on its way. `refused`: the
 * channel took it neither at first nor later. `unsent`: it was never tried, and `answer` says why.
 */
const sentStateSchema = z.enum(['gathering', 'waiting', 'sent', 'refused', 'unsent']);

export const notificationsSchema = z
  .object({
    email: z.object({
      address: z.string(),
      /** Why nobody is mailed whatever the switches say; null where mail is sent. */
      problem: z.enum(['no_mail_server', 'unverified']).nullable(),
    }),
    /** Nothing of this server and its apps, or of this app, is told. */
    silenced: z.boolean(),
    /** Of an app: its server is silenced, and the app with it. */
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
        /** When the mail server took it. */
        sentAt: epochMsSchema.nullable(),
        /** It left together with other news. */
        summary: z.boolean(),
        /** What the mail server said last, or why nothing was sent. */
        answer: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'Notifications' });
export type Notifications = z.output<typeof notificationsSchema>;

const byId = z.object({ id: idSchema });
const changed = <K extends z.ZodType>(kind: K) =>
  z.strictObject({
    /** Null switches the whole server or app. */
    kind: kind,
    on: z.boolean(),
  });

export const notificationRoutes = {
  'GET /api/servers/:id/notifications': {
    access: 'signed-in',
    summary: 'What one is told of a server, and what was told',
    params: byId,
    reply: notificationsSchema,
  },
  'PUT /api/servers/:id/notifications': {
    access: 'signed-in',
    summary: 'Be told, or not, of one kind of news of a server, or of the server and its apps at all',
    params: byId,
    body: changed(z.enum(notificationKinds.server).nullable()),
    reply: notificationsSchema,
  },
  'GET /api/apps/:id/notifications': {
    access: 'signed-in',
    summary: 'What one is told of an app, and what was told',
    params: byId,
    reply: notificationsSchema,
  },
  'PUT /api/apps/:id/notifications': {
    access: 'signed-in',
    summary: 'Be told, or not, of one kind of news of an app, or of the app at all',
    params: byId,
    body: changed(z.enum(notificationKinds.app).nullable()),
    reply: notificationsSchema,
  },
  'POST /api/operations/:id/seen': {
    access: 'signed-in',
    summary: 'A page has shown how this work ended, so that nobody is told of its failure in another way',
    params: byId,
    reply: z.object({ seen: z.literal(true) }),
  },
} as const satisfies RouteTable;
