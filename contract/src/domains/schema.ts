import { z } from 'zod';
import { boundedText, trimmedText } from '../fields/bounded-text.ts';
import {
  emailSchema,
  epochMsSchema,
  hostnameSchema,
  idSchema,
  ipv4Schema,
  storableText,
} from '../fields/schema.ts';
import { messages } from '../messages.ts';
import type { RouteTable } from '../route.ts';
import {
  caaTags,
  credentialCharacters,
  isTtl,
  notNumber16,
  recordNameCharacters,
  recordNumberMost,
  recordsTogether,
  recordsWithRemoval,
  recordTtl,
} from './facts.ts';

/** Cloudflare's ids of zones and records. */
const cloudflareId = boundedText(32).regex(/^[0-9a-f]{32}$/, 'This is not an id of Cloudflare’s.');

export const zoneSchema = z
  .object({
    id: cloudflareId,
    /** In ASCII, as DNS has it. */
    name: z.string(),
    /** For people: with the letters of its own script. The same as `name` for most. */
    shownName: z.string(),
    status: z.string(),
    type: z.string(),
    /** Nothing of the zone goes through Cloudflare, whatever its records say. */
    paused: z.boolean(),
    /** Records can be changed here: the zone has its records of its own, and the credential was not refused. */
    editable: z.boolean(),
    createdAt: epochMsSchema,
  })
  .meta({ id: 'Zone' });
export type Zone = z.output<typeof zoneSchema>;

/** The linked account, without its credential. */
export const cloudflareAccountSchema = z
  .object({
    kind: z.enum(['token', 'account_token', 'global_key']),
    /** The e-mail address that the person gave; null: none was needed. */
    email: z.string().nullable(),
    lastFour: z.string(),
    /** What the credential may do, in words. */
    ability: z.string(),
    /** When the credential ends by itself; null: never, or not told. */
    expiresAt: epochMsSchema.nullable(),
    /** Why Cloudflare refused the credential when it was used last; null: it did not. */
    problem: z.string().nullable(),
    linkedAt: epochMsSchema,
    checkedAt: epochMsSchema,
  })
  .meta({ id: 'CloudflareAccount' });
export type CloudflareAccount = z.output<typeof cloudflareAccountSchema>;

const linkSchema = z.strictObject({ account: cloudflareAccountSchema.nullable() });

export const zoneListSchema = z
  .object({
    linked: z.boolean(),
    zones: z.array(zoneSchema),
    /** Cloudflare has more zones than Homeport lists. */
    more: z.boolean(),
    /** When Cloudflare told of the zones; null: never. */
    readAt: epochMsSchema.nullable(),
    problem: z.string().nullable(),
  })
  .meta({ id: 'ZoneList' });
export type ZoneList = z.output<typeof zoneListSchema>;

/** What a record leads to. `former`: a server that was removed here, whose address may be somebody else's now. */
export const pointsAtSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('app'), name: z.string(), longname: z.string(), serverKey: z.string() }),
  z.object({ kind: z.literal('server'), name: z.string(), key: z.string() }),
  z.object({ kind: z.literal('proxy'), name: z.string(), id: idSchema }),
  z.object({ kind: z.literal('former'), name: z.string(), removedAt: epochMsSchema }),
  z.object({ kind: z.literal('nothing') }),
]);
export type PointsAt = z.output<typeof pointsAtSchema>;

const caaData = z.object({ flags: z.number(), tag: z.string(), value: z.string() });
const srvData = z.object({
  priority: z.number(),
  weight: z.number(),
  port: z.number(),
  target: z.string(),
});

export const recordSchema = z
  .object({
    id: cloudflareId,
    /** The whole name in ASCII. */
    name: z.string(),
    shownName: z.string(),
    type: z.string(),
    content: z.string(),
    /** Seconds; 1: automatic. */
    ttl: z.number(),
    proxied: z.boolean(),
    /** MX: the lowest is asked first. */
    priority: z.number().nullable(),
    caa: caaData.nullable(),
    srv: srvData.nullable(),
    comment: z.string().nullable(),
    /** Null: a record of this type points at nothing that Homeport could know. */
    pointsAt: pointsAtSchema.nullable(),
  })
  .meta({ id: 'DnsRecord' });
export type DnsRecord = z.output<typeof recordSchema>;

export const recordListSchema = z
  .object({
    records: z.array(recordSchema),
    /** The zone has more records than Homeport lists. */
    more: z.boolean(),
  })
  .meta({ id: 'DnsRecordList' });
export type DnsRecordList = z.output<typeof recordListSchema>;

/** Cloudflare's bound of a TXT record. */
const recordContentCharacters = 2_048;
const ttlSchema = z
  .number(messages.ttlOutOfRange)
  .min(recordTtl.automatic, messages.ttlOutOfRange)
  .max(recordTtl.most, messages.ttlOutOfRange)
  .refine(isTtl, messages.ttlOutOfRange);
