import type { OpeningFailureCode, SignRefusalCode } from '@homeport/contract/connections/facts';
import type { Bytes } from '@homeport/signer/bytes';

/** A prompt of the server itself (keyboard-interactive). `echo`: the typed text may be visible. */
export interface ServerPrompt {
  text: string;
  echo: boolean;
}

/**
 * The page's own reasons, in addition to the console's. The user said no. The socket closed before an answer
 * came (network, a frozen tab). The page is not a secure context, where browsers offer no cryptography. This
 * browser does not hold the key. The console claims that a server no longer accepts host-bound signatures.
 */
export type OpeningProblem =
  | OpeningFailureCode
  | 'declined'
  | 'interrupted'
  | 'insecure_page'
  | 'key_missing'
  | 'downgrade_refused';

/** A state that waits for the user carries its own answer function. Only the first answer counts. */
export type OpeningQuestion =
  | {
      status: 'needs_confirmation';
      reason: 'asked_each_time' | 'many_openings';
      answer: (goOn: boolean) => void;
    }
  /** First contact. The page has sent nothing to the server yet. */
  | {
      status: 'host_key_question';
      fingerprint: string;
      algorithm: string;
      /** Where the name of the server led. null for a server that is known by its address. */
      address: string | null;
      answer: (accept: boolean) => void;
    }
  | {
      status: 'host_key_changed';
      pinned: string;
      /** The time at which this page pinned the key. null if the pin is the console's. */
      pinnedAt: number | null;
      presented: string;
      /** Where the name of the server leads now. null for a server that is known by its address. */
      address: string | null;
      answer: (accept: boolean) => void;
    }
  /** An older server accepts no host-bound signature. The page has signed nothing yet. */
  | { status: 'plain_signature_question'; answer: (agree: boolean) => void }
  /** UTF-8 bytes of the password, zero-filled after sending. null gives up. */
  | { status: 'needs_password'; answer: (password: Bytes | null) => void }
  | { status: 'needs_answers'; prompts: ServerPrompt[]; answer: (answers: string[] | null) => void };

export interface ReadyState {
  status: 'ready';
  connectionId: string;
  expiresAt: number;
  /** Changes when the server reboots. null when unknown. */
  bootId: string | null;
}

export interface FailedState {
  status: 'failed';
  code: OpeningProblem;
  message: string;
  methodsLeft?: string[];
  /** Present with `host_key_changed`. */
  fingerprints?: { pinned: string; presented: string };
  /** With `fingerprints`: where the name of the server leads now. */
  address?: string | undefined;
  /** Why this page refused to sign. */
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
