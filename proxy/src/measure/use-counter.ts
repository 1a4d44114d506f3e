import type { Rule } from '@homeport/rules';
import type { RuleUse } from '@homeport/store';
import type { Visit } from '../visit.ts';

/** The most rules that are counted between two flushes. Requests for other rules are served and not counted. */
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
  /** The minute that is counted now: a rule is found by itself, without a text for each request. */
  let minute = { at: 0, rules: new Map<Rule, RuleUse>() };

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

  function endMinute(at: number): void {
    for (const use of minute.rules.values()) add(use);
    minute = { at, rules: new Map() };
  }

  /** What is counted of a rule this minute. Null when too many rules are counted already. */
  function useOf({ site, resolved: { rule } }: Visit): RuleUse | null {
    const now = clock();
    const at = now - (now % minuteMs);
    if (at !== minute.at) endMinute(at);
    const known = minute.rules.get(rule);
    if (known !== undefined) return known;
    if (minute.rules.size >= mostRules) return null;
    const none = { requests: 0, errors: 0, hits: 0, bytes: 0, latencyMs: 0, latencyMaxMs: 0 };
    const use = { proxyId: site.id, rule: rule.id, at, ...none };
    minute.rules.set(rule, use);
    return use;
  }

  return {
    count(visit) {
      const use = useOf(visit);
      if (use === null) return;
      const { res, seen } = visit;
      const latency = Math.round((seen.headAt ?? performance.now()) - seen.startedAt);
      use.requests += 1;
      use.bytes += seen.bytes;
      if (res.statusCode >= 500) use.errors += 1;
      if (seen.isHit) use.hits += 1;
      use.latencyMs += latency;
      if (latency > use.latencyMaxMs) use.latencyMaxMs = latency;
    },
    take() {
      endMinute(0);
      const taken = [...counts.values()];
      counts = new Map();
      return taken;
    },
    giveBack(use) {
      for (const one of use) add(one);
    },
  };
}