const wrongName = `A name has at most ${recordNameCharacters} characters and no spaces.`;
/** `@`, a name within the zone, or the whole name; in any script. The api makes ASCII of it. */
const recordNameSchema = trimmedText(recordNameCharacters, wrongName)
  .min(1, 'Enter a name, or @ for the domain itself.')
  .regex(/^[^\s\0\p{Cs}\p{Cc}\p{Cf}]+$/u, wrongName);
const targetSchema = trimmedText(recordNameCharacters, wrongName)
  .min(1, 'Enter a host name such as www.example.com.')
  .regex(/^[^\s\0\p{Cs}\p{Cc}\p{Cf}]+$/u, wrongName);
const number16 = z
  .number('Enter a number.')
  .int('Enter a whole number.')
  .min(0, notNumber16)
  .max(recordNumberMost, notNumber16);
const everyRecord = { host: recordNameSchema, ttl: ttlSchema };

/** A record as a person writes it. */
export const recordInputSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('A'), ...everyRecord, content: ipv4Schema, proxied: z.boolean() }),
  z.strictObject({
    type: z.literal('AAAA'),
    ...everyRecord,
    content: trimmedText(64, 'Enter an IPv6 address such as 2001:db8::24.').check(
      z.ipv6('Enter an IPv6 address such as 2001:db8::24.'),
    ),
    proxied: z.boolean(),
  }),
  z.strictObject({ type: z.literal('CNAME'), ...everyRecord, content: targetSchema, proxied: z.boolean() }),
  z.strictObject({
    type: z.literal('TXT'),
    ...everyRecord,
    content: storableText(
      recordContentCharacters,
      `A TXT record holds at most ${recordContentCharacters} characters.`,
    ).min(1, 'Enter a text.'),
  }),
  z.strictObject({ type: z.literal('MX'), ...everyRecord, content: targetSchema, priority: number16 }),
  z.strictObject({
    type: z.literal('CAA'),
    ...everyRecord,
    flags: z.number().int().min(0, 'Enter a number from 0 to 255.').max(255, 'Enter a number from 0 to 255.'),
    tag: z.enum(caaTags, 'Choose a tag.'),
    value: storableText(recordNameCharacters).min(1, 'Enter a value such as letsencrypt.org.'),
  }),
  z.strictObject({
    type: z.literal('SRV'),
    ...everyRecord,
    priority: number16,
    weight: number16,
    port: number16,
    target: targetSchema,
  }),
]);
export type RecordInput = z.input<typeof recordInputSchema>;
export type RecordChange = z.output<typeof recordInputSchema>;

/** A record of a zone, for lists across zones. */
export const pointingRecordSchema = z
  .object({ zoneId: cloudflareId, zoneName: z.string(), record: recordSchema })
  .meta({ id: 'PointingRecord' });
export type PointingRecord = z.output<typeof pointingRecordSchema>;

/**
 * `linked`: an account is linked. `zonesLeft`: zones that were not looked through, because there are too many. `unknownName`: the name of
 * the server, where it has no address now or could not be looked up, so that records with its addresses are missing.
 */
export const pointingRecordsSchema = z
  .object({
    linked: z.boolean(),
    records: z.array(pointingRecordSchema),
    zonesLeft: z.number(),
    unknownName: z.string().nullable(),
  })
  .meta({ id: 'PointingRecords' });
export type PointingRecords = z.output<typeof pointingRecordsSchema>;

const present = { zoneId: cloudflareId, zoneName: z.string(), now: z.array(recordSchema) };
/**
 * The record that a domain needs to lead to an app or a server, and what stands there now. `no_zone`: the domain is in no zone of the linked account, or
 * none is linked. `read_only`: it is in one whose records cannot be changed here.
 */
export const appDnsSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('no_zone'), linked: z.boolean() }),
    z.object({ kind: z.literal('in_place'), ...present }),
    z.object({ kind: z.literal('read_only'), ...present }),
    z.object({ kind: z.literal('missing'), ...present, address: z.string() }),
    z.object({ kind: z.literal('elsewhere'), ...present, address: z.string() }),
  ])
  .meta({ id: 'AppDns' });
export type AppDns = z.output<typeof appDnsSchema>;

const byZone = z.object({ id: cloudflareId });
const ofRecord = z.object({ id: cloudflareId, record: cloudflareId });
const byId = z.object({ id: idSchema });

/** A DNS record that goes with an app, a domain or a server. The DNS name tells of the record where Cloudflare cannot be asked. */
export const leavingRecordSchema = z.strictObject({
  zone: cloudflareId,
  record: cloudflareId,
  dnsName: boundedText(recordNameCharacters).regex(/^[^\p{C}\s]+$/u, 'This is no name of a record.'),
});
export type LeavingRecord = z.output<typeof leavingRecordSchema>;
/** The records that a person chose to remove with what they point at. */
export const leavingRecordsSchema = z
  .array(leavingRecordSchema)
  .max(recordsWithRemoval, `Choose at most ${recordsWithRemoval} records.`)
  .default([]);
