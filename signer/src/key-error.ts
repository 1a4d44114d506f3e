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

const convert =
  'Run `ssh-keygen -p -f <copy of the key>`: it rewrites the file in OpenSSH format, then import that.';
const convertPpk = 'Run `puttygen key.ppk -O private-openssh-new -o key`, then import the file `key`.';

export function malformed(hint: string): KeyError {
  return new KeyError('malformed', messages.invalidKey, hint);
}

export function refused(what: string, hint: string = convert): KeyError {
  return new KeyError('refused', what, hint);
}

export function refusedPpk(what: string): KeyError {
  return new KeyError('refused', what, convertPpk);
}

export function passphraseNeeded(): KeyError {
  return new KeyError('passphrase_needed', 'This key is encrypted: enter its passphrase.');
}

export function passphraseWrong(): KeyError {
  return new KeyError('passphrase_wrong', 'The passphrase does not open this key.');
}

export const thatIsPublic = 'That is a public key. The private half is in the file without .pub.';
export const useEd25519 = 'Make a new key: `ssh-keygen -t ed25519`.';

export function noEd25519(): KeyError {
  const hint = 'Use a newer browser, or a P-256 key (ecdsa-sha2-nistp256).';
  return refused('This browser cannot use Ed25519 keys.', hint);
}
