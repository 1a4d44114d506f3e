import { z } from 'zod';

/** What the console sends to a process that makes or reads a backup. One order a process. */
export const orderSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('make'),
    storeUrl: z.string(),
    secret: z.string(),
    file: z.string(),
    recipient: z.string().nullable(),
    /** A folder for the PostgreSQL of a test restore; null: none is asked for. */
    proveIn: z.string().nullable(),
    /** The folder of the programs of that PostgreSQL. Without it they are those that Homeport brings. */
    programs: z.string().optional(),
  }),
  z.object({ kind: z.literal('read'), file: z.string() }),
]);
export type Order = z.infer<typeof orderSchema>;

const proofSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('proven') }),
  z.object({ state: z.enum(['failed', 'skipped']), note: z.string() }),
]);

/** What the process answers, once it takes orders and when the order, or a part of it, is done. */
export const answerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('made'), rows: z.number(), bytes: z.number(), sha256: z.string() }),
  /** Follows `made` where a proof was asked for. */
  z.object({ kind: z.literal('tried'), proof: proofSchema }),
  z.object({ kind: z.literal('read'), sha256: z.string() }),
  /** In words for the owner. */
  z.object({ kind: z.literal('failed'), why: z.string() }),
]);
export type Answer = z.infer<typeof answerSchema>;
