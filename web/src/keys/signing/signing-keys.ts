import { type ImportAlgorithm, importAlgorithm } from '@homeport/signer/import-algorithm';
import { KeyError } from '@homeport/signer/key-error';
import {
  type KeyType,
  type PrivateJwk,
  type PrivateKey,
  type SigningKeys,
  typeOf,
} from '@homeport/signer/key-types';
import { readPublicBlob } from '@homeport/signer/public-key';
import { sign } from '@homeport/signer/sign';
import { verify } from '@homeport/signer/verify';
import { noEd25519, refused, useEd25519 } from '../key-refusals.ts';

const leastRsaBits = 2048;
const mostRsaBits = 8192;

/**
 * Gives the key to the browser, which can then sign with it but never reveals it. First checks that both
 * halves match. Throws KeyError: `refused`, `malformed` or `mismatch`.
 */
export async function toSigningKeys(key: PrivateKey): Promise<SigningKeys> {
  const keys = await importEach(typeOf(key.jwk), (algorithm) => importJwk(key.jwk, algorithm));
  await checkPair(keys, key.blob);
  return keys;
}

/** Calls `load` for each CryptoKey that a key of this type needs. */
export async function importEach(
  type: KeyType,
  load: (algorithm: ImportAlgorithm) => Promise<CryptoKey>,
): Promise<SigningKeys> {
  if (type !== 'ssh-rsa') return { type, key: await load(importAlgorithm(type)) };
  const sha256 = await load(importAlgorithm(type));
  return { type, sha256, sha512: await load(importAlgorithm(type, 'SHA-512')) };
}

async function importJwk(jwk: PrivateJwk, algorithm: ImportAlgorithm): Promise<CryptoKey> {
  if (jwk.kty === 'RSA') {
    const bits = Math.floor((jwk.n.length * 3) / 4) * 8;
    if (bits < leastRsaBits) throw refused(`RSA keys under ${leastRsaBits} bits are too weak.`, useEd25519);
    if (bits > mostRsaBits)
      throw refused(`RSA keys over ${mostRsaBits} bits cannot be used here.`, useEd25519);
  }
  try {
    return await crypto.subtle.importKey('jwk', { ...jwk }, algorithm, false, ['sign']);
  } catch (error) {
    if (jwk.kty === 'OKP' && error instanceof Error && error.name === 'NotSupportedError') throw noEd25519();
    throw new KeyError('mismatch', 'The numbers in this file do not make a key.', 'Export the key again.');
  }
}

/** The server would reject halves of different pairs without a reason, so this check finds them first. */
async function checkPair(keys: SigningKeys, blob: Uint8Array): Promise<void> {
  const probe = crypto.getRandomValues(new Uint8Array(32));
  const algorithm = keys.type === 'ssh-rsa' ? 'rsa-sha2-256' : keys.type;
  const signature = await sign(keys, algorithm, probe);
  if (!(await verify(readPublicBlob(blob).jwk, algorithm, signature, probe))) {
    throw new KeyError('mismatch', 'The public and the private part are not of one pair.');
  }
}
