import { z } from 'zod';

/**
 * What Homeport reads of Cloudflare's answers. Lengths stand first: nothing reads a text that is longer than Cloudflare's own bounds
 * allow. Unknown fields are dropped.
 */

const text = (most: number) => z.string().max(most);
const id = z
  .string()
  .length(32)
  .regex(/^[0-9a-f]{32}$/);
/** RFC 3339, as Cloudflare tells times; in epoch milliseconds. */
const moment = text(40)
  .transform((value) => Date.parse(value))
  .pipe(z.number().int().nonnegative().max(8_640_000_000_000_000));

const chained = z.object({ code: z.number(), message: text(4_000) });
export const errorSchema = chained.extend({ error_chain: z.array(chained).max(20).optional() });
export type CloudflareError = z.output<typeof errorSchema>;

/** The envelope of every answer. A `messages` list is no list of errors: a good verify has one too. */
export const envelopeSchema = z.object({
  success: z.boolean(),
  errors: z.array(errorSchema).max(100),
  result: z.unknown(),
  result_info: z.object({ total_pages: z.number().int().nonnegative().optional() }).nullish(),
});

export const verifySchema = z.object({
  status: z.enum(['active', 'disabled', 'expired']),
  expires_on: moment.optional(),
  not_before: moment.optional(),
});

export const userSchema = z.object({ email: text(254).optional() });

const zoneSchema = z.object({
  id,
  name: text(253),
  status: text(40),
  type: text(40),
  paused: z.boolean().default(false),
  created_on: moment,
});
export type CloudflareZone = z.output<typeof zoneSchema>;
export const zonesSchema = z.array(zoneSchema).max(50);

const uint = z.number().nonnegative().max(65_535);
const caa = z.object({ flags: uint, tag: text(255), value: text(4_096) });
const srv = z.object({ priority: uint, weight: uint, port: uint, target: text(255) });

const recordSchema = z
  .object({
    id,
    name: text(255),
    type: text(20),
    // A long TXT record, as Cloudflare shows it: parts in quotes.
    content: text(10_000).default(''),
    ttl: z.number().nonnegative().max(2_147_483_647),
    proxied: z.boolean().default(false),
    priority: uint.nullish(),
    data: z.record(z.string().max(100), z.unknown()).nullish(),
    comment: text(10_000).nullish(),
  })
  .transform(({ data, ...record }) => ({
    ...record,
    caa: record.type === 'CAA' ? (caa.safeParse(data).data ?? null) : null,
    srv: record.type === 'SRV' ? (srv.safeParse(data).data ?? null) : null,
  }));
export type CloudflareRecord = z.output<typeof recordSchema>;
export const oneRecordSchema = recordSchema;
export const recordsPerPage = 500;
export const recordsSchema = z.array(recordSchema).max(recordsPerPage);
export const deletedSchema = z.object({ id });
export const batchSchema = z.object({ posts: z.array(recordSchema).max(200).nullish() });
