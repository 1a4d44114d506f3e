import { z } from 'zod';
import { type Exchange, type StandInZone, startCloudflareStandIn } from '../src/cloudflare/index.ts';
import { holdAgainstDocument } from './cloudflare-document.ts';
import { obey, verb } from './obey.ts';

// A process that is Cloudflare and nothing else. `start-cloudflare.ts` starts it.

const violations: string[] = [];
const check = holdAgainstDocument();
const cloudflare = await startCloudflareStandIn({
  onExchange: (exchange: Exchange) => void violations.push(...check(exchange)),
});
const zones = new Map<string, StandInZone>();

function zoneOf(id: string): StandInZone {
  const zone = zones.get(id);
  if (!zone) throw new Error(`There is no zone ${id}.`);
  return zone;
}

const newZoneSchema = z.object({
  name: z.string(),
  type: z.enum(['full', 'partial', 'secondary']).default('full'),
});
const newRecordSchema = z.object({
  type: z.string(),
  name: z.string(),
  content: z.string(),
  proxied: z.boolean().default(false),
  priority: z.int().optional(),
});

obey(
  {
    addZones: verb(z.array(newZoneSchema), (added) =>
      added.map(({ name, type }) => {
        const zone = cloudflare.addZone(name, { type });
        zones.set(zone.id, zone);
        return zone.id;
      }),
    ),
    addRecords: verb(z.object({ zone: z.string(), records: z.array(newRecordSchema) }), (given) => {
      for (const { priority, ...record } of given.records)
        cloudflare.addRecord(zoneOf(given.zone), {
          ...record,
          ...(priority === undefined ? {} : { priority }),
        });
    }),
    recordsOf: verb(z.string(), (id) => [...zoneOf(id).records.values()]),
    grant: verb(z.string(), (secret) => cloudflare.grant({ secret, zones: 'all' })),
    violations: verb(z.null(), () => violations),
  },
  { url: cloudflare.url },
  () => cloudflare.close(),
);
