import { planeShareNumbers } from '@homeport/contract/shares/plane';
import { type Place, Recency } from '../recency.ts';
import type { FlatHeaders } from '../response/response-headers.ts';

/** An answer as visitors get it. */
export type CachedAnswer = {
  site: string;
  /** The account of the site. */
  owner: string;
  domain: string;
  /** Of the rule that made it: a changed rule misses by itself. */
  mark: string;
  status: number;
  headers: FlatHeaders;
  body: Buffer;
  /** In milliseconds of the monotonic clock. */
  storedAt: number;
  /** The age that it had when it came, in seconds. */
  age: number;
  freshUntil: number;
  /** Until then it may be given while it is fetched anew, and after a failure. */
  usableUntil: { renewing: number; failed: number };
  isPublic: boolean;
  /** Names of request headers, and the values for which this answer was made. */
  vary: { names: readonly string[]; values: readonly string[] };
  /** What asks the upstream whether the answer still holds; empty where it cannot be asked. */
  validators: readonly string[];
};

export type EntryStore = {
  find(key: string): readonly CachedAnswer[];
  put(key: string, answer: CachedAnswer): void;
  drop(key: string): void;
  /**
   * Drops the answers of a domain whose address fits, a part at a time. Resolves with how many. No more than what is kept of the domain
   * is looked at, once for all calls that wait for their turn.
   */
  dropFitting(domain: string, fits: Fits): Promise<number>;
  readonly bytes: number;
};

type Fits = (key: string) => boolean;
type Dropping = { domain: string; fits: Fits; dropped: number; done(dropped: number): void };

export type CacheBounds = { bytes: number; entries: number; answersOfOneAddress: number };

const sliceMs = 5;
const ofOneAccount = planeShareNumbers.cacheOfAccount;

type Entry = { key: string; answers: CachedAnswer[] };
type Kept = { entry: Entry; place: Place<Entry>; ofDomain: Holding; ofAccount: Holding };
/** What a domain or an account keeps, in the order of its last use. */
type Group = { name: string; used: Recency<Entry>; bytes: number; entries: number };
type Groups = Map<string, Group>;
type Holding = { group: Group; place: Place<Entry> };

/**
 * Keeps what was used last, within a bound of bytes and one of addresses. One account has at most a quarter of each, so that its sites and
 * their visitors leave most of the cache to others.
 */
export function createEntryStore(bounds: CacheBounds): EntryStore {
  const all = new Map<string, Kept>();
  const used = new Recency<Entry>();
  const domains: Groups = new Map();
  const accounts: Groups = new Map();
  let bytes = 0;
  let waiting: Dropping[] = [];
  let isDropping = false;

  function drop(key: string): void {
    const kept = all.get(key);
    if (!kept) return;
    const { entry, place, ofDomain, ofAccount } = kept;
    all.delete(key);
    used.remove(place);
    bytes -= sizeOf(entry);
    leave(domains, ofDomain, entry);
    leave(accounts, ofAccount, entry);
  }
  function add(entry: Entry, { domain, owner }: CachedAnswer): Group {
    const ofDomain = enter(domains, domain, entry);
    const ofAccount = enter(accounts, owner, entry);
    all.set(entry.key, { entry, place: used.add(entry), ofDomain, ofAccount });
    bytes += sizeOf(entry);
    return ofAccount.group;
  }

  async function dropInParts(domain: string, together: readonly Dropping[]): Promise<void> {
    let until = performance.now() + sliceMs;
    // A copy: an address that gets another answer meanwhile goes to the end, with its older ones.
    for (const { key } of domains.get(domain)?.used.values() ?? []) {
      const fitting = all.has(key) ? together.filter(({ fits }) => fits(key)) : [];
      if (fitting.length > 0) drop(key);
      for (const one of fitting) one.dropped += 1;
      if (performance.now() < until) continue;
      await new Promise(setImmediate);
      until = performance.now() + sliceMs;
    }
  }

  /** One domain after the other: many at once would take their parts in one turn of the event loop. */
  async function dropWaiting(): Promise<void> {
    if (isDropping) return;
    isDropping = true;
    for (let domain = waiting[0]?.domain; domain !== undefined; domain = waiting[0]?.domain) {
      const together = waiting.filter((one) => one.domain === domain);
      waiting = waiting.filter((one) => one.domain !== domain);
      await dropInParts(domain, together);
      for (const { done, dropped } of together) done(dropped);
    }
    isDropping = false;
  }

  return {
    find(key) {
      const kept = all.get(key);
      if (!kept) return none;
      used.use(kept.place);
      use(kept.ofDomain);
      use(kept.ofAccount);
      return kept.entry.answers;
    },
    put(key, answer) {
      const others = (all.get(key)?.entry.answers ?? []).filter(
        ({ vary, mark, site }) => mark === answer.mark && site === answer.site && !isSame(vary, answer.vary),
      );
      drop(key);
      const answers = [answer, ...others].slice(0, bounds.answersOfOneAddress);
      const account = add({ key, answers }, answer);
      while (account.bytes > bounds.bytes * ofOneAccount || account.entries > bounds.entries * ofOneAccount)
        drop(account.used.oldest?.key ?? '');
      while (bytes > bounds.bytes || all.size > bounds.entries) drop(used.oldest?.key ?? '');
    },
    drop,
    dropFitting(domain, fits) {
      return new Promise((done) => {
        waiting.push({ domain, fits, dropped: 0, done });
        void dropWaiting();
      });
    },
    get bytes() {
      return bytes;
    },
  };
}

const none: readonly CachedAnswer[] = [];

function enter(groups: Groups, name: string, entry: Entry): Holding {
  const group = groups.get(name) ?? { name, used: new Recency(), bytes: 0, entries: 0 };
  groups.set(name, group);
  group.entries += 1;
  group.bytes += sizeOf(entry);
  return { group, place: group.used.add(entry) };
}

function use({ group, place }: Holding): void {
  group.used.use(place);
}

function leave(groups: Groups, { group, place }: Holding, entry: Entry): void {
  group.used.remove(place);
  group.entries -= 1;
  group.bytes -= sizeOf(entry);
  if (group.entries === 0) groups.delete(group.name);
}

function sizeOf({ key, answers }: Entry): number {
  return answers.reduce(
    (sum, { body, headers }) =>
      sum + body.length + 2 * key.length + headers.reduce((all, text) => all + text.length, 512),
    0,
  );
}

function isSame(a: CachedAnswer['vary'], b: CachedAnswer['vary']): boolean {
  return a.names.join() === b.names.join() && a.values.join('\n') === b.values.join('\n');
}
