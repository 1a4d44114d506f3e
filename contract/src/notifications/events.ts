import { z } from 'zod';
import { epochMsSchema } from '../fields/schema.ts';

const app = { appName: z.string(), longname: z.string(), serverName: z.string(), serverKey: z.string() };
const database = {
  databaseName: z.string(),
  longname: z.string(),
  serverName: z.string(),
  serverKey: z.string(),
};
const server = { serverName: z.string(), serverKey: z.string() };

/**
 * One piece of news, as the store keeps it, with the names of that moment. No event holds text of a server,
 * an app or a mail, because such text can hold a secret.
 */
export const noticeEventSchema = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('app.went-down'),
    ...app,
    since: epochMsSchema,
    url: z.string(),
    reason: z.string(),
  }),
  z.object({ event: z.literal('app.came-up'), ...app, since: epochMsSchema, until: epochMsSchema }),
  z.object({
    event: z.literal('certificate.ends'),
    ...app,
    domain: z.string(),
    days: z.number().int(),
    validTo: epochMsSchema,
  }),
  z.object({ event: z.literal('deploy.failed'), ...app, at: epochMsSchema }),
  z.object({ event: z.literal('server.went-silent'), ...server, since: epochMsSchema }),
  z.object({ event: z.literal('server.came-back'), ...server, since: epochMsSchema, until: epochMsSchema }),
  z.object({ event: z.literal('disk.filled'), ...server, since: epochMsSchema, percent: z.number() }),
  z.object({ event: z.literal('disk.eased'), ...server, until: epochMsSchema, percent: z.number() }),
  z.object({ event: z.literal('backup.failed'), ...database, at: epochMsSchema }),
  z.object({ event: z.literal('backup.missed'), ...database, at: epochMsSchema }),
  z.object({ event: z.literal('backup.works-again'), ...database, at: epochMsSchema }),
  z.object({
    event: z.literal('operation.failed'),
    title: z.string(),
    /** The failed step, as the page names it. */
    step: z.string().nullable(),
    at: epochMsSchema,
    longname: z.string().nullable(),
    /** The longname is a database's; else it is an app's. */
    database: z.boolean().default(false),
    serverName: z.string().nullable(),
    serverKey: z.string().nullable(),
  }),
]);
export type NoticeEvent = z.output<typeof noticeEventSchema>;
