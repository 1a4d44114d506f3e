import { withoutHidden } from '@homeport/contract/fields/shown-text';
import { ProblemError } from '../http/problem.ts';
import type { CloudflareError } from './answers.ts';

/** How long Cloudflare may take for an answer. */
export const answerWithinMs = 15_000;

export type Refusal = { kind: 'refused'; status: number; errors: CloudflareError[] };

/** Everything that can be wrong with an answer of Cloudflare's. */
export type Failure =
  | Refusal
  | { kind: 'too_many'; waitMs: number }
  | { kind: 'unreachable' | 'no_answer' | 'redirect' | 'too_long' }
  | { kind: 'server_error' | 'not_json' | 'unreadable'; status: number };

export class CloudflareFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(`Cloudflare: ${failure.kind}`);
    this.name = 'CloudflareFailure';
    this.failure = failure;
  }
}

/** Cloudflare's codes, of which some stand in the chain below a general one. */
export function codesOf({ errors }: Refusal): number[] {
  return errors.flatMap(({ code, error_chain }) => [code, ...(error_chain ?? []).map((each) => each.code)]);
}

/** Codes of refusals that the credential is the cause of, whatever was asked for. */
const badCredential = [1000, 6003, 6103, 6111, 9103, 9106, 9109];
const missingPermission = [0, 10000];
export const recordGone = 81044;
/** Somebody else made the record, or the same one, meanwhile. */
export const recordExists = [81057, 81058];
/** A CNAME stands at the name, or something else stands where a CNAME should. */
export const nameTaken = [81053, 81054, 81056];
const noSuchThing = [7003, 7000, recordGone];

export const isBadCredential = (refusal: Refusal) =>
  codesOf(refusal).some((code) => badCredential.includes(code));
export const lacksPermission = (refusal: Refusal) =>
  !isBadCredential(refusal) &&
  (refusal.status === 401 || refusal.status === 403) &&
  codesOf(refusal).some((code) => missingPermission.includes(code));
export const isGone = (refusal: Refusal) => codesOf(refusal).some((code) => noSuchThing.includes(code));

const reasonCharacters = 300;

/** The reason in Cloudflare's words, which are somebody else's text: one line, without hidden characters, of bounded length. */
export function reasonOf({ errors, status }: Refusal): string {
  const [first] = errors;
  const said = first?.error_chain?.at(-1)?.message ?? first?.message ?? '';
  const line = withoutHidden(said.slice(0, 2 * reasonCharacters))
    .replace(/\s+/g, ' ')
    .trim();
  if (line === '') return `It answered ${status} without a reason.`;
  return line.length > reasonCharacters ? `${line.slice(0, reasonCharacters)}…` : line;
}

/**
 * The failure of a request as a person reads it. A change whose answer was lost may have been made, which the message says.
 */
export function toProblem(failure: Failure, doing: 'reading' | 'changing'): ProblemError {
  const kept = doing === 'changing' ? ' Nothing was changed.' : '';
  const unsure =
    doing === 'changing' ? ' The change may have been made all the same: read the records again.' : '';
  switch (failure.kind) {
    case 'too_many': {
      const seconds = Math.max(1, Math.ceil(failure.waitMs / 1_000));
      return new ProblemError(
        'too_many',
        `Cloudflare takes no more requests of yours for now.${kept} It goes on in ${inWords(seconds)}.`,
        { retryAfterSeconds: seconds },
      );
    }
    case 'unreachable':
      return unavailable(`The console cannot reach Cloudflare, or lost the connection.${unsure}`);
    case 'no_answer':
      return unavailable(`Cloudflare did not answer within ${answerWithinMs / 1000} seconds.${unsure}`);
    case 'server_error':
      return unavailable(`Cloudflare has a fault of its own: it answered ${failure.status}.${unsure}`);
    case 'not_json':
      return unavailable(
        `Something between the console and Cloudflare answered with a page in place of data (${failure.status}).${unsure}`,
      );
    case 'redirect':
      return unavailable(
        `Cloudflare’s address led somewhere else, and the console takes no credential there.${kept}`,
      );
    case 'too_long':
      return unavailable(`Cloudflare’s answer was longer than the console reads.${unsure}`);
    case 'unreadable':
      return unavailable(`The console does not understand Cloudflare’s answer.${unsure}`);
    case 'refused':
      return refused(failure, kept);
  }
}

function refused(refusal: Refusal, kept: string): ProblemError {
  if (isBadCredential(refusal)) {
    return new ProblemError('conflict', `Cloudflare no longer takes your credential.${kept}`, {
      recovery: 'Link your Cloudflare account again on the page Profile.',
    });
  }
  if (lacksPermission(refusal)) {
    return new ProblemError('conflict', `Your credential may not do this at Cloudflare.${kept}`, {
      recovery: 'Give the token Zone DNS Edit and Zone Zone Read for this zone, or link another one.',
    });
  }
  if (isGone(refusal)) return new ProblemError('not_found', `Cloudflare no longer has this.${kept}`);
  return new ProblemError('invalid_input', `Cloudflare refused: ${reasonOf(refusal)}${kept}`);
}

const unavailable = (message: string) => new ProblemError('unavailable', message);

const inWords = (seconds: number) =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
