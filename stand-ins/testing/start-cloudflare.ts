import { z } from 'zod';
import { runProcess } from './run-process.ts';

const recordSchema = z.object({ type: z.string(), name: z.string(), content: z.string() });
export type RecordAtCloudflare = z.output<typeof recordSchema>;

export type NewRecord = RecordAtCloudflare & { proxied?: boolean; priority?: number };
export type NewZone = { name: string; type?: 'full' | 'partial' | 'secondary' };

export type CloudflareProcess = {
  /** The base address, with `/client/v4`. */
  url: string;
  /** Resolves with the zone's id. */
  addZone(name: string, type?: NewZone['type']): Promise<string>;
  addZones(zones: readonly NewZone[]): Promise<void>;
  addRecords(zone: string, records: readonly NewRecord[]): Promise<void>;
  recordsOf(zone: string): Promise<RecordAtCloudflare[]>;
  /** Lets a token in, to every zone. */
  grant(secret: string): Promise<void>;
  /** What was wrong with requests and answers, by Cloudflare's own document. A test expects none. */
  violations(): Promise<string[]>;
  close(): Promise<void>;
};

/** Starts Cloudflare as a process of its own, which holds every request and answer against Cloudflare's OpenAPI document. */
export async function startCloudflare(): Promise<CloudflareProcess> {
  const { report, ask, close } = await runProcess('cloudflare-process.ts', z.object({ url: z.string() }));
  const nothing = z.null();
  const ids = z.array(z.string());
  return {
    url: report.url,
    async addZone(name, type) {
      const [id = ''] = await ask('addZones', [{ name, type }], ids);
      return id;
    },
    addZones: async (zones) => void (await ask('addZones', zones, ids)),
    addRecords: async (zone, records) => void (await ask('addRecords', { zone, records }, nothing)),
    recordsOf: (zone) => ask('recordsOf', zone, z.array(recordSchema)),
    grant: async (secret) => void (await ask('grant', secret, nothing)),
    violations: () => ask('violations', null, z.array(z.string())),
    close,
  };
}
