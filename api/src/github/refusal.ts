import { ProblemError } from '../http/problem.ts';

export type Refusal =
  /** The token was revoked, or has expired. */
  | { kind: 'revoked' }
  | { kind: 'too_many'; waitSeconds: number }
  /** An organisation wants a single sign-on. */
  | { kind: 'single_sign_on' }
  /** 404 for whoever may not know too. `scopes` are those that GitHub would take, if it tells. */
  | { kind: 'not_found' }
  | { kind: 'forbidden'; told: string }
  | { kind: 'conflict'; told: string }
  | { kind: 'invalid'; told: string }
  | { kind: 'server_error'; status: number }
  | { kind: 'no_answer' }
  | { kind: 'unreachable' }
  | { kind: 'too_long' }
  | { kind: 'redirect' }
  /** Something answered that is not GitHub, or that the console does not understand. */
  | { kind: 'unreadable' };

/** GitHub gave no good answer. Holds neither the request nor the token. */
export class GithubFailure extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(`GitHub gave no good answer: ${refusal.kind}.`);
    this.name = 'GithubFailure';
    this.refusal = refusal;
  }
}

export const linkAgain = () =>
  new ProblemError('conflict', 'GitHub does not accept the link of your account any more.', {
    recovery:
      'Link your GitHub account again on your profile. What is set up on servers and in repositories stays.',
  });

export const notLinked = () =>
  new ProblemError('conflict', 'No GitHub account is linked.', {
    recovery: 'Link your GitHub account on your profile.',
  });

/** What a person reads of a failure. `what` ends the sentence "GitHub did not …": `list your repositories`. */
export function toProblem({ refusal }: GithubFailure, what: string): ProblemError {
  const failed = `GitHub did not ${what}.`;
  switch (refusal.kind) {
    case 'revoked':
      return linkAgain();
    case 'too_many':
      return new ProblemError('too_many', `${failed} It takes no more requests of your account for now.`, {
        retryAfterSeconds: refusal.waitSeconds,
        recovery: `Try again in ${inMinutes(refusal.waitSeconds)}.`,
      });
    case 'single_sign_on':
      return new ProblemError('not_allowed', `${failed} The organisation wants a single sign-on first.`, {
        recovery: 'Sign in to the organisation at GitHub, then link your account again on your profile.',
      });
    case 'not_found':
      return new ProblemError(
        'conflict',
        `${failed} It does not have this repository or branch, or does not show it to you.`,
        {
          recovery: 'Check its name at GitHub, and whether your account may push to it.',
        },
      );
    case 'forbidden':
    case 'conflict':
    case 'invalid':
      return new ProblemError('conflict', `${failed} It says: ${shown(refusal.told)}`, {
        recovery: 'Correct this at GitHub, then try again.',
      });
    case 'server_error':
      return new ProblemError(
        'unavailable',
        `${failed} It has a fault of its own at the moment (${refusal.status}).`,
      );
    case 'no_answer':
      return new ProblemError('unavailable', `${failed} No answer came in time.`);
    case 'unreachable':
      return new ProblemError('unavailable', `${failed} The console does not reach it.`, {
        recovery: 'Check the network of the console, then try again.',
      });
    case 'too_long':
    case 'redirect':
    case 'unreadable':
      return new ProblemError('unavailable', `${failed} The console does not understand the answer.`, {
        recovery:
          'Try again later. If this stays, tell the operator of this console: something else may answer in place of GitHub.',
      });
  }
}

const shownCharacters = 300;

/** GitHub's own words as one line of text. */
function shown(told: string): string {
  const line = told.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line;
}

const inMinutes = (seconds: number) =>
  seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
