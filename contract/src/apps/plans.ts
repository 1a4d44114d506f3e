/**
 * The one source of plan figures (specification, business constants). Memory is in MB as Dokku takes it, the
 * price in US cents a month.
 */
export const plans = [
  { size: 0, memoryMb: 64, cpus: 0.16, priceCents: 0 },
  { size: 1, memoryMb: 128, cpus: 0.25, priceCents: 100 },
  { size: 2, memoryMb: 256, cpus: 0.5, priceCents: 200 },
  { size: 3, memoryMb: 512, cpus: 0.5, priceCents: 300 },
  { size: 4, memoryMb: 1024, cpus: 1, priceCents: 450 },
  { size: 5, memoryMb: 1024, cpus: 2, priceCents: 900 },
  { size: 6, memoryMb: 2048, cpus: 1, priceCents: 900 },
  { size: 7, memoryMb: 3072, cpus: 2, priceCents: 1400 },
  { size: 8, memoryMb: 4096, cpus: 2, priceCents: 1800 },
  { size: 9, memoryMb: 6144, cpus: 3, priceCents: 2400 },
  { size: 10, memoryMb: 8192, cpus: 4, priceCents: 3600 },
] as const;

export type Plan = (typeof plans)[number];

export const defaultPlanSize = 3;
/** How many apps one person may have on plan 0. */
export const freePlanLimit = 2;

export function planOf(size: number): Plan {
  const plan = plans[size];
  if (!plan) throw new RangeError(`There is no plan ${size}; plans run from 0 to ${plans.length - 1}.`);
  return plan;
}

/** The plan that has exactly these limits; null without one. */
export function planWithLimits(limits: { memoryMb: number | null; cpus: number | null }): number | null {
  const found = plans.find(({ memoryMb, cpus }) => memoryMb === limits.memoryMb && cpus === limits.cpus);
  return found?.size ?? null;
}

/** Transfer allowance a month, in GB: 5 × size + 10. */
export function transferAllowanceGb(size: number): number {
  return planOf(size).size * 5 + 10;
}
