import type { OpeningFailureCode, SignRefusalCode } from '@homeport/contract/connections/facts';
import type { Bytes } from '../keys/bytes.ts';

/** A line that the server itself asks for (keyboard-interactive); `echo`: what is typed may be seen. */
export interface ServerPrompt {
  text: string;
  echo: boolean;
}

/**
 * Beyond the console's own reasons: the user said no; the socket closed before an answer came (network, a frozen tab);
 * the page is not a secure context, where browsers give no cryptography; this browser does not hold the key; the console
 * says of a server that took host-bound signatures that it takes none.
 */
export type OpeningProblem =
  | OpeningFailureCode
  | 'declined'
  | 'interrupted'
  | 'insecure_page'
  | 'key_missing'
  | 'downgrade_refused';

/** A state that waits for the user carries the way to answer it; only the first answer counts. */
export type OpeningQuestion =
  | {
      status: 'needs_confirmation';
      reason: 'asked_each_time' | 'many_openings';
      answer: (goOn: boolean) => void;
    }
  /** First contact. Nothing was sent to the server yet. */
  | { status: 'host_key_question'; fingerprint: string; algorithm: string; answer: (accept: boolean) => void }
  | {
      status: 'host_key_changed';
      pinned: string;
      /** When this page pinned it; null where the pin is the console's. */
      pinnedAt: number | null;
      presented: string;
      answer: (accept: boolean) => void;
    }
  /** An older server: a signature cannot be bound to it. Nothing was signed yet. */
  | { status: 'plain_signature_question'; answer: (agree: boolean) => void }
  /** UTF-8 bytes of the password, which are zero-filled once they are sent; null to give up. */
  | { status: 'needs_password'; answer: (password: Bytes | null) => void }
  | { status: 'needs_answers'; prompts: ServerPrompt[]; answer: (answers: string[] | null) => void };

export interface ReadyState {
  status: 'ready';
  connectionId: string;
  expiresAt: number;
  /** Another value than at the last opening: the server was rebooted. Null when it is not known. */
  bootId: string | null;
}

export interface FailedState {
  status: 'failed';
  code: OpeningProblem;
  message: string;
  methodsLeft?: string[];
  /** For `host_key_changed`. */
  fingerprints?: { pinned: string; presented: string };
  /** Why this page itself refused to sign. */
  refusal?: SignRefusalCode;
}

export type OpeningState =
  | { status: 'idle' }
  | { status: 'connecting'; step: 'probe' | 'login' | 'other_tab' }
  | OpeningQuestion
  | ReadyState
  | FailedState;

export function failed(code: OpeningProblem, message: string): FailedState {
  return { status: 'failed', code, message };
}

export function declined(): FailedState {
  return failed('declined', 'The connection was not opened.');
}
