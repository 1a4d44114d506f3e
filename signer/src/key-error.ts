import { messages } from '@homeport/contract/messages';

/**
 * `passphrase_needed`, `passphrase_wrong`: ask, or ask again. `refused`: a private key that cannot be used here;
 * the error names the way out. `malformed`: not one private key, or a damaged one. `mismatch`: the two halves belong to
 * different pairs.
 */
export type KeyErrorCode = 'passphrase_needed' | 'passphrase_wrong' | 'refused' | 'malformed' | 'mismatch';

/** `message` is for the user. The optional `hint` says in one line what is accepted or what to do. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
  readonly code: KeyErrorCode;
  readonly hint: string | undefined;

  constructor(code: KeyErrorCode, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

export function malformed(hint: string): KeyError {
  return new KeyError('malformed', messages.invalidKey, hint);
}
