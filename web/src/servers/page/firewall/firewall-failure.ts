import type { OpeningProblem } from '../../../connections/opening-state.ts';
import { NoConnection } from '../../../connections/with-connection.ts';
import { problemText } from '../../../data/api-problem.ts';

/** `refused`: the server did not let us in. `declined`: the person did not want to. `failed`: anything else. */
export interface FirewallFailure {
  kind: 'refused' | 'declined' | 'failed';
  text: string;
}

const refusals: readonly OpeningProblem[] = [
  'auth_refused',
  'password_refused',
  'agent_refused',
  'algorithm_refused',
  'key_missing',
];

/** Tells a refused login from a server that was not reached or a command that failed. */
export function firewallFailure(error: unknown): FirewallFailure {
  if (!(error instanceof NoConnection)) return { kind: 'failed', text: problemText(error) };
  const { code, message } = error.state;
  if (code === 'declined') return { kind: 'declined', text: message };
  return { kind: refusals.includes(code) ? 'refused' : 'failed', text: message };
}
