import { z } from 'zod';
import { epochMsSchema } from '../fields/schema.ts';
import { resources } from './kinds.ts';

const app = { appName: z.string(), longname: z.string(), serverName: z.string(), serverKey: z.string() };
/** Which database it is, because names are not unique. Null or missing in facts that an earlier console noted. */
const databaseId = z.string().nullish();
const database = {
  databaseId,
  databaseName: z.string(),
  longname: z.string(),
  serverName: z.string(),
  serverKey: z.string(),
};
const server = { serverName: z.string(), serverKey: z.string() };
/** `percent`: of the newest report then. */
const strain = { resource: z.enum(resources), since: epochMsSchema, percent: z.number() };
const proxy = { proxyName: z.string(), proxyId: z.string(), domain: z.string() };
/** `path`: of the rule whose website it is; null: the primary website. */
const website = { ...proxy, path: z.string().nullable(), since: epochMsSchema };

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
  /** `fullAt`: if it goes on as in the hours before. */
  z.object({
    event: z.literal('disk.filling'),
    ...server,
    since: epochMsSchema,
    percent: z.number(),
    fullAt: epochMsSchema,
  }),
  z.object({
    event: z.literal('disk.steadied'),
    ...server,
    since: epochMsSchema,
    until: epochMsSchema,
    percent: z.number(),
  }),
  /** `at`: when the machine started, by its own clock. */
  z.object({
    event: z.literal('server.rebooted'),
    ...server,
    at: epochMsSchema,
    lastReportAt: epochMsSchema,
  }),
  z.object({ event: z.literal('server.strained'), ...server, ...strain }),
  z.object({ event: z.literal('server.eased'), ...server, ...strain, until: epochMsSchema }),
  z.object({ event: z.literal('backup.failed'), ...database, at: epochMsSchema }),
  z.object({ event: z.literal('backup.missed'), ...database, at: epochMsSchema }),
  z.object({ event: z.literal('backup.works-again'), ...database, at: epochMsSchema }),
  z.object({ event: z.literal('console-backup.failed'), at: epochMsSchema }),
  /** `at`: when the newest backup was begun, or the schedule, where there is none. */
  z.object({ event: z.literal('console-backup.late'), at: epochMsSchema }),
  /** `at`: when the backup was begun that a test restore found broken. */
  z.object({ event: z.literal('console-backup.unproven'), at: epochMsSchema }),
  /** `at`: when the backup was begun that is not where copies go. */
  z.object({ event: z.literal('console-backup.uncopied'), at: epochMsSchema }),
  z.object({ event: z.literal('console-backup.works-again'), at: epochMsSchema }),
  z.object({
    event: z.literal('website.failing'),
    ...website,
    requests: z.number().int(),
    /** Answers with 5xx among the requests. */
    errors: z.number().int(),
  }),
  z.object({ event: z.literal('website.works-again'), ...website, until: epochMsSchema }),
  z.object({
    event: z.literal('proxy-certificate.ends'),
    ...proxy,
    days: z.number().int(),
    validTo: epochMsSchema,
  }),
  z.object({
    event: z.literal('domain.astray'),
    ...proxy,
    since: epochMsSchema,
    /** `pointing`: DNS leads elsewhere. `ownership`: nothing proves any more whose the domain is. */
    missing: z.enum(['pointing', 'ownership']),
    /** The domain is answered until then. */
    servedUntil: epochMsSchema,
  }),
  z.object({ event: z.literal('domain.unserved'), ...proxy, at: epochMsSchema }),
  z.object({ event: z.literal('domain.back'), ...proxy, since: epochMsSchema, until: epochMsSchema }),
  z.object({
    event: z.literal('operation.failed'),
    title: z.string(),
    /** The failed step, as the page names it. */
    step: z.string().nullable(),
    at: epochMsSchema,
    longname: z.string().nullable(),
    /** The longname is a database's; else it is an app's. */
    database: z.boolean().default(false),
    databaseId,
    serverName: z.string().nullable(),
    serverKey: z.string().nullable(),
  }),
  z.object({
    event: z.literal('destination.broken'),
    name: z.string(),
    /** Why, in the console's words. */
    problem: z.string(),
    at: epochMsSchema,
  }),
]);
export type NoticeEvent = z.output<typeof noticeEventSchema>;
