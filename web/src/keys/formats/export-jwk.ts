import type { PrivateJwk } from '@homeport/signer/key-types';

/**
 * Returns only the numbers of an extractable key. `alg`, `ext` and `key_ops` would bind the JWK to one hash
 * and one use.
 */
export async function exportJwk(key: CryptoKey): Promise<PrivateJwk> {
  const { alg: _alg, ext: _ext, key_ops: _keyOps, ...numbers } = await crypto.subtle.exportKey('jwk', key);
  return numbers as PrivateJwk;
}
