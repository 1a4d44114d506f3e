import { z } from 'zod';
import { serviceSettingsSchema } from './service-settings.ts';

/** What the console sends to the process of the proxy service. */
export const orderSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('begin'),
    settings: serviceSettingsSchema,
    storeUrl: z.string(),
    /** How long the service goes on without its console. */
    aloneMs: z.number(),
  }),
  z.object({ kind: z.literal('ping') }),
  z.object({ kind: z.literal('end') }),
]);
export type Order = z.infer<typeof orderSchema>;

/** What the process of the proxy service sends to the console. */
export const reportSchema = z.discriminatedUnion('kind', [
  /** The process takes orders from now on. Node drops earlier ones. */
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('serving') }),
  /** The process could not begin, and ends. */
  z.object({ kind: z.literal('refused'), code: z.string(), port: z.number().nullable(), text: z.string() }),
  z.object({ kind: z.literal('failed'), what: z.string(), text: z.string() }),
  z.object({ kind: z.literal('pong') }),
]);
export type Report = z.infer<typeof reportSchema>;
