import type { Resources } from '@homeport/contract/app-settings';
import { planOf } from '@homeport/contract/plans';

/** Somebody set other limits on the server, or none. */
export function differsFromPlan(
  { memoryMb, cpus }: Pick<Resources, 'memoryMb' | 'cpus'>,
  size: number,
): boolean {
  const plan = planOf(size);
  return memoryMb !== plan.memoryMb || cpus !== plan.cpus;
}
