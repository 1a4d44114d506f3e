import { z } from 'zod';

/** What the console sends to a process that makes or reads a backup. One order a process. */
export const orderSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('make'),
    storeUrl: z.string(),
    secret: z.string(),
    file: z.string(),
    recipient: z.string().nullable(),
  }),
  z.object({ kind: z.literal('read'), file: z.string() }),
]);
export type Order = z.infer<typeof orderSchema>;

/** What the process answers, once it takes orders and when the order is done. */
export const answerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('made'), rows: z.number(), bytes: z.number(), sha256: z.string() }),
  z.object({ kind: z.literal('read'), sha256: z.string() }),
  /** In words for the owner. */
  z.object({ kind: z.literal('failed'), why: z.string() }),
]);
export type Answer = z.infer<typeof answerSchema>;
