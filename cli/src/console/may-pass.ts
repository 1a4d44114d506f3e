import { CommandProblem } from '../command-problem.ts';

/** Another try may succeed: the console does not answer, or says itself that it cannot now. */
export const mayPass = (error: unknown): boolean =>
  error instanceof CommandProblem &&
  (error.passes || error.code === 'unavailable' || error.code === 'too_many');
