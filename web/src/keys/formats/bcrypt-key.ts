import { type Bytes, utf8 } from '@homeport/signer/bytes';
import { malformed } from '@homeport/signer/key-error';
import bcrypt from 'bcrypt-pbkdf';
import { passphraseNeeded, refused } from '../key-refusals.ts';

/**
 * A round takes about 17 ms. A file with more rounds would keep the Worker busy for more than half a minute.
 */
const mostRounds = 2000;

/** The key derivation of encrypted OpenSSH files (PROTOCOL.key). Throws KeyError. */
export function bcryptKey(passphrase: string, salt: Uint8Array, rounds: number, length: number): Bytes {
  if (passphrase === '') throw passphraseNeeded();
  if (rounds > mostRounds)
    throw refused(`This file asks for ${rounds} bcrypt rounds, more than ${mostRounds}.`);
  const secret = utf8(passphrase);
  const key = new Uint8Array(length);
  const status = bcrypt.pbkdf(secret, secret.length, salt, salt.length, key, length, rounds);
  secret.fill(0);
  if (status !== 0) throw malformed('The encryption parameters of the file are damaged.');
  return key;
}
