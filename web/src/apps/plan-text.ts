import { planOf } from '@homeport/contract/apps/plans';
import type { App } from '@homeport/contract/apps/schema';
import { formatPlanMemory } from '../ui/text/format.ts';

/** "Plan 3, 512 MB", "No plan", or "Not read yet" for an imported app that its server was not asked about. */
export function appPlanText({ plan, unread }: Pick<App, 'plan' | 'unread'>): string {
  if (plan !== null) return planWithMemory(plan);
  return unread ? 'Not read yet' : 'No plan';
}

export const planWithMemory = (plan: number): string =>
  `Plan ${plan}, ${formatPlanMemory(planOf(plan).memoryMb)}`;
