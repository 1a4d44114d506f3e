import { type Bytes, concat, fromHex, utf8 } from '@homeport/signer/bytes';
import { malformed } from '@homeport/signer/key-error';
import { md5 } from '@noble/hashes/legacy.js';
import { passphraseNeeded, passphraseWrong, refused } from '../key-refusals.ts';
import { decryptCbcPadded } from './aes.ts';
import type { PemBlock } from './pem.ts';

const keyBytesOf: Record<string, number> = { 'AES-128-CBC': 16, 'AES-256-CBC': 32 };

/** The body of an old PEM block. Decrypts the body if `Proc-Type: 4,ENCRYPTED` is set. Throws KeyError. */
export async function openDekInfo(block: PemBlock, passphrase: string): Promise<Bytes> {
  const info = block.headers.get('dek-info');
  if (info === undefined) return block.body;
  const [cipher = '', ivHex = ''] = info.split(',').map((part) => part.trim());
  const length = keyBytesOf[cipher.toUpperCase()];
  if (!length)
    throw refused(`This file is encrypted with ${cipher.slice(0, 32)}, which browsers do not know.`);
  const iv = fromHex(ivHex);
  if (iv?.length !== 16 || block.body.length % 16 !== 0) throw malformed('The encrypted part is damaged.');
  if (passphrase === '') throw passphraseNeeded();
  try {
    return await decryptCbcPadded(opensslKey(utf8(passphrase), iv.subarray(0, 8), length), iv, block.body);
  } catch {
    throw passphraseWrong();
  }
}

/** OpenSSL's EVP_BytesToKey with MD5 and one round: MD5(previous, passphrase, salt), repeated. */
function opensslKey(passphrase: Uint8Array, salt: Uint8Array, length: number): Bytes {
  let key: Bytes = new Uint8Array(0);
  let previous: Uint8Array = new Uint8Array(0);
  while (key.length < length) {
    previous = md5(concat(previous, passphrase, salt));
    key = concat(key, previous);
  }
  return key.slice(0, length);
}
