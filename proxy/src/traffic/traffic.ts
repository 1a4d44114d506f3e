import { z } from 'zod';
import type { SiteTable } from '../reload/site-table.ts';

/** What a plane needs to know besides its sites. It passes from one process to another, so it is plain data. */
export const trafficSettingsSchema = z.object({
  host: z.string(),
  port: z.number(),
  /** Names this plane in Via and CDN-Loop. */
  id: z.string(),
  /** The key of the proof that requests for a domain arrive here, in hex. */
  proofKey: z.string(),
  trusted: z.object({
    networks: z.array(z.string()),
    cdnNetworks: z.array(z.string()),
    secretHash: z.string().nullable(),
  }),
  upstreams: z.object({
    allowPrivate: z.array(z.string()),
    own: z.object({ ports: z.array(z.number()), names: z.array(z.string()) }),
  }),
  bodyBytes: z.number().nullable(),
});
export type TrafficSettings = z.infer<typeof trafficSettingsSchema>;

/** Whoever answers the visitors: this process, or several of its own. */
export type Traffic = {
  /** Takes the sites. What is put here is served. */
  table: SiteTable;
  listen(): Promise<void>;
  /** Drops cached answers everywhere. The number of answers, or null for a bad beginning. */
  purge(startsWith: string): Promise<number | null>;
  /** Resolves when everything that was put into the table is served. */
  settled(): Promise<void>;
  /** How many processes answer now. */
  processes(): number;
  /** Lets what is under way end, and stops. */
  drain(): Promise<void>;
};
