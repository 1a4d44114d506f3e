/**
 * One measured figure, as a bench prints it: a line of JSON, which `scripts/bench.mjs` puts into docs/performance.md. What
 * else a bench prints is for whoever watches.
 */
export type Figure = {
  what: string;
  /** With its unit. */
  value: string;
  /** What it has to keep, in words; absent where it stands for comparison only. */
  budget?: string;
  kept?: boolean;
};

export function figure(figure: Figure): void {
  process.stdout.write(`${JSON.stringify({ figure })}\n`);
}

/** A figure whose number has to stay at or below its budget, in one unit. */
export function figureAtMost(what: string, value: number, budget: number, unit: string): void {
  figure({
    what,
    value: `${tidy(value)} ${unit}`.trim(),
    budget: (budget === 0 ? '0' : `≤ ${budget} ${unit}`).trim(),
    kept: value <= budget,
  });
}

export function tidy(value: number): string {
  if (value === 0) return '0';
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
