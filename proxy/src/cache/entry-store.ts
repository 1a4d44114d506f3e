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
  isHtml: boolean;
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

/** Keeps what was used last, within a bound of bytes. One site has at most a quarter of it. */
export function createEntryStore(bounds: CacheBounds): EntryStore {
  const all = new Map<string, CachedAnswer[]>();
  const sites = new Map<string, { keys: Set<string>; bytes: number }>();
  let bytes = 0;

  function drop(key: string): void {
    const answers = all.get(key);
    if (!answers) return;
    all.delete(key);
    for (const answer of answers) count(answer, key, -1);
  }
  function count(answer: CachedAnswer, key: string, sign: 1 | -1): void {
    const size = sign * sizeOf(answer, key);
    bytes += size;
    const site = sites.get(answer.site) ?? { keys: new Set(), bytes: 0 };
    site.bytes += size;
    if (sign === 1) site.keys.add(key);
    else site.keys.delete(key);
    if (site.keys.size > 0) sites.set(answer.site, site);
    else sites.delete(answer.site);
  }

  return {
    find(key) {
      const answers = all.get(key);
      if (!answers) return none;
      all.delete(key);
      all.set(key, answers);
      const keys = sites.get(answers[0]?.site ?? '')?.keys;
      keys?.delete(key);
      keys?.add(key);
      return answers;
    },
    put(key, answer) {
      const others = (all.get(key) ?? []).filter(
        ({ vary, mark }) => mark === answer.mark && !isSame(vary, answer.vary),
      );
      drop(key);
      const kept = [answer, ...others].slice(0, bounds.answersOfOneAddress);
      all.set(key, kept);
      for (const one of kept) count(one, key, 1);
      const site = () => sites.get(answer.site);
      for (let own = site(); own && own.bytes > bounds.bytes / 4; own = site()) drop(first(own.keys));
      while (bytes > bounds.bytes || all.size > bounds.entries) drop(first(all.keys()));
    },
    drop,
    async dropFitting(fits) {
      let dropped = 0;
      let until = performance.now() + sliceMs;
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
    },
    get bytes() {
      return bytes;
    },
  };
}

const none: readonly CachedAnswer[] = [];

function sizeOf({ body, headers }: CachedAnswer, key: string): number {
  return body.length + 2 * key.length + headers.reduce((sum, text) => sum + text.length, 512);
}

function isSame(a: CachedAnswer['vary'], b: CachedAnswer['vary']): boolean {
  return a.names.join() === b.names.join() && a.values.join('\n') === b.values.join('\n');
}

function first(keys: Iterable<string>): string {
  for (const key of keys) return key;
  return '';
}
