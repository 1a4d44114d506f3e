import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { planeShareNumbers } from '@homeport/contract/shares/plane';
import { methodNames, takesAway } from '../armour/hop-names.ts';
import { ruleMark } from '../response/rule-mark.ts';
import { Share } from '../shares/share.ts';
import type { AnswerHead } from '../upstream/answer-head.ts';
import type { Passage, PassingParts } from '../upstream/pass-on.ts';
import { passOn } from '../upstream/pass-on.ts';
import { hasBody } from '../upstream/request-body.ts';
import { forwardedHostOf } from '../upstream/request-headers.ts';
import { answerPlain, type Visit } from '../visit.ts';
import { AddressTimes, type AddressTimesBounds } from './address-times.ts';
import { cacheKey, chooseAnswer, isKnown, partMark, writeCached } from './answer-cached.ts';
import { type CacheBounds, type CachedAnswer, createEntryStore, type EntryStore } from './entry-store.ts';
import { forgetChanged } from './forget-changed.ts';
import { freshen, freshenByHead } from './freshen.ts';
import { canBeAskedForNobody, inBackground } from './in-background.ts';
import { purgedBy } from './purge-beginning.ts';
import { recordAnswer } from './record-answer.ts';
import { UnderWay } from './under-way.ts';

export type Cache = {
  /** Answers from what is kept, or passes on and keeps the answer. */
  answer(visit: Visit, parts: PassingParts): void;
  /**
   * Drops the kept answers whose address begins with the text, and the fetches under way. Resolves with the number of dropped
   * answers; null if the text has no scheme and host.
   */
  purge(startsWith: string): Promise<number | null>;
  readonly bytes: number;
};

type Bounds = CacheBounds & {
  answerBytes: number;
  underWayBytes: number;
  renewals: number;
  times: AddressTimesBounds;
};

export const cacheBounds: Bounds = {
  bytes: 256 * 1024 * 1024,
  entries: 100_000,
  answersOfOneAddress: 20,
  answerBytes: 5 * 1024 * 1024,
  // Of all answers together that are not whole yet. A slow visitor keeps one so for long.
  underWayBytes: planeShareNumbers.cacheUnderWay,
  // Answers that are fetched anew while nobody waits for them.
  renewals: planeShareNumbers.cacheRenewals,
  // Of the addresses whose answers cannot be kept, and again of those that visitors have fetched anew.
  times: planeShareNumbers.cacheTimes,
};

/** The longest time that visitors of one address wait for the head of the answer that the first visitor fetches. */
const headWaitMs = 1_000;
/** The longest wait for the body after that. The first visitor's own pace decides how fast the body comes. */
const bodyWaitMs = 5_000;
/** The time for which nobody waits at an address whose last answer could not be kept. */
const passMs = 60_000;
/** The least time between two answers that visitors have fetched anew for one address. */
const renewMs = 1_000;

type Waiting = { go(again: boolean): void; headCame(): void };
/** `isOutdated`: its answer may not be kept any more, because of a purge or a newer answer. */
type Fetch = { isOutdated: boolean; hasHead: boolean; waiting: Set<Waiting> };
/** The fetches under way of each address, the latest last. A visitor who wants a new answer begins one beside another's. */
type Fetches = Map<string, Set<Fetch>>;

