import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { hostnameCharacters, pathCharacters } from '../fields/facts.ts';
import { epochMsSchema, idSchema, storableText } from '../fields/schema.ts';
import type { RouteTable } from '../route.ts';
import { timeseriesOf } from '../timeseries.ts';
import { uptimeCauses, uptimePeriods, uptimeStates } from './facts.ts';

const phase = z.number().nonnegative().nullable();
/**
 * Milliseconds, summed over redirects; null if a phase was not reached or does not apply (no TLS, no name).
 */
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
    /** Whether the certificate is made out for the host. */
    nameMatches: z.boolean(),
    /** Null if the certificate was accepted; otherwise the reason as OpenSSL names it: `CERT_HAS_EXPIRED`. */
    refusedFor: z.string().nullable(),
    /** The last of `certificateMarks` that the certificate has passed; null before the first. */
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
    /** Why the check failed, in a sentence; null if it succeeded. Never holds text of a body. */
    text: z.string().nullable(),
    /** The address of the last connection. */
    address: z.string().nullable(),
    redirects: z.number().int(),
    /** Bytes of the body that were read. */
    bytes: z.number().int().nullable(),
    /** The body is longer than the console reads. */
    truncated: z.boolean(),
    /** The certificate of the last https hop, even if it was refused. */
    certificate: uptimeCertificateSchema.nullable(),
  })
  .meta({ id: 'UptimeCheck' });
export type UptimeCheck = z.output<typeof uptimeCheckSchema>;

export const uptimePointSchema = z
  .object({
    /** When the check was made, or the beginning of its hour, day or month (UTC). */
    ts: epochMsSchema,
    /** How many checks found the app up, and how many found it down. */
    up: z.number().int(),
    down: z.number().int(),
    /** Averages of the checks that found the app up; `min` and `max` hold the smallest and largest values. */
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
    /** The first check that succeeded again, or the stop of the app; null while the app is down. */
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
    /** The address that is checked. It follows the app’s port and HTTPS. */
    url: z.string(),
    everyMs: z.number().int(),
    setUpAt: epochMsSchema,
    state: z.enum(uptimeStates),
    since: epochMsSchema,
    /**
     * Whether the app is Online or Offline; null while neither can be said. A failing app stays online until
     * the failure is confirmed.
     */
    online: z.boolean().nullable(),
    latest: uptimeCheckSchema.nullable(),
  })
  .meta({ id: 'Uptime' });
export type Uptime = z.output<typeof uptimeSchema>;

export const uptimeWithSeriesSchema = uptimeSchema
  .extend({
    /**
     * Percent of the checks that found the app up, over the last 24 hours and the last 30 days; null without
     * checks.
     */
    availability: z.object({ day: z.number().nullable(), month: z.number().nullable() }),
    timeseries: timeseriesOf(uptimePointSchema),
    /** At most the last 20, newest first. */
    incidents: z.array(uptimeIncidentSchema),
  })
  .meta({ id: 'UptimeWithSeries' });
export type UptimeWithSeries = z.output<typeof uptimeWithSeriesSchema>;

const uptimeBarsSchema = z
  .object({
    /** The begin of the first bar. */
    from: epochMsSchema,
    stepMs: z.number().int(),
    /** How many checks found the app up and down, oldest first. Both are 0 where nothing was checked. */
    bars: z.array(z.object({ up: z.number().int(), down: z.number().int() })),
  })
  .meta({ id: 'UptimeBars' });
export type UptimeBars = z.output<typeof uptimeBarsSchema>;

const byId = z.object({ id: idSchema });

/** Routes of the api, because they change something. */
export const uptimeRoutes = {
  'PUT /api/apps/:id/uptime': {
    access: 'signed-in',
    summary: 'Check the app at one of its domains from now on; this replaces an earlier check',
    params: byId,
    body: z.strictObject({
      domain: storableText(hostnameCharacters, `A domain has at most ${hostnameCharacters} characters.`).min(
        1,
        'Choose a domain.',
      ),
      path: boundedText(pathCharacters, `A path has at most ${pathCharacters} characters.`)
        .regex(/^\/[!"$-[\]-~]*$/, 'Enter a path such as /health.')
        .default('/'),
    }),
    reply: uptimeSchema,
  },
  'DELETE /api/apps/:id/uptime': {
    access: 'signed-in',
    summary: 'Stop checking the app, and delete what was measured',
    params: byId,
    reply: z.object({ removed: z.literal(true) }),
  },
} as const satisfies RouteTable;

/** Routes of the monitor. */
export const uptimeMonitorRoutes = {
  'GET /monitor/uptime': {
    access: 'signed-in',
    summary: 'Whether the user’s apps are up; an app without a check is left out',
    reply: z.array(uptimeSchema),
  },
  'GET /monitor/uptime/:monitorId': {
    access: 'signed-in',
    summary: 'One app’s checks with their series and incidents; null if the app has no check',
    params: z.object({ monitorId: storableText(64).min(1) }),
    reply: z.object({ uptime: uptimeWithSeriesSchema.nullable() }),
  },
  'GET /monitor/uptime/:monitorId/bars': {
    access: 'signed-in',
    summary:
      'How many checks found an app up and down, in steps of the last 24 hours, 7, 30 or 90 days (UTC)',
    params: z.object({ monitorId: storableText(64).min(1) }),
    query: z.object({ period: z.enum(uptimePeriods).default('24h') }),
    reply: uptimeBarsSchema,
  },
} as const satisfies RouteTable;
