import { ProblemError } from '../http/problem.ts';
import { RuleWorkError } from './rule-worker/rule-work.ts';

/** What people read when a job of theirs took more than its share. */
export const takesTooLong = {
  pattern: 'This pattern takes too long. Nothing was changed. Make it simpler.',
  rules:
    'The patterns of these rules take too long. Nothing was changed. Make patterns simpler, or save fewer URLs.',
  page: 'Reading the page takes too long, so it was given up.',
} as const;

const notDone = 'The console could not try the rules now. Nothing was changed.';

/**
 * The problem for a person whose rules could not be tried, beside the field at fault where there is one. Any other error comes back
 * unchanged.
 */
export function workFailure(error: unknown, field: string | null): unknown {
  if (!(error instanceof RuleWorkError)) return error;
  if (error.end === 'ended') return new ProblemError('unavailable', notDone, {}, { cause: error });
  const text = field === null ? takesTooLong.rules : takesTooLong.pattern;
  return new ProblemError('invalid_input', text, field === null ? {} : { fields: { [field]: text } });
}