/** Keeps answers in memory, as far as their upstreams allow it (RFC 9111). */
export function createCache(bounds = cacheBounds): Cache {
  const entries = createEntryStore(bounds);
  const fetching: Fetches = new Map();
  const passing = new AddressTimes(bounds.times);
  const renewed = new AddressTimes(bounds.times);
  const underWay = new UnderWay(bounds.underWayBytes);
  const kept: Kept = { entries, fetching, passing, underWay, answerBytes: bounds.answerBytes };
  /** Fetches that nobody waits for. */
  const renewals = new Share({
    ...{ most: bounds.renewals, perSite: bounds.renewals, perVisitor: bounds.renewals },
  });

  function answer(visit: Visit, parts: PassingParts): void {
    const { req } = visit;
    const key = cacheKey(visit);
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      passOn(visit, parts, { recorder: forgetChanged(visit, key, forget) });
      return;
    }
    const wish = readWish(req.headers);
    if (wish === 'no_store' || hasHiddenPart(visit)) {
      passOn(visit, parts, {});
      return;
    }
    const now = performance.now();
    const found = chooseAnswer(entries.find(key), visit, ruleMark(visit.site, visit.resolved.rule));
    const isRenewed = wish === 'renew' && now - (renewed.get(key) ?? Number.NEGATIVE_INFINITY) > renewMs;
    if (found && now < found.freshUntil && !isRenewed) {
      writeCached(visit, found, now, 'Homeport; hit');
      return;
    }
    if (wish === 'only_cached') {
      answerPlain(visit.res, 504, 'not_cached');
      return;
    }
    const mayGoFirst = found && now < found.usableUntil.renewing && canBeAskedForNobody(found);
    if (mayGoFirst && !isRenewed && !asksForPart(req)) {
      writeCached(visit, found, now, staleStatus(found, now));
      if (!fetching.has(key) && renewals.enter(visit.site, null) === null)
        renewInBackground(visit, parts, key, found);
      return;
    }
    if (isRenewed) renewed.set(visit.site.owner, key, now);
    if (asksForPart(req) || (passing.get(passingKey(key, visit)) ?? 0) > now) {
      passOn(visit, parts, found === undefined ? {} : besideKept(kept, visit, key, found));
      return;
    }
    const ahead = [...(fetching.get(key) ?? [])].at(-1);
    if (ahead && !isRenewed) {
      waitFor(ahead, visit, (again) =>
        again ? answer(visit, parts) : passOn(visit, parts, orOlder(visit, found)),
      );
      return;
    }
    // A visitor who holds what is kept here wants to know the same as the cache: whether it still holds.
    const asks = isConditional(req.headers) && !(found && isKnown(visit, found));
    fetchAnswer(kept, { visit, parts, key, stale: found, asks });
  }

  function renewInBackground(visit: Visit, parts: PassingParts, key: string, found: CachedAnswer): void {
    const { site } = visit;
    const nobody = inBackground(visit, found, () => {
      renewals.leave(site, null);
      if (renewals.open === 0) renewals.tidy();
    });
    fetchAnswer(kept, { visit: nobody, parts, key, stale: found, asks: false });
  }

  function forget(address: string): void {
    const whole = address.endsWith(partMark) ? address.slice(0, -partMark.length) : address;
    for (const key of [whole, whole + partMark]) {
      entries.drop(key);
      outdate(fetching.get(key));
    }
  }

  return {
    answer,
    async purge(startsWith) {
      const purged = purgedBy(startsWith);
      if (purged === null) return null;
      const { domain, fits } = purged;
      for (const [key, fetches] of fetching) if (fits(key)) outdate(fetches);
      return entries.dropFitting(domain, fits);
    },
    get bytes() {
      return entries.bytes;
    },
  };
}

type Kept = {
  entries: EntryStore;
  fetching: Fetches;
  passing: AddressTimes;
  underWay: UnderWay;
  answerBytes: number;
};
/** `asks`: the visitor has a question of its own, about something else than what is kept. */
type Fetching = {
  visit: Visit;
  parts: PassingParts;
  key: string;
  stale: CachedAnswer | undefined;
  asks: boolean;
};

/** Passes a request on for its visitor and for the cache. */
function fetchAnswer(
  { entries, fetching, passing, underWay, answerBytes }: Kept,
  { visit, parts, key, stale, asks }: Fetching,
): void {
  const fetched: Fetch = { isOutdated: false, hasHead: false, waiting: new Set() };
  const fetches = fetching.get(key) ?? new Set();
  fetching.set(key, fetches.add(fetched));
  // After a failure each visitor asks the upstream alone. In turn, each would wait for the failures of all before.
  const end = (again = true) => {
    fetches.delete(fetched);
    if (fetches.size === 0 && fetching.get(key) === fetches) fetching.delete(key);
    for (const one of [...fetched.waiting]) one.go(again);
  };
  const keep = (answer: CachedAnswer) => {
    if (fetched.isOutdated) return;
    // An answer that was asked for earlier and ends later would replace this one.
    for (const earlier of fetches) {
      if (earlier === fetched) break;
      earlier.isOutdated = true;
    }
    entries.put(key, answer);
  };
  const recorder = recordAnswer(
    visit,
    { bytes: answerBytes, underWay },
    {
      begun: () => tellHead(fetched),
      keep,
      cannotKeep: () => passing.set(visit.site.owner, passingKey(key, visit), performance.now() + passMs),
      end,
    },
  );
  const older = orOlder(visit, stale);
  // The visitor's own question passes as it is; else the cache asks whether its answer still holds.
  if (!stale || asks) {
    passOn(visit, parts, { recorder, ...older });
    return;
  }
  const takes = (head: AnswerHead) => {
    if (head.status !== 304) {
      if (!older.takes(head)) return false;
      end();
      return true;
    }
    const { answer, mayKeep } = freshen(stale, visit, head);
    if (!mayKeep) entries.drop(key);
    else keep(answer);
    writeCached(visit, answer, performance.now(), 'Homeport; hit; detail=revalidated');
    end();
    return true;
  };
  passOn(visit, parts, { recorder, ...older, validators: stale.validators, takes });
}

