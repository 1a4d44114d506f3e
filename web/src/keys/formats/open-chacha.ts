import { type Bytes, sameBytes } from '@homeport/signer/bytes';
import { poly1305 } from '@noble/ciphers/_poly1305.js';
import { chacha20orig } from '@noble/ciphers/chacha.js';

/**
 * The file form of chacha20-poly1305@openssh.com. It uses the first half of the key and nonce 0. The tag key
 * is block 0, and the data starts at block 1. Null if the tag is wrong.
 */
export function openChacha(key: Bytes, data: Bytes): Bytes | null {
  const [cipherKey, nonce, secret] = [key.slice(0, 32), new Uint8Array(8), data.slice(0, -16)];
  const tagKey = chacha20orig(cipherKey, nonce, new Uint8Array(32));
  if (!sameBytes(poly1305(secret, tagKey), data.subarray(-16))) return null;
  return new Uint8Array(chacha20orig(cipherKey, nonce, secret, undefined, 1));
}
