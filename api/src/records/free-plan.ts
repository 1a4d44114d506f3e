import { freePlanLimit } from '@homeport/contract/apps/plans';
import { ProblemError } from '../http/problem.ts';

/**
 * Turns the store’s refusal of one more app on plan 0 into a Problem for the person. Returns every other
 * error unchanged.
 */
export function freePlanProblem(error: unknown): unknown {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : null;
  if (constraint !== 'apps_free_plan') return error;
  const message = `Plan 0 is limited to ${freePlanLimit} apps. Choose a larger plan.`;
  return new ProblemError('invalid_input', message, { fields: { plan: message } });
}
