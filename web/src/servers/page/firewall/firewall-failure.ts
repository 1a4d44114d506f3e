import type { Firewall } from '@homeport/contract/servers/schema';
import type { OpeningProblem } from '../../../connections/opening-state.ts';
import { NoConnection } from '../../../connections/with-connection.ts';
import { problemText } from '../../../data/api-problem.ts';

/**
 * `refused`: the server did not let us in. `unusable`: the credential could not be shown to it. `declined`: the person did
 * not want to. `failed`: anything else.
 */
export interface FirewallFailure {
  kind: 'refused' | 'unusable' | 'declined' | 'failed';
  text: string;
}

const refusals: readonly OpeningProblem[] = ['auth_refused', 'password_refused'];
const unusable: readonly OpeningProblem[] = ['agent_refused', 'algorithm_refused', 'key_missing'];

/** Tells a refused login from a server that was not reached or a command that failed. */
export function firewallFailure(error: unknown): FirewallFailure {
  if (!(error instanceof NoConnection)) return { kind: 'failed', text: problemText(error) };
  const { code, message } = error.state;
  if (code === 'declined') return { kind: 'declined', text: message };
  const kind = refusals.includes(code) ? 'refused' : unusable.includes(code) ? 'unusable' : 'failed';
  return { kind, text: message };
}

export type FirewallBadge = 'authenticated' | 'authentication_failed' | 'could_not_ask';

/** What the last reading says of the credential; null before there was one. */
export function firewallBadge(
  answer: Pick<Firewall, 'state'> | undefined,
  failure: Pick<FirewallFailure, 'kind'> | null,
): FirewallBadge | null {
  if (failure?.kind === 'refused') return 'authentication_failed';
  if (failure && failure.kind !== 'declined') return 'could_not_ask';
  if (!answer) return null;
  // The server let us in, and did not answer.
  return answer.state === 'no_permission' || answer.state === 'failed' ? 'could_not_ask' : 'authenticated';
}
