import type { ProposalState } from '@homeport/contract/proposals/facts';
import type { OpenProposal, Proposal, ProposedCall } from '@homeport/contract/proposals/schema';
import { untrusted } from './answer.ts';
import type { Caller } from './caller.ts';
import { moment } from './records.ts';

/** Keeps a call for the person. Nothing runs. */
export async function proposeCall(caller: Caller, call: ProposedCall, why: string): Promise<object> {
  return describeProposal(await caller.send('POST /api/proposals', { body: { call, why } }));
}

/** A proposal, and what its program does next. */
export function describeProposal(proposal: Proposal | OpenProposal) {
  const { id, state, title, why, appName, serverName, approveAt, expiresAt, operationId } = proposal;
  const { commands = [], changed = null } = 'commands' in proposal ? proposal : {};
  return {
    ...{ proposal: id, state, title: untrusted('a title', title), app: appName, server: serverName },
    why: untrusted('the reason that was given first', why),
    ...(state === 'open' && { approveAt, expiresAt: moment(expiresAt), changed }),
    ...(commands.length > 0 && { commands: commands.map(({ command, onlyIf }) => ({ command, onlyIf })) }),
    operation: operationId,
    next: changed === null ? nextOf[state] : nextOfChanged,
  };
}

const nextOf: Record<ProposalState, string> = {
  open: 'Nothing has run. Ask the person to approve at the address in approveAt, then call wait_for_proposal.',
  run: 'The person approved, and the work has begun. Follow it with wait_for or get_operation.',
  declined: 'The person declined. Nothing has run. Ask them before you propose it again.',
  withdrawn:
    'It was taken back, or a later proposal of this token for the same call took its place. Nothing has run.',
  expired: 'Nobody decided within an hour. Nothing has run.',
  revoked: 'The token has ended. Nothing has run.',
};

const nextOfChanged =
  'Nothing has run, and nothing will: the app or its server has changed since. Withdraw it, look again, and propose anew if it still fits.';