const recordIds = z.array(cloudflareId).max(recordsTogether, `Choose at most ${recordsTogether} records.`);
/** The records that a person saw at a name. Where others stand there by now, nothing is changed. */
export const seenRecordsSchema = recordIds;

export const domainRoutes = {
  'GET /api/zones/account': {
    access: 'signed-in',
    summary: 'The linked Cloudflare account, without its credential',
    reply: linkSchema,
  },
  'PUT /api/zones/account': {
    access: 'signed-in',
    summary: 'Check a credential at Cloudflare, then link the account',
    body: z.strictObject({
      /** Needed for the global key only. */
      email: emailSchema.optional(),
      /** An API token or the global key. */
      secret: trimmedText(credentialCharacters, 'This is longer than any credential of Cloudflare’s.')
        .min(1, 'Enter an API token.')
        .regex(/^[!-~]+$/, 'A credential of Cloudflare’s has no spaces and only ASCII characters.'),
    }),
    reply: linkSchema,
  },
  'POST /api/zones/account/check': {
    access: 'signed-in',
    summary: 'Ask Cloudflare again what the credential may do',
    reply: linkSchema,
  },
  'DELETE /api/zones/account': {
    access: 'signed-in',
    summary: 'Forget the credential and the zones',
    reply: linkSchema,
  },
  'GET /api/zones': {
    access: 'signed-in',
    summary: 'The zones as Cloudflare last reported them',
    reply: zoneListSchema,
  },
  'POST /api/zones/refresh': {
    access: 'signed-in',
    summary: 'Ask Cloudflare for the zones if they are older than five minutes, or by hand',
    body: z.strictObject({ byHand: z.boolean().default(false) }),
    reply: zoneListSchema,
  },
  'POST /api/zones/remove-records': {
    access: 'signed-in',
    summary: 'Remove records of one or more zones, those of a zone all or none',
    body: z.strictObject({
      zones: z
        .array(z.strictObject({ zone: cloudflareId, records: recordIds.min(1) }))
        .min(1, 'Choose at least one record.')
        .max(recordsTogether, `Choose records of at most ${recordsTogether} zones.`),
    }),
    reply: z.object({ removed: z.number() }),
  },
  'GET /api/zones/:id': {
    access: 'signed-in',
    summary: 'One zone',
    params: byZone,
    reply: zoneSchema,
  },
  'GET /api/zones/:id/records': {
    access: 'signed-in',
    summary: 'The records of a zone, read from Cloudflare, with what each points at',
    params: byZone,
    reply: recordListSchema,
  },
  'POST /api/zones/:id/records': {
    access: 'signed-in',
    summary: 'Add a record, in place of others if they are named',
    params: byZone,
    body: z.strictObject({ record: recordInputSchema, replaces: recordIds.default([]) }),
    reply: recordSchema,
    status: 201,
  },
  'PATCH /api/zones/:id/records/:record': {
    access: 'signed-in',
    summary: 'Change a record, and leave what it has besides',
    params: ofRecord,
    body: z.strictObject({ record: recordInputSchema }),
    reply: recordSchema,
  },
  'DELETE /api/zones/:id/records/:record': {
    access: 'signed-in',
    summary: 'Delete a record; one that is gone already is no error',
    params: ofRecord,
    reply: z.object({ removed: z.literal(true) }),
  },
  'GET /api/apps/:id/dns': {
    access: 'signed-in',
    summary: 'The DNS record that a domain of the app needs, and what stands there now',
    params: byId,
    /** Absent: the app's first domain. */
    query: z.object({ domain: hostnameSchema.optional() }),
    reply: appDnsSchema,
  },
  'POST /api/apps/:id/dns': {
    access: 'signed-in',
    summary: 'Make the domain lead to the app’s server',
    params: byId,
    body: z.strictObject({
      domain: hostnameSchema,
      seen: seenRecordsSchema,
    }),
    reply: appDnsSchema,
  },
  'GET /api/servers/:id/dns': {
    access: 'signed-in',
    summary: 'The DNS record that a domain needs to lead to the server, and what stands there now',
    params: byId,
    query: z.object({ domain: hostnameSchema }),
    reply: appDnsSchema,
  },
  'GET /api/apps/:id/records': {
    access: 'signed-in',
    summary: 'The records of linked zones that point at the app',
    params: byId,
    reply: pointingRecordsSchema,
  },
  'GET /api/servers/:id/records': {
    access: 'signed-in',
    summary: 'The records of linked zones that point at the server',
    params: byId,
    reply: pointingRecordsSchema,
  },
} as const satisfies RouteTable;
