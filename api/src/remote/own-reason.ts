import { UnreadableOutputError } from '@homeport/dokku';
import { CommandError } from '@homeport/ssh';
import { ProblemError } from '../http/problem.ts';
import { asProblem } from './run-command.ts';

/**
 * Why a command on one of several things failed. Null for a failure that the others would meet too, such as
 * a lost connection.
 */
export function ownReason(error: unknown): string | null {
  if (error instanceof UnreadableOutputError) return error.message;
  if (error instanceof CommandError && error.failure.code === 'connection_lost') return null;
  const problem = asProblem(error);
  const isOwn =
    problem instanceof ProblemError &&
    (problem.code === 'remote_failed' || problem.code === 'remote_timeout');
  return isOwn ? problem.message : null;
}
