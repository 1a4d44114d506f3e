import { ProblemError } from './problem.ts';

export function tooManyTries(seconds: number, what = 'tries'): ProblemError {
  const wait = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
  return new ProblemError('too_many', `Too many ${what}. Try again in ${wait}.`, {
    retryAfterSeconds: seconds,
  });
}
