import type { ErrorCode } from '@homeport/contract/problems/facts';
import { z } from 'zod';
import { CommandProblem } from '../command-problem.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-codes.ts';

/** A newer console may know more codes and more members. */
const answerSchema = z.object({
  code: z.string(),
  message: z.string(),
  recovery: z.string(),
  fields: z.record(z.string(), z.string()).optional(),
});

/** What a failed answer says. An answer in another shape, of a proxy in between, still gives its status. */
export function problemOf(status: number, text: string): CommandProblem {
  const answer = answerSchema.safeParse(parsed(text));
  if (!answer.success)
    return new CommandProblem(exitOfStatus(status), `The console answered with status ${status}.`, {
      recovery: status === 401 ? signInAgain : 'Check the address, and try again in a moment.',
      // A reverse proxy in front of a console that starts anew.
      passes: status >= 502 && status <= 504,
    });
  const { code, message, recovery, fields = {} } = answer.data;
  const named = Object.entries(fields).map(([field, why]) => `${field}: ${why}`);
  return new CommandProblem(
    isKnown(code) ? exitCodeOf[code] : exitOfStatus(status),
    [message, ...named].join(' '),
    { recovery: code === 'not_signed_in' ? signInAgain : recovery, answer: text, code },
  );
}

const signInAgain = 'Run `homeport login`: the token is missing, has ended, or was revoked.';

const isKnown = (code: string): code is ErrorCode => Object.hasOwn(exitCodeOf, code);

function exitOfStatus(status: number): ExitCode {
  if (status === 401 || status === 403) return exitCodes.notAllowed;
  if (status === 404) return exitCodes.notFound;
  if (status === 409 || status === 429) return exitCodes.conflict;
  return status === 400 || status === 413 ? exitCodes.usage : exitCodes.failed;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
