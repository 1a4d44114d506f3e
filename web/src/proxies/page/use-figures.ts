import type { UsePoint } from '@homeport/contract/proxies/schema';

/** What visitors did with one rule over a whole horizon. */
export interface RuleFigures {
  rule: string;
  requests: number;
  errors: number;
  hits: number;
  bytes: number;
  /** Of an answer's head, in milliseconds; null without requests. */
  averageMs: number | null;
  longestMs: number;
}

/** Adds the points of each rule up. Rules without requests are left out. */
export function sumByRule(points: readonly UsePoint[]): RuleFigures[] {
  const sums = new Map<string, Omit<UsePoint, 'at'>>();
  for (const { at: _, ...point } of points) {
    const before = sums.get(point.rule);
    sums.set(
      point.rule,
      before === undefined
        ? point
        : {
            rule: point.rule,
            requests: before.requests + point.requests,
            errors: before.errors + point.errors,
            hits: before.hits + point.hits,
            bytes: before.bytes + point.bytes,
            latencyMs: before.latencyMs + point.latencyMs,
            latencyMaxMs: Math.max(before.latencyMaxMs, point.latencyMaxMs),
          },
    );
  }
  return [...sums.values()].map(({ latencyMs, latencyMaxMs, ...sum }) => ({
    ...sum,
    averageMs: sum.requests === 0 ? null : latencyMs / sum.requests,
    longestMs: latencyMaxMs,
  }));
}
