import { z } from 'zod';
import type { Verbs } from './verbs.ts';

const nothing = z.null();
const zoneSchema = z.object({
  name: z.string(),
  type: z.enum(['full', 'partial', 'secondary']).exactOptional(),
});
const newRecordSchema = z.object({
  type: z.string(),
  name: z.string(),
  content: z.string(),
  proxied: z.boolean().default(false),
  priority: z.int().exactOptional(),
  comment: z.string().exactOptional(),
});
const recordSchema = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  content: z.string(),
  proxied: z.boolean(),
});
const grantSchema = z.object({
  secret: z.string(),
  email: z.string().exactOptional(),
  verifies: z.boolean().exactOptional(),
  status: z.enum(['active', 'disabled', 'expired']).exactOptional(),
  expiresOn: z.string().exactOptional(),
  zones: z.union([z.array(z.string()), z.literal('all')]).default('all'),
  lacks: z
    .object({
      zoneRead: z.boolean().exactOptional(),
      dnsRead: z.boolean().exactOptional(),
      editsOf: z.union([z.array(z.string()), z.literal('all')]).exactOptional(),
    })
    .exactOptional(),
});
const badAnswerSchema = z.union([
  /** The connection ends without an answer. */
  z.literal('hang_up'),
  z.object({
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    /** `{authorization}` in it becomes the header of the request. */
    body: z.string(),
  }),
]);

export type NewZone = z.input<typeof zoneSchema>;
export type NewRecord = z.input<typeof newRecordSchema>;
export type RecordAtCloudflare = z.output<typeof recordSchema>;
export type GrantAtCloudflare = z.input<typeof grantSchema>;
export type BadAnswer = z.output<typeof badAnswerSchema>;

/** What may be asked of the process that is Cloudflare. Zones and records are named by their ids. */
export const cloudflareVerbs = {
  begin: { given: nothing, told: z.object({ url: z.string() }) },
  end: { given: nothing, told: z.array(z.string()) },
  addZones: { given: z.array(zoneSchema), told: z.array(z.string()) },
  addRecords: {
    given: z.object({ zone: z.string(), records: z.array(newRecordSchema) }),
    told: z.array(z.string()),
  },
  changeRecord: {
    given: z.object({ zone: z.string(), id: z.string(), content: z.string() }),
    told: nothing,
  },
  removeRecords: { given: z.string(), told: nothing },
  recordsOf: { given: z.string(), told: z.array(recordSchema) },
  grant: { given: grantSchema, told: nothing },
  revoke: { given: z.string(), told: nothing },
  refuseNext: { given: z.object({ requests: z.int(), retryAfterSeconds: z.int() }), told: nothing },
  answerBadly: { given: badAnswerSchema, told: nothing },
  answerWell: { given: nothing, told: nothing },
  holdNext: { given: z.string(), told: nothing },
  isHolding: { given: nothing, told: nothing },
  answerHeld: { given: badAnswerSchema, told: nothing },
  exchanges: {
    given: nothing,
    told: z.array(z.object({ method: z.string(), path: z.string(), query: z.string() })),
  },
  forgetExchanges: { given: nothing, told: nothing },
  violations: { given: nothing, told: z.array(z.string()) },
} satisfies Verbs;
