import type { OpeningFailureCode } from '@homeport/contract/connections/facts';
import { CommandProblem } from '../command-problem.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { oneLine } from '../output/safe-text.ts';
import type { TalkOutcome } from './agent-talk.ts';

/** Why an opening ended without a connection, and the way out. */
export function problemOfTalk(outcome: TalkOutcome, name: string): CommandProblem {
  if (outcome.kind !== 'failed')
    return new CommandProblem(exitCodes.failed, 'The console did something else than it was asked for.', {
      recovery: 'Update this program, or the console.',
    });
  const { code, message, refusal } = outcome;
  if (refusal !== null)
    return new CommandProblem(
      exitCodes.hostKey,
      `This command refused to sign for ${oneLine(name)}: what the console asked for is not what a login needs (${refusal}).`,
      {
        recovery:
          'Nothing was signed. If it happens again, the console or the network between it and the server is not what it seems.',
      },
    );
  return new CommandProblem(isKnown(code) ? exitOfFailure[code] : exitCodes.failed, message, {
    recovery: (isKnown(code) ? recoveries[code] : undefined) ?? '',
    code,
  });
}

const exitOfFailure: Record<OpeningFailureCode, ExitCode> = {
  unreachable: exitCodes.failed,
  timeout: exitCodes.failed,
  host_key_changed: exitCodes.hostKey,
  host_key_unproven: exitCodes.hostKey,
  auth_refused: exitCodes.refused,
  algorithm_refused: exitCodes.refused,
  host_bound_unsupported: exitCodes.refused,
  agent_timeout: exitCodes.waits,
  agent_gone: exitCodes.failed,
  agent_refused: exitCodes.declined,
  password_refused: exitCodes.refused,
  busy: exitCodes.conflict,
  not_signed_in: exitCodes.notAllowed,
  not_found: exitCodes.notFound,
  too_many: exitCodes.conflict,
  protocol: exitCodes.failed,
};
const isKnown = (code: string): code is OpeningFailureCode => Object.hasOwn(exitOfFailure, code);

const recoveries: Partial<Record<OpeningFailureCode, string>> = {
  host_key_changed:
    'If you changed it, accept the new key in the browser first; then name it here with --host-key. If you did not, do not connect.',
  host_bound_unsupported: 'Connect from the browser: it can agree to the older form, and a terminal cannot.',
  agent_timeout: 'Your SSH agent waited for you. Try again, and confirm.',
};
