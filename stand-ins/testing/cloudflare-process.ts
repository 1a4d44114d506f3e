import { type CloudflareStandIn, type StandInZone, startCloudflareStandIn } from '../src/cloudflare/index.ts';
import { holdAgainstDocument } from './cloudflare-document.ts';
import { cloudflareVerbs as verbs } from './cloudflare-verbs.ts';
import { obey, verb } from './obey.ts';
import { createSpoiler, type Spoiler } from './spoil-cloudflare.ts';

// A process that is Cloudflare and nothing else, from `begin` to `end`. `start-cloudflare.ts` asks for both.

type Begun = {
  standIn: CloudflareStandIn;
  spoiler: Spoiler;
  zones: Map<string, StandInZone>;
  exchanges: { method: string; path: string; query: string }[];
  violations: string[];
};

const check = holdAgainstDocument();
let begun: Begun | null = null;

/** Cloudflare without a zone, on a port of its own: what an earlier test left does not reach it. */
async function begin(): Promise<Begun> {
  const [exchanges, violations]: [Begun['exchanges'], string[]] = [[], []];
  const standIn = await startCloudflareStandIn({
    onExchange(exchange) {
      const { method, path, query } = exchange;
      exchanges.push({ method, path, query: String(query) });
      violations.push(...check(exchange));
    },
  });
  const spoiler = createSpoiler();
  standIn.spoil(spoiler.spoil);
  return { standIn, spoiler, zones: new Map(), exchanges, violations };
}

function now(): Begun {
  if (!begun) throw new Error('Cloudflare has not begun.');
  return begun;
}

function zoneOf(id: string): StandInZone {
  const zone = now().zones.get(id);
  if (!zone) throw new Error(`There is no zone ${id}.`);
  return zone;
}

obey<typeof verbs>({
  begin: verb(verbs.begin, async () => {
    begun = await begin();
    return { url: begun.standIn.url };
  }),
  end: verb(verbs.end, async () => {
    const { standIn, violations } = now();
    begun = null;
    await standIn.close();
    return violations;
  }),
  addZones: verb(verbs.addZones, (added) =>
    added.map(({ name, ...facts }) => {
      const zone = now().standIn.addZone(name, facts);
      now().zones.set(zone.id, zone);
      return zone.id;
    }),
  ),
  addRecords: verb(verbs.addRecords, ({ zone, records }) =>
    records.map((record) => now().standIn.addRecord(zoneOf(zone), record).id),
  ),
  changeRecord: verb(verbs.changeRecord, ({ zone, id, content }) => {
    const record = zoneOf(zone).records.get(id);
    if (!record) throw new Error(`There is no record ${id}.`);
    record.content = content;
  }),
  removeRecords: verb(verbs.removeRecords, (zone) => zoneOf(zone).records.clear()),
  recordsOf: verb(verbs.recordsOf, (zone) => [...zoneOf(zone).records.values()]),
  grant: verb(verbs.grant, (grant) => now().standIn.grant(grant)),
  revoke: verb(verbs.revoke, (secret) => now().standIn.revoke(secret)),
  refuseNext: verb(verbs.refuseNext, ({ requests, retryAfterSeconds }) =>
    now().standIn.refuseNext(requests, retryAfterSeconds),
  ),
  answerBadly: verb(verbs.answerBadly, (bad) => now().spoiler.answerWith(bad)),
  answerWell: verb(verbs.answerWell, () => now().spoiler.answerWith(null)),
  holdNext: verb(verbs.holdNext, (path) => now().spoiler.holdNext(path)),
  isHolding: verb(verbs.isHolding, () => now().spoiler.isHolding()),
  answerHeld: verb(verbs.answerHeld, (bad) => now().spoiler.answerHeld(bad)),
  exchanges: verb(verbs.exchanges, () => now().exchanges),
  forgetExchanges: verb(verbs.forgetExchanges, () => {
    now().exchanges.length = 0;
  }),
  violations: verb(verbs.violations, () => now().violations),
});
