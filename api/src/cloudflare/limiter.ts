import { createHash } from 'node:crypto';
import type { Credential } from './credential.ts';

/** Cloudflare takes 1,200 requests in five minutes of one user, and 200 a second of one address (its “Rate limits”). */
const ofCredential = { requests: 1_200, windowMs: 300_000, slots: 30 };
/** So one person leaves room for the others in each second. */
const shareOfCredential = { requests: 100, windowMs: 1_000, slots: 10 };
const ofAll = { requests: 200, windowMs: 1_000, slots: 10 };
/** Credentials that are remembered at once. One that was not used for a window is forgotten. */
const mostCredentials = 10_000;
/** The longest wait that Cloudflare announces is five minutes. An answer that says more is not believed. */
const longestRefusalMs = 600_000;

export type Limiter = {
  /** Counts a request and returns 0, or returns for how many milliseconds none may be sent. */
  take(credential: Credential): number;
  /** Cloudflare said that the credential may go on after so many milliseconds. */
  refuse(credential: Credential, forMs: number): void;
};

/** One limiter for each credential, and one for this process, which has one address at Cloudflare. `clock`: epoch milliseconds. */
export function createLimiter(clock: () => number): Limiter {
  const everybody = createWindow(ofAll);
  const windows = new Map<string, Window & { share: Window; usedAt: number }>();
  const windowOf = (credential: Credential, now: number) => {
    const name = nameOf(credential);
    const known = windows.get(name) ?? {
      ...createWindow(ofCredential),
      share: createWindow(shareOfCredential),
      usedAt: now,
    };
    known.usedAt = now;
    // The map keeps the order of use, so that the first one is the one that was used longest ago.
    windows.delete(name);
    windows.set(name, known);
    for (const [each, { usedAt, refusedUntil }] of windows) {
      const forgotten = now - usedAt > ofCredential.windowMs && refusedUntil() <= now;
      if (!forgotten && windows.size <= mostCredentials) break;
      windows.delete(each);
    }
    return known;
  };
  return {
    take(credential) {
      const now = clock();
      const own = windowOf(credential, now);
      const wait = Math.max(own.wait(now), own.share.wait(now), everybody.wait(now));
      if (wait > 0) return wait;
      own.count(now);
      own.share.count(now);
      everybody.count(now);
      return 0;
    },
    refuse(credential, forMs) {
      const now = clock();
      windowOf(credential, now).refuse(now + Math.min(forMs, longestRefusalMs));
    },
  };
}

/** A credential's requests are counted under its hash: the limiter holds no credential. */
function nameOf({ kind, email, secret }: Credential): string {
  // All keys and tokens of one user count together at Cloudflare, but only the e-mail address of a global key tells the user.
  return createHash('sha256')
    .update(kind === 'global_key' ? `user ${email}` : secret)
    .digest('base64');
}

type Window = {
  wait(now: number): number;
  count(now: number): void;
  refuse(until: number): void;
  refusedUntil(): number;
};

/** Counts in slots of the window, which lie in a ring: a slot leaves the window when it is a whole window old. */
function createWindow({ requests, windowMs, slots }: typeof ofCredential): Window {
  const slotMs = windowMs / slots;
  const ring = Array.from({ length: slots }, () => ({ slot: -1, count: 0 }));
  let refusedUntil = 0;
  const inWindow = (now: number) => {
    const newest = Math.floor(now / slotMs);
    return ring.filter(({ slot, count }) => count > 0 && newest - slot < slots);
  };
  return {
    wait(now) {
      if (refusedUntil > now) return refusedUntil - now;
      const counted = inWindow(now);
      if (counted.reduce((sum, { count }) => sum + count, 0) < requests) return 0;
      const oldest = Math.min(...counted.map(({ slot }) => slot));
      return Math.max(1, (oldest + slots) * slotMs - now);
    },
    count(now) {
      const slot = Math.floor(now / slotMs);
      const place = slot % slots;
      const held = ring[place];
      ring[place] = { slot, count: held?.slot === slot ? held.count + 1 : 1 };
    },
    refuse: (until) => {
      refusedUntil = Math.max(refusedUntil, until);
    },
    refusedUntil: () => refusedUntil,
  };
}
