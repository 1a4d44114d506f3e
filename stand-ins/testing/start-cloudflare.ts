import {
  type BadAnswer,
  type GrantAtCloudflare,
  type NewRecord,
  type NewZone,
  type RecordAtCloudflare,
  cloudflareVerbs as verbs,
} from './cloudflare-verbs.ts';
import { lendProcess } from './lend-process.ts';

/** Zones and records are named by their ids. */
export type CloudflareProcess = AsyncDisposable & {
  /** The base address, with `/client/v4`. */
  url: string;
  /** Resolves with the zone's id. */
  addZone(name: string, type?: NewZone['type']): Promise<string>;
  addZones(zones: readonly NewZone[]): Promise<void>;
  /** Resolves with the record's id. */
  addRecord(zone: string, record: NewRecord): Promise<string>;
  addRecords(zone: string, records: readonly NewRecord[]): Promise<string[]>;
  changeRecord(zone: string, id: string, to: { content: string }): Promise<void>;
  /** Removes all records of the zone. */
  removeRecords(zone: string): Promise<void>;
  recordsOf(zone: string): Promise<RecordAtCloudflare[]>;
  /** Lets a credential in: to every zone, unless `zones` has the names of some. */
  grant(grant: GrantAtCloudflare): Promise<void>;
  revoke(secret: string): Promise<void>;
  /** Refuses the next requests with 429, and says after how many seconds Cloudflare goes on. */
  refuseNext(requests: number, retryAfterSeconds: number): Promise<void>;
  /** Answers every request like this until `answerWell`. */
  answerBadly(bad: BadAnswer): Promise<void>;
  answerWell(): Promise<void>;
  /** Lets the next request for this path, below `/client/v4`, wait for `answerHeld`. */
  holdNext(path: string): Promise<void>;
  /** Resolves as soon as that request has come. */
  isHolding(): Promise<void>;
  answerHeld(answer: BadAnswer): Promise<void>;
  /** What was asked so far and answered by Cloudflare's rules. The query is without `?`. */
  exchanges(): Promise<{ method: string; path: string; query: string }[]>;
  forgetExchanges(): Promise<void>;
  /** What was wrong so far with requests and answers, by Cloudflare's own document. */
  violations(): Promise<string[]>;
};

/**
 * Starts Cloudflare, without zones, as a process of its own, which holds every request and answer against Cloudflare's OpenAPI
 * document. Its disposal fails when one did not fit.
 */
export async function startCloudflare(): Promise<CloudflareProcess> {
  const { ask, giveBack } = await lendProcess('cloudflare-process.ts', verbs);
  const { url } = await ask(verbs.begin, null);
  return {
    url,
    async addZone(name, type) {
      const [id = ''] = await ask(verbs.addZones, [{ name, ...(type && { type }) }]);
      return id;
    },
    addZones: async (zones) => void (await ask(verbs.addZones, [...zones])),
    async addRecord(zone, record) {
      const [id = ''] = await ask(verbs.addRecords, { zone, records: [record] });
      return id;
    },
    addRecords: (zone, records) => ask(verbs.addRecords, { zone, records: [...records] }),
    changeRecord: async (zone, id, to) => void (await ask(verbs.changeRecord, { zone, id, ...to })),
    removeRecords: async (zone) => void (await ask(verbs.removeRecords, zone)),
    recordsOf: (zone) => ask(verbs.recordsOf, zone),
    grant: async (grant) => void (await ask(verbs.grant, grant)),
    revoke: async (secret) => void (await ask(verbs.revoke, secret)),
    refuseNext: async (requests, retryAfterSeconds) =>
      void (await ask(verbs.refuseNext, { requests, retryAfterSeconds })),
    answerBadly: async (bad) => void (await ask(verbs.answerBadly, bad)),
    answerWell: async () => void (await ask(verbs.answerWell, null)),
    holdNext: async (path) => void (await ask(verbs.holdNext, path)),
    isHolding: async () => void (await ask(verbs.isHolding, null)),
    answerHeld: async (answer) => void (await ask(verbs.answerHeld, answer)),
    exchanges: () => ask(verbs.exchanges, null),
    forgetExchanges: async () => void (await ask(verbs.forgetExchanges, null)),
    violations: () => ask(verbs.violations, null),
    async [Symbol.asyncDispose]() {
      const violations = await ask(verbs.end, null);
      giveBack();
      if (violations.length > 0)
        throw new Error(`Cloudflare’s document refuses: ${[...new Set(violations)].join('\n')}`);
    },
  };
}
