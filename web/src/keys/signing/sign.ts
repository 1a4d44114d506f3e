import type { Bytes } from '../bytes.ts';
import { concat } from '../bytes.ts';
import type { SignatureAlgorithm, SigningKeys } from '../key-types.ts';
import { mpint } from '../ssh-wire.ts';
import { signingAlgorithm } from './signing-algorithm.ts';

/**
 * The inner signature, which SSH puts behind the algorithm's name: 64 bytes for Ed25519, mpint r and mpint s for ECDSA
 * (RFC 5656 section 3.1.2), the length of the modulus for RSA (RFC 8332). `algorithm` must be one of the key's own.
 */
export async function sign(keys: SigningKeys, algorithm: SignatureAlgorithm, data: Bytes): Promise<Bytes> {
  const key = keys.type === 'ssh-rsa' ? keys[algorithm === 'rsa-sha2-512' ? 'sha512' : 'sha256'] : keys.key;
  const signature = new Uint8Array(await crypto.subtle.sign(signingAlgorithm(algorithm), key, data));
  if (!algorithm.startsWith('ecdsa-')) return signature;
  const half = signature.length / 2;
  return concat(mpint(signature.subarray(0, half)), mpint(signature.subarray(half)));
}
