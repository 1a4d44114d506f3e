import { type Bytes, concat, utf8 } from '@homeport/signer/bytes';
import { hsalsa, xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { u32 } from '@noble/ciphers/utils.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { blake2b } from '@noble/hashes/blake2.js';

/**
 * Seals a text for the holder of an X25519 key, as libsodium's `crypto_box_seal` does: the sender's key is new for each box, and the
 * nonce is BLAKE2b of both public keys. Nobody but the holder can open it, not even this page.
 */
export function sealSecret(receiver: Uint8Array, text: string): Bytes {
  const secret = x25519.utils.randomSecretKey();
  const sender = x25519.getPublicKey(secret);
  const shared = x25519.getSharedSecret(secret, receiver);
  const key = new Uint8Array(32);
  // crypto_box: the key of the cipher is HSalsa20 of the shared secret and zeros (NaCl, section 10).
  hsalsa(sigma, u32(shared), new Uint32Array(4), u32(key));
  const nonce = blake2b(concat(sender, receiver), { dkLen: 24 });
  const box = xsalsa20poly1305(key, nonce).encrypt(utf8(text));
  for (const bytes of [secret, shared, key]) bytes.fill(0);
  return concat(sender, box);
}

const sigma = u32(utf8('expand 32-byte k'));
