import { freePlanLimit } from '@homeport/contract/apps/plans';
import { ProblemError } from '../http/problem.ts';

/** What the store means to a person where it refuses one more app on plan 0; every other error as it is. */
export function freePlanProblem(error: unknown): unknown {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : null;
  if (constraint !== 'apps_free_plan') return error;
  const message = `Plan 0 is limited to ${freePlanLimit} apps. Choose a larger plan.`;
  return new ProblemError('invalid_input', message, { fields: { plan: message } });
}
