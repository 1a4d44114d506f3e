import type { Firewall } from '@homeport/contract/servers/schema';
import type { OpeningProblem } from '../../../connections/opening-state.ts';
import { NoConnection } from '../../../connections/with-connection.ts';
import { problemText } from '../../../data/problem-text.ts';

/**
 * `refused`: the server refused the login. `unusable`: the browser could not present the credential.
 * `declined`: the user said no. `failed`: any other failure.
 */
export interface FirewallFailure {
  kind: 'refused' | 'unusable' | 'declined' | 'failed';
  text: string;
}

const refusals: readonly OpeningProblem[] = ['auth_refused', 'password_refused'];
const unusable: readonly OpeningProblem[] = ['agent_refused', 'algorithm_refused', 'key_missing'];

/** Separates a refused login from an unreachable server and from a failed command. */
export function firewallFailure(error: unknown): FirewallFailure {
  if (!(error instanceof NoConnection)) return { kind: 'failed', text: problemText(error) };
  const { code, message } = error.state;
  if (code === 'declined') return { kind: 'declined', text: message };
  const kind = refusals.includes(code) ? 'refused' : unusable.includes(code) ? 'unusable' : 'failed';
  return { kind, text: message };
}

export type FirewallBadge = 'authenticated' | 'authentication_failed' | 'could_not_ask';

/** The last reading's verdict on the credential. null before the first reading. */
export function firewallBadge(
  answer: Pick<Firewall, 'state'> | undefined,
  failure: Pick<FirewallFailure, 'kind'> | null,
): FirewallBadge | null {
  if (failure?.kind === 'refused') return 'authentication_failed';
  if (failure && failure.kind !== 'declined') return 'could_not_ask';
  if (!answer) return null;
  // The login worked, but the server did not list the firewall.
  return answer.state === 'no_permission' || answer.state === 'failed' ? 'could_not_ask' : 'authenticated';
}
