import type { Bytes } from './bytes.ts';
import { concat } from './bytes.ts';
import type { SignatureAlgorithm, SigningKeys } from './key-types.ts';
import { signingAlgorithm } from './signing-algorithm.ts';
import { mpint } from './ssh-wire.ts';

/**
 * The inner signature, which follows the algorithm's name in SSH. Ed25519: 64 bytes. ECDSA: mpint r and mpint
 * s (RFC 5656 section 3.1.2). RSA: as long as the modulus (RFC 8332). `algorithm` must belong to the key.
 */
export async function sign(keys: SigningKeys, algorithm: SignatureAlgorithm, data: Bytes): Promise<Bytes> {
  const key = keys.type === 'ssh-rsa' ? keys[algorithm === 'rsa-sha2-512' ? 'sha512' : 'sha256'] : keys.key;
  const signature = new Uint8Array(await crypto.subtle.sign(signingAlgorithm(algorithm), key, data));
  if (!algorithm.startsWith('ecdsa-')) return signature;
  const half = signature.length / 2;
  return concat(mpint(signature.subarray(0, half)), mpint(signature.subarray(half)));
}
