/**
 * One measured figure. A bench prints it as a line of JSON, which `scripts/bench.mjs` writes into docs/performance.md. Any other
 * output of a bench is for the person who watches.
 */
export type Figure = {
  what: string;
  /** The value with its unit. */
  value: string;
  /** The budget in words. Absent for a figure that is only for comparison. */
  budget?: string;
  kept?: boolean;
};

export function figure(figure: Figure): void {
  process.stdout.write(`${JSON.stringify({ figure })}\n`);
}

/** Prints a figure that has to stay at or below its budget, in the same unit. */
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
