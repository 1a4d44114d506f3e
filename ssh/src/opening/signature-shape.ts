import { keyTypeOf } from './host-key.ts';
import { WireReader } from './wire.ts';

/**
 * Whether `signature` has the form of this key type: Ed25519 64 bytes (RFC 8709), RSA as long as its modulus (RFC 8332), ECDSA
 * two positive `mpint`s of at most the curve's length (RFC 5656). A malformed signature makes ssh2 throw in its own callback,
 * past every handler, so no unchecked signature may reach ssh2.
 */
export function isSignatureShaped(signature: unknown, publicKeyBlob: Buffer): signature is Buffer {
  if (!Buffer.isBuffer(signature)) return false;
  const type = keyTypeOf(publicKeyBlob);
  if (type === 'ssh-ed25519') return signature.length === 64;
  if (type === 'ssh-rsa') return signature.length === modulusBytes(publicKeyBlob);
  const scalarBytes = ecdsaScalarBytes[type];
  return scalarBytes !== undefined && isEcdsaShaped(signature, scalarBytes);
}

const ecdsaScalarBytes: Record<string, number> = {
  'ecdsa-sha2-nistp256': 32,
  'ecdsa-sha2-nistp384': 48,
  'ecdsa-sha2-nistp521': 66,
};

function isEcdsaShaped(signature: Buffer, scalarBytes: number): boolean {
  const reader = new WireReader(signature);
  return [reader.string(), reader.string()].every((part) => isScalar(part, scalarBytes)) && reader.finished;
}

/** A positive `mpint` in its shortest form: one leading 00 byte where the top bit is set, and nowhere else. */
function isScalar(mpint: Buffer | null, atMostBytes: number): boolean {
  const first = mpint?.[0];
  if (!mpint || first === undefined || first >= 0x80) return false;
  if (first !== 0) return mpint.length <= atMostBytes;
  const second = mpint[1];
  return second !== undefined && second >= 0x80 && mpint.length <= atMostBytes + 1;
}

function modulusBytes(publicKeyBlob: Buffer): number | null {
  const reader = new WireReader(publicKeyBlob);
  reader.string();
  reader.string();
  const modulus = reader.string();
  if (!modulus) return null;
  return modulus[0] === 0 ? modulus.length - 1 : modulus.length;
}
