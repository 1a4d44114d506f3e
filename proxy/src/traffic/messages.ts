import { z } from 'zod';
import { trafficSettingsSchema } from './traffic.ts';

const siteSchema = z.object({
  ...{ id: z.string(), domain: z.string(), owner: z.string(), version: z.number(), text: z.string() },
});
const useSchema = z.object({
  ...{ proxyId: z.string(), rule: z.string(), at: z.number(), requests: z.number(), errors: z.number() },
  ...{ hits: z.number(), bytes: z.number(), latencyMs: z.number(), latencyMaxMs: z.number() },
});

/** What the first process tells a worker. A worker acts on them in their order, and answers those with a `call`. */
export const orderSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begin'), settings: trafficSettingsSchema }),
  z.object({ kind: z.literal('restore'), sites: z.array(siteSchema) }),
  z.object({ kind: z.literal('listen'), call: z.number() }),
  z.object({ kind: z.literal('put'), site: siteSchema }),
  z.object({ kind: z.literal('remove'), proxy: z.object({ id: z.string(), version: z.number() }) }),
  z.object({ kind: z.literal('free'), name: z.object({ domain: z.string(), version: z.number() }) }),
  z.object({ kind: z.literal('settle'), call: z.number() }),
  z.object({ kind: z.literal('purge'), startsWith: z.string(), call: z.number() }),
  z.object({ kind: z.literal('drain'), call: z.number() }),
]);
export type Order = z.infer<typeof orderSchema>;

/** What a worker tells the first process. */
export const reportSchema = z.discriminatedUnion('kind', [
  /** It hears orders from now on. Earlier ones are lost. */
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('done'), call: z.number(), purged: z.number().nullable() }),
  z.object({ kind: z.literal('refused'), call: z.number(), code: z.string() }),
  z.object({ kind: z.literal('use'), use: z.array(useSchema) }),
  z.object({ kind: z.literal('failed'), text: z.string() }),
]);
export type Report = z.infer<typeof reportSchema>;
