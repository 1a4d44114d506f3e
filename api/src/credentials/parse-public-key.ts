import { createHash, createPublicKey } from 'node:crypto';

export type PublicKey = {
  /** MD5 fingerprint without colons. */
  id: string;
  /** `SHA256:` and base64 without padding, as ssh-keygen -l prints it. */
  fingerprint: string;
  algorithm: string;
  /** The line without its comment. */
  line: string;
};

/**
 * Reads one line of OpenSSH and checks its blob (RFC 4253, 6.6; RFC 5656, 3.1; RFC 8709, 4): the type inside
 * equals the type outside, every part has the right length, and nothing follows. Returns null for any other
 * text.
 */
export function parsePublicKey(text: string): PublicKey | null {
  const [algorithm = '', base64 = ''] = text.trim().split(/\s+/);
  const blob = Buffer.from(base64, 'base64');
  if (blob.toString('base64') !== base64) return null;
  const [type, ...parts] = readStrings(blob) ?? [];
  if (type?.toString('latin1') !== algorithm || !isWellFormed(algorithm, parts)) return null;
  return {
    id: createHash('md5').update(blob).digest('hex'),
    fingerprint: `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=$/, '')}`,
    algorithm,
    line: `${algorithm} ${base64}`,
  };
}

/**
 * A blob is a sequence of strings, each after its length in four bytes (RFC 4251, 5). Returns null if a
 * string is cut off.
 */
function readStrings(blob: Buffer): Buffer[] | null {
  const strings: Buffer[] = [];
  let at = 0;
  while (at < blob.length) {
    if (at + 4 > blob.length) return null;
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) return null;
    strings.push(blob.subarray(at + 4, end));
    at = end;
  }
  return strings;
}

const curves: Partial<Record<string, { curve: string; jwk: string; bytes: number }>> = {
  'ecdsa-sha2-nistp256': { curve: 'nistp256', jwk: 'P-256', bytes: 32 },
  'ecdsa-sha2-nistp384': { curve: 'nistp384', jwk: 'P-384', bytes: 48 },
  'ecdsa-sha2-nistp521': { curve: 'nistp521', jwk: 'P-521', bytes: 66 },
};

/** sshd refuses shorter RSA keys by default (sshd_config, RequiredRSASize). */
const leastRsaBits = 1_024;
const mostRsaBits = 16_384;

function isWellFormed(algorithm: string, parts: Buffer[]): boolean {
  const [first, second] = parts;
  if (algorithm === 'ssh-ed25519') return parts.length === 1 && first?.length === 32;
  if (algorithm === 'ssh-rsa') {
    if (parts.length !== 2 || !first || !second) return false;
    return isPositive(first) && isOdd(first) && isPositive(second) && isOdd(second) && isRsaLength(second);
  }
  const curve = curves[algorithm];
  if (!curve || parts.length !== 2 || !first || !second) return false;
  return first.toString('latin1') === curve.curve && isPoint(second, curve);
}

/** An mpint above zero, in its shortest form (RFC 4251, 5). */
function isPositive(number: Buffer): boolean {
  const [head, next] = number;
  if (head === undefined || head >= 0x80) return false;
  return head !== 0 || (next !== undefined && next >= 0x80);
}

const isOdd = (number: Buffer) => ((number.at(-1) ?? 0) & 1) === 1;

function isRsaLength(modulus: Buffer): boolean {
  const bits = BigInt(`0x${modulus.toString('hex')}`).toString(2).length;
  return bits >= leastRsaBits && bits <= mostRsaBits;
}

/** An uncompressed point that lies on its curve; OpenSSL does the arithmetic. */
function isPoint(point: Buffer, { jwk, bytes }: { jwk: string; bytes: number }): boolean {
  if (point.length !== 1 + 2 * bytes || point[0] !== 4) return false;
  const x = point.subarray(1, 1 + bytes).toString('base64url');
  const y = point.subarray(1 + bytes).toString('base64url');
  try {
    createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: jwk, x, y } });
    return true;
  } catch {
    // OpenSSL refuses a point off the curve.
    return false;
  }
}
