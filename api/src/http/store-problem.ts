import { isDiskFull, isOtherSchema, isUnavailable } from '@homeport/store';
import { ProblemError } from './problem.ts';

/**
 * The Problem of a failure of the store; null for any other error. The failure ends by itself when its cause
 * is gone.
 */
export function storeProblem(error: unknown): ProblemError | null {
  if (isDiskFull(error)) {
    return new ProblemError(
      'unavailable',
      'The disk of the console is full, so this was not saved. What was saved before is kept.',
      {
        recovery:
          'Free some space on the machine that the console runs on, then try again. The console goes on by itself.',
      },
      { cause: error },
    );
  }
  if (isOtherSchema(error)) {
    return new ProblemError(
      'unavailable',
      'The console’s database is of another version than this program, so nothing was saved. What was saved before is kept.',
      { recovery: 'The console is probably being updated. Try again in a minute.' },
      { cause: error },
    );
  }
  return isUnavailable(error) ? storeDoesNotAnswer(error) : null;
}

export function storeDoesNotAnswer(cause: unknown): ProblemError {
  return new ProblemError(
    'unavailable',
    'The console’s database does not answer. What was saved before is kept.',
    {
      recovery:
        'Check whether this was saved, then try again. The console goes on by itself when its database answers. If that takes long, the disk may be full.',
    },
    { cause },
  );
}
