import type { Problem } from '@homeport/contract/problems/schema';
import { isProblem } from '../data/api-problem.ts';
import type { FailedState, ReadyState } from './opening-state.ts';

/** Thrown when a call needs a connection and none could be opened. `state` says why. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection';
  readonly state: FailedState;

  constructor(state: FailedState) {
    super(state.message);
    this.state = state;
  }
}

/**
 * Runs a call to the console. On `connection_required`, opens the connection that the answer names and
 * repeats the call once. The repeat is safe, because the console refuses before it acts. Other errors pass
 * through unchanged.
 */
export async function withConnection<T>(
  call: () => Promise<T>,
  open: (needed: Problem['connection']) => Promise<ReadyState | FailedState>,
): Promise<T> {
  let needed: Problem['connection'];
  try {
    return await call();
  } catch (error) {
    if (!isProblem(error, 'connection_required')) throw error;
    needed = error.problem.connection;
  }
  const state = await open(needed);
  if (state.status === 'failed') throw new NoConnection(state);
  return call();
}
