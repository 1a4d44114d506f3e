import { type Bytes, concat, leftPadded } from './bytes.ts';
import { importAlgorithm } from './import-algorithm.ts';
import { algorithmsOf, curves, type PublicJwk, type SignatureAlgorithm, typeOf } from './key-types.ts';
import { signingAlgorithm } from './signing-algorithm.ts';
import { readWire } from './ssh-wire.ts';

/**
 * Whether `signature` (the inner one, without the algorithm's name) is `key`'s signature of `data`. Returns
 * false for another key's algorithm, a malformed signature or a point off the curve.
 */
export async function verify(
  key: PublicJwk,
  algorithm: SignatureAlgorithm,
  signature: Bytes,
  data: Bytes,
): Promise<boolean> {
  if (!algorithmsOf[typeOf(key)].includes(algorithm)) return false;
  try {
    const raw = key.kty === 'EC' ? joinHalves(signature, curves[key.crv].bytes) : signature;
    if (!raw) return false;
    const form = importAlgorithm(typeOf(key), algorithm === 'rsa-sha2-512' ? 'SHA-512' : 'SHA-256');
    const publicKey = await crypto.subtle.importKey('jwk', { ...key }, form, false, ['verify']);
    return await crypto.subtle.verify(signingAlgorithm(algorithm), publicKey, raw, data);
  } catch {
    // Only WireError and WebCrypto's refusal of a malformed key or signature reach this point. Neither proves
    // anything.
    return false;
  }
}

/** Converts mpint r and mpint s to the fixed-length r||s that WebCrypto needs. */
function joinHalves(signature: Bytes, length: number): Bytes | undefined {
  const wire = readWire(signature);
  const [r, s] = [leftPadded(wire.mpint(), length), leftPadded(wire.mpint(), length)];
  return r && s && wire.remaining() === 0 ? concat(r, s) : undefined;
}
