import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import ssh2 from 'ssh2';
import { keyTypeOf } from './host-key.ts';
import { WireReader } from './wire.ts';

/**
 * Whether the key made this signature of `data`, the bytes of a login (RFC 4252, section 7). A wrong one must not reach the server: it
 * counts as a failed login from the console's address, and servers ban an address that has several. `signature` has the form of the
 * key's signatures (`isSignatureShaped`).
 */
export function isSignatureOf(signature: Buffer, data: Buffer, publicKeyBlob: Buffer): boolean {
  const type = keyTypeOf(publicKeyBlob);
  const key = publicKeyOf(type, publicKeyBlob);
  if (!key) return false;
  if (type === 'ssh-ed25519') return verify(null, data, key, signature);
  if (type === 'ssh-rsa')
    return verify(algorithmOf(data) === 'rsa-sha2-512' ? 'sha512' : 'sha256', data, key, signature);
  const curve = curves[type];
  if (!curve) return false;
  const reader = new WireReader(signature);
  const [r, s] = [scalarOf(reader.string(), curve.bytes), scalarOf(reader.string(), curve.bytes)];
  return (
    r !== null &&
    s !== null &&
    verify(curve.hash, data, { key, dsaEncoding: 'ieee-p1363' }, Buffer.concat([r, s]))
  );
}

/** RFC 5656, section 6.2.1. */
const curves: Record<string, { bytes: number; hash: string }> = {
  'ecdsa-sha2-nistp256': { bytes: 32, hash: 'sha256' },
  'ecdsa-sha2-nistp384': { bytes: 48, hash: 'sha384' },
  'ecdsa-sha2-nistp521': { bytes: 66, hash: 'sha512' },
};

function publicKeyOf(type: string, blob: Buffer): KeyObject | null {
  const parsed = ssh2.utils.parseKey(`${type} ${blob.toString('base64')}`);
  return parsed instanceof Error ? null : createPublicKey(parsed.getPublicPEM());
}

/** The number in its full length. */
function scalarOf(mpint: Buffer | null, bytes: number): Buffer | null {
  const digits = mpint?.[0] === 0 ? mpint.subarray(1) : mpint;
  return digits && digits.length <= bytes
    ? Buffer.concat([Buffer.alloc(bytes - digits.length), digits])
    : null;
}

/** The signature algorithm that the signed bytes name. */
function algorithmOf(data: Buffer): string | undefined {
  const reader = new WireReader(data);
  const [sessionId, message] = [reader.string(), reader.byte()];
  const [user, service, method] = [reader.string(), reader.string(), reader.string()];
  const [isSigned, algorithm] = [reader.byte(), reader.string()];
  const isWhole = sessionId && message !== null && user && service && method && isSigned !== null;
  return isWhole ? algorithm?.toString('latin1') : undefined;
}
