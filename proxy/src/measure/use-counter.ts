import type { RuleUse } from '@homeport/store';
import type { Visit } from '../visit.ts';

/** So many rules are counted between two flushes. Requests for further rules are served and not counted. */
const mostRules = 20_000;
const minuteMs = 60_000;

export type UseCounter = {
  count(visit: Visit): void;
  /** Hands the counts over and begins anew. At most `mostRules` entries. */
  take(): RuleUse[];
  /** Puts counts back that the store could not take, as long as there is room. */
  giveBack(use: readonly RuleUse[]): void;
};

/** Counts requests by rule and minute, in memory. */
export function createUseCounter(clock: () => number): UseCounter {
  let counts = new Map<string, RuleUse>();

  function add(use: RuleUse): void {
    const key = `${use.proxyId} ${use.rule} ${use.at}`;
    const known = counts.get(key);
    if (known === undefined) {
      if (counts.size < mostRules) counts.set(key, { ...use });
      return;
    }
    known.requests += use.requests;
    known.errors += use.errors;
    known.hits += use.hits;
    known.bytes += use.bytes;
    known.latencyMs += use.latencyMs;
    known.latencyMaxMs = Math.max(known.latencyMaxMs, use.latencyMaxMs);
  }

  return {
    count({ site, resolved, res, seen }) {
      const now = clock();
      const latency = Math.round((seen.headAt ?? performance.now()) - seen.startedAt);
      add({
        ...{
          proxyId: site.id,
          rule: resolved.rule.id,
          at: now - (now % minuteMs),
          requests: 1,
          bytes: seen.bytes,
        },
        ...{
          errors: res.statusCode >= 500 ? 1 : 0,
          hits: seen.isHit ? 1 : 0,
          latencyMs: latency,
          latencyMaxMs: latency,
        },
      });
    },
    take() {
      const taken = [...counts.values()];
      counts = new Map();
      return taken;
    },
    giveBack(use) {
      for (const one of use) add(one);
    },
  };
}
