import { createCipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto';
import { destinationLimits } from '@homeport/contract/destinations/facts';

/** What a browser gave: its public key and its secret, in base64url. */
export type PushReceiver = { p256dh: string; auth: string };

const tagBytes = 16;
const pointBytes = 65;
/** The salt, the size of a record, the length of the key's id, and the key itself (RFC 8188, 2.1). */
const headerBytes = 16 + 4 + 1 + pointBytes;
/** The last record ends with this byte (RFC 8188, 2). */
const endOfRecord = 2;

/** As much text as fits into one message that every push service takes. */
export const pushTextBytes = destinationLimits.pushBytes - headerBytes - tagBytes - 1;

/**
 * Encrypts a message for one browser as `aes128gcm` (RFC 8291, RFC 8188): one record, with a key of this message alone. The push service
 * that passes it on cannot read it.
 *
 * @param once the pair and the salt of this message; only the test of the standard's vectors gives them
 */
export function encryptPush(
  text: Buffer,
  { p256dh, auth }: PushReceiver,
  once: { pair: ECDH; salt: Buffer } = newOnce(),
): Buffer {
  if (text.length > pushTextBytes) throw new Error(`A push message has ${text.length} bytes.`);
  const { pair, salt } = once;
  const [receiver, secret] = [Buffer.from(p256dh, 'base64url'), Buffer.from(auth, 'base64url')];
  const sender = pair.getPublicKey();
  const shared = pair.computeSecret(receiver);
  const key = derive(shared, secret, Buffer.concat([info('WebPush: info'), receiver, sender]), 32);
  shared.fill(0);
  const cipher = createCipheriv(
    'aes-128-gcm',
    derive(key, salt, info('Content-Encoding: aes128gcm'), 16),
    derive(key, salt, info('Content-Encoding: nonce'), 12),
  );
  const record = Buffer.concat([
    cipher.update(text),
    cipher.update(Buffer.from([endOfRecord])),
    cipher.final(),
  ]);
  const size = Buffer.alloc(5);
  size.writeUInt32BE(destinationLimits.pushBytes);
  size.writeUInt8(pointBytes, 4);
  return Buffer.concat([salt, size, sender, record, cipher.getAuthTag()]);
}

function newOnce(): { pair: ECDH; salt: Buffer } {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return { pair, salt: randomBytes(16) };
}

/** The words of the standard end with a zero byte. */
const info = (words: string) => Buffer.from(`${words}\0`);

const derive = (secret: Buffer, salt: Buffer, about: Buffer, bytes: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, about, bytes));