/** A request that the cache does not fetch for, at an address of which an answer is kept. What a HEAD tells holds for that answer. */
function besideKept({ entries }: Kept, visit: Visit, key: string, found: CachedAnswer): Passage {
  const older = orOlder(visit, found);
  if (visit.req.method !== 'HEAD') return older;
  const recorder = freshenByHead(found, visit, {
    put: (answer) => {
      // A purge or a newer answer came meanwhile.
      if (entries.find(key).includes(found)) entries.put(key, answer);
    },
    drop: () => entries.drop(key),
  });
  return { ...older, recorder };
}

/** A kept answer that is too old is better than a failure, where its upstream says so. */
function orOlder(visit: Visit, stale: CachedAnswer | undefined) {
  const failed = () => {
    const now = performance.now();
    if (!stale || now >= stale.usableUntil.failed) return false;
    writeCached(visit, stale, now, staleStatus(stale, now));
    return true;
  };
  return { failed, takes: ({ status }: AnswerHead) => isFailure(status) && failed() };
}

/** RFC 9211: a hit whose lifetime has passed says so by a time that is negative. */
function staleStatus({ freshUntil }: CachedAnswer, now: number): string {
  return `Homeport; hit; ttl=-${Math.max(1, Math.floor((now - freshUntil) / 1_000))}`;
}

/** RFC 5861, 4: what counts as an error. */
function isFailure(status: number): boolean {
  return status === 500 || status === 502 || status === 503 || status === 504;
}

function isConditional(headers: IncomingHttpHeaders): boolean {
  return headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
}

function outdate(fetches: Iterable<Fetch> = []): void {
  for (const fetched of fetches) fetched.isOutdated = true;
}

function tellHead(fetched: Fetch): void {
  fetched.hasHead = true;
  for (const one of fetched.waiting) one.headCame();
}

/** Waits for the answer that another visitor fetches, for a bounded time. `go` is told whether another look into the cache is worth it. */
function waitFor({ waiting, hasHead }: Fetch, { res }: Visit, go: (again: boolean) => void): void {
  const one: Waiting = {
    go(again) {
      clearTimeout(late);
      waiting.delete(one);
      if (!res.destroyed) go(again);
    },
    headCame() {
      clearTimeout(late);
      late = setTimeout(() => one.go(false), bodyWaitMs);
    },
  };
  let late = setTimeout(() => one.go(false), hasHead ? bodyWaitMs : headWaitMs);
  waiting.add(one);
}

const hiddenNames = [...methodNames, 'if-match', 'if-unmodified-since'] as const;

/** Whether something beside the address decides the answer. Such an answer is for this visitor alone. */
function hasHiddenPart(visit: Visit): boolean {
  const { req, resolved, host } = visit;
  return (
    hasBody(req) ||
    hiddenNames.some((name) => req.headers[name] !== undefined) ||
    takesAway(req.headers.connection) ||
    (resolved.rule.xForwardedHost === null && forwardedHostOf(visit) !== host)
  );
}

/** Names an address and a kind of visitor. Answers for a signed-in visitor do not turn the cache off for everybody. */
function passingKey(key: string, { req }: Visit): string {
  if (req.headers.authorization !== undefined) return `${key} signed`;
  return req.headers.cookie === undefined ? key : `${key} cookie`;
}

/** What a visitor wants of the cache. */
function readWish(headers: IncomingHttpHeaders): 'any' | 'renew' | 'no_store' | 'only_cached' {
  const control = (headers['cache-control'] ?? '').toLowerCase();
  if (control.includes('no-store')) return 'no_store';
  if (control.includes('only-if-cached')) return 'only_cached';
  const isRenewal =
    /no-cache|max-age\s*=\s*0(?:\D|$)/.test(control) || (control === '' && headers.pragma === 'no-cache');
  return isRenewal ? 'renew' : 'any';
}

/** An answer to such a request is only a part of what the cache would keep. */
const asksForPart = ({ method, headers }: IncomingMessage) =>
  method === 'HEAD' || headers.range !== undefined;
