import { blake2b } from '@noble/hashes/blake2.js';
import nacl from 'tweetnacl';

/** libsodium's `crypto_box_seal`, for tests that act as the page. Both are base64. */
export function sealFor(publicKey: string, text: string): string {
  const receiver = Buffer.from(publicKey, 'base64');
  const sender = nacl.box.keyPair();
  const nonce = blake2b(Buffer.concat([sender.publicKey, receiver]), { dkLen: 24 });
  const box = nacl.box(Buffer.from(text), nonce, receiver, sender.secretKey);
  return Buffer.concat([sender.publicKey, box]).toString('base64');
}

/** Another key, as GitHub makes one when it rotates the key of a repository's secrets. */
export const newSealingKey = () => ({ id: '1', pair: nacl.box.keyPair() });
