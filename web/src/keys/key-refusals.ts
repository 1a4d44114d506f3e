import { KeyError } from '@homeport/signer/key-error';

const convert =
  'Run `ssh-keygen -p -f <copy of the key>`: it rewrites the file in OpenSSH format, then import that.';
const convertPpk = 'Run `puttygen key.ppk -O private-openssh-new -o key`, then import the file `key`.';

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
