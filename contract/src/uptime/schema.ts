import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { epochMsSchema, idSchema, storableText } from '../fields/schema.ts';
import type { RouteTable } from '../route.ts';
import { timeseriesOf } from '../timeseries.ts';

/** How apps are checked from outside. Milliseconds. */
export const uptimeRules = {
  everyMs: 60_000,
  /** Of one attempt as a whole: name, connection, every redirect, headers and body. */
  deadlineMs: 10_000,
  /** A failed check is tried again at once, on a new connection; once more after this, and then it counts. */
  confirmAfterMs: 20_000,
  /** Checks in a row that must say the opposite before an app is down, or up again. */
  confirmations: 2,
  redirects: 5,
  bodyBytes: 1_048_576,
} as const;

/** Days before a certificate ends at which it is warned about; 0 is the end itself. */
export const certificateMarks = [21, 14, 7, 3, 1, 0] as const;

/** The last mark that a certificate has passed; null while it has longer than the first. */
export function certificateMark(validTo: number, now: number): number | null {
  const days = (validTo - now) / 86_400_000;
  return certificateMarks.findLast((mark) => days <= mark) ?? null;
}

/** In the order in which they happen; `total` is all of them and what lies between. */
export const uptimePhases = [
  'dnsLookup',
  'tcpConnection',
  'tlsHandshake',
  'firstByte',
  'contentTransfer',
  'total',
] as const;
export type UptimePhase = (typeof uptimePhases)[number];

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

/**
 * `paused`: the app is stopped, or the domain is no longer the app’s. `pending`: not checked yet, or failing and not yet
 * confirmed. `unknown`: the console could not find out, because its own network is away or the address is not to be checked.
 */
export const uptimeStateSchema = z.enum(['up', 'pending', 'down', 'paused', 'unknown']);
export type UptimeState = z.output<typeof uptimeStateSchema>;

export const uptimeCauseSchema = z.enum([
  'dns',
  'connect_refused',
  'connect_timeout',
  'connection_lost',
  'tls',
  'timeout_headers',
  'timeout_body',
  'bad_answer',
  'status',
  'redirect_loop',
  /** Refused by the console: a private address, a port or an address that it does not check. */
  'blocked_address',
  /** The console’s own network was away, or it was too busy. */
  'checker',
]);
export type UptimeCause = z.output<typeof uptimeCauseSchema>;

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
    cause: uptimeCauseSchema.nullable(),
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
    cause: uptimeCauseSchema,
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
    state: uptimeStateSchema,
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
      domain: storableText(253, 'A domain has at most 253 characters.').min(1, 'Choose a domain.'),
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
