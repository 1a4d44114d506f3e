import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { hostnameCharacters } from '../fields/facts.ts';
import { epochMsSchema, idSchema, storableText } from '../fields/schema.ts';
import type { RouteTable } from '../route.ts';
import { timeseriesOf } from '../timeseries.ts';
import { uptimeCauses, uptimeStates } from './facts.ts';

const phase = z.number().nonnegative().nullable();
/** Milliseconds, summed over redirects; null where a phase was not reached or does not apply (no TLS, no name). */
const phases = {
  dnsLookup: phase,
  tcpConnection: phase,
  tlsHandshake: phase,
  firstByte: phase,
  contentTransfer: phase,
  total: phase,
};

export const uptimeCertificateSchema = z
  .object({
    issuer: z.string(),
    validFrom: epochMsSchema,
    validTo: epochMsSchema,
    /** SHA-256. */
    fingerprint: z.string(),
    /** Whether it is made out for the host. */
    nameMatches: z.boolean(),
    /** Null where it was accepted; else why not, as OpenSSL names it: `CERT_HAS_EXPIRED`. */
    refusedFor: z.string().nullable(),
    /** The last of `certificateMarks` that it has passed; null: it has longer. */
    mark: z.number().nullable(),
  })
  .meta({ id: 'UptimeCertificate' });
export type UptimeCertificate = z.output<typeof uptimeCertificateSchema>;

export const uptimeCheckSchema = z
  .object({
    at: epochMsSchema,
    ok: z.boolean(),
    ...phases,
    /** The HTTP status of the last answer; null without one. */
    status: z.number().int().nullable(),
    cause: z.enum(uptimeCauses).nullable(),
    /** Why it failed, in a sentence; null where it did not. Never holds anything of a body. */
    text: z.string().nullable(),
    /** The address that was connected to last. */
    address: z.string().nullable(),
    redirects: z.number().int(),
    /** Of the body, as far as it was read. */
    bytes: z.number().int().nullable(),
    /** The body is longer than what is read of one. */
    truncated: z.boolean(),
    /** Of the last https hop, also where it was refused. */
    certificate: uptimeCertificateSchema.nullable(),
  })
  .meta({ id: 'UptimeCheck' });
export type UptimeCheck = z.output<typeof uptimeCheckSchema>;

export const uptimePointSchema = z
  .object({
    /** When the check was made, or the beginning of its hour, day or month (UTC). */
    ts: epochMsSchema,
    /** Checks that found the app up, and down. */
    up: z.number().int(),
    down: z.number().int(),
    /** Averages, and the smallest and largest, of the checks that found it up. */
    ...phases,
    min: z.object(phases),
    max: z.object(phases),
  })
  .meta({ id: 'UptimePoint' });
export type UptimePoint = z.output<typeof uptimePointSchema>;

export const uptimeIncidentSchema = z
  .object({
    id: idSchema,
    /** The first check that failed. */
    startedAt: epochMsSchema,
    /** The first check that succeeded again, or when the app was stopped; null while it is down. */
    endedAt: epochMsSchema.nullable(),
    cause: z.enum(uptimeCauses),
    text: z.string(),
  })
  .meta({ id: 'UptimeIncident' });
export type UptimeIncident = z.output<typeof uptimeIncidentSchema>;

export const uptimeSchema = z
  .object({
    appId: idSchema,
    /** The app’s monitor id. */
    key: z.string(),
    domain: z.string(),
    path: z.string(),
    /** What is asked for: it follows the app’s port and HTTPS. */
    url: z.string(),
    everyMs: z.number().int(),
    setUpAt: epochMsSchema,
    state: z.enum(uptimeStates),
    since: epochMsSchema,
    /** Online or Offline; null while neither can be said. An app that fails and is not confirmed down is still online. */
    online: z.boolean().nullable(),
    latest: uptimeCheckSchema.nullable(),
  })
  .meta({ id: 'Uptime' });
export type Uptime = z.output<typeof uptimeSchema>;

export const uptimeWithSeriesSchema = uptimeSchema
  .extend({
    /** Percent of the checks of the last 24 hours, and of the last 30 days, that found the app up; null without any. */
    availability: z.object({ day: z.number().nullable(), month: z.number().nullable() }),
    timeseries: timeseriesOf(uptimePointSchema),
    /** At most the last 20, newest first. */
    incidents: z.array(uptimeIncidentSchema),
  })
  .meta({ id: 'UptimeWithSeries' });
export type UptimeWithSeries = z.output<typeof uptimeWithSeriesSchema>;

const byId = z.object({ id: idSchema });

/** Part of the api: what changes something is asked of it. */
export const uptimeRoutes = {
  'PUT /api/apps/:id/uptime': {
    access: 'signed-in',
    summary: 'Check the app at one of its domains from now on, in place of what was checked before',
    params: byId,
    body: z.strictObject({
      domain: storableText(hostnameCharacters, `A domain has at most ${hostnameCharacters} characters.`).min(
        1,
        'Choose a domain.',
      ),
      path: boundedText(200, 'A path has at most 200 characters.')
        .regex(/^\/[!"$-[\]-~]*$/, 'Enter a path such as /health.')
        .default('/'),
    }),
    reply: uptimeSchema,
  },
  'DELETE /api/apps/:id/uptime': {
    access: 'signed-in',
    summary: 'Check the app no longer, and forget what was measured',
    params: byId,
    reply: z.object({ removed: z.literal(true) }),
  },
} as const satisfies RouteTable;

/** Part of the monitor. */
export const uptimeMonitorRoutes = {
  'GET /monitor/uptime': {
    access: 'signed-in',
    summary: 'Whether one’s own apps are up; those that are not checked are not in it',
    reply: z.array(uptimeSchema),
  },
  'GET /monitor/uptime/:monitorId': {
    access: 'signed-in',
    summary: 'One app’s checks with their series and incidents; null where it is not checked',
    params: z.object({ monitorId: storableText(64).min(1) }),
    reply: z.object({ uptime: uptimeWithSeriesSchema.nullable() }),
  },
} as const satisfies RouteTable;
