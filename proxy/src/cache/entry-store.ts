import { type Place, Recency } from '../recency.ts';
import type { FlatHeaders } from '../response/response-headers.ts';

/** An answer as visitors get it. */
export type CachedAnswer = {
  site: string;
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
  /** Drops the answers whose address fits, a part at a time. Resolves with how many. */
  dropFitting(fits: (key: string) => boolean): Promise<number>;
  readonly bytes: number;
};

export type CacheBounds = { bytes: number; entries: number; answersOfOneAddress: number };

const sliceMs = 5;

type Entry = { key: string; answers: CachedAnswer[] };
type Kept = { entry: Entry; site: SiteEntries; place: Place<Entry>; ofSite: Place<Entry> };
type SiteEntries = { used: Recency<Entry>; bytes: number; entries: number };

/** Keeps what was used last, within a bound of bytes. One site has at most a quarter of it. */
export function createEntryStore(bounds: CacheBounds): EntryStore {
  const all = new Map<string, Kept>();
  const used = new Recency<Entry>();
  const sites = new Map<string, SiteEntries>();
  let bytes = 0;
  let dropping: Promise<unknown> = Promise.resolve();

  function drop(key: string): void {
    const kept = all.get(key);
    if (!kept) return;
    const { entry, site, place, ofSite } = kept;
    all.delete(key);
    used.remove(place);
    site.used.remove(ofSite);
    site.entries -= 1;
    count(site, -sizeOf(entry));
    const [answer] = entry.answers;
    if (site.entries === 0 && answer) sites.delete(answer.site);
  }
  function count(site: SiteEntries, size: number): void {
    bytes += size;
    site.bytes += size;
  }
  function add(entry: Entry, siteId: string): SiteEntries {
    const site = sites.get(siteId) ?? { used: new Recency(), bytes: 0, entries: 0 };
    sites.set(siteId, site);
    all.set(entry.key, { entry, site, place: used.add(entry), ofSite: site.used.add(entry) });
    site.entries += 1;
    count(site, sizeOf(entry));
    return site;
  }

  async function dropInParts(fits: (key: string) => boolean): Promise<number> {
    let dropped = 0;
    let until = performance.now() + sliceMs;
    // A copy: an address that gets another answer meanwhile goes to the end, with its older ones.
    for (const key of [...all.keys()]) {
      if (fits(key) && all.has(key)) {
        drop(key);
        dropped += 1;
      }
      if (performance.now() < until) continue;
      await new Promise(setImmediate);
      until = performance.now() + sliceMs;
    }
    return dropped;
  }

  return {
    find(key) {
      const kept = all.get(key);
      if (!kept) return none;
      used.use(kept.place);
      kept.site.used.use(kept.ofSite);
      return kept.entry.answers;
    },
    put(key, answer) {
      const others = (all.get(key)?.entry.answers ?? []).filter(
        ({ vary, mark, site }) => mark === answer.mark && site === answer.site && !isSame(vary, answer.vary),
      );
      drop(key);
      const answers = [answer, ...others].slice(0, bounds.answersOfOneAddress);
      const site = add({ key, answers }, answer.site);
      while (site.bytes > bounds.bytes / 4) drop(site.used.oldest?.key ?? '');
      while (bytes > bounds.bytes || all.size > bounds.entries) drop(used.oldest?.key ?? '');
    },
    drop,
    dropFitting(fits) {
      // Many at once would take their parts in one turn of the event loop.
      const dropped = dropping.then(() => dropInParts(fits));
      dropping = dropped.catch(() => undefined);
      return dropped;
    },
    get bytes() {
      return bytes;
    },
  };
}

const none: readonly CachedAnswer[] = [];

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
