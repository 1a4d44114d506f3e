import { messages } from '@homeport/contract/messages';
import { type Bytes, fromBase64, leftPadded, toBase64, toBase64url } from './bytes.ts';
import { KeyError, malformed } from './key-error.ts';
import { curveOfWire, curves, isKeyType, type KeyType, type PublicJwk } from './key-types.ts';
import { readWire, WireError } from './ssh-wire.ts';

export interface PublicKey {
  type: KeyType;
  blob: Bytes;
  jwk: PublicJwk;
  comment: string;
}

/**
 * Reads one line of a `.pub` file: `ssh-<type> AAAA… comment` or `ecdsa-sha2-<curve> AAAA… comment`. Throws
 * KeyError.
 */
export function readPublicKey(line: string): PublicKey {
  const match = /^(ssh-[a-z0-9-]+|ecdsa-sha2-[a-z0-9-]+) (AAAA[A-Za-z0-9+/]+={0,3})(?: ([^\r\n]*))?$/.exec(
    line.trim(),
  );
  const hint = 'Needs one line: ssh-ed25519, ssh-rsa or ecdsa-sha2-nistp256 and so on, then AAAA…';
  const blob = match ? fromBase64(match[2] ?? '') : undefined;
  if (!match || !blob) throw malformed(hint);
  const key = readPublicBlob(blob);
  if (key.type !== match[1]) throw malformed(`The line says ${match[1]}, the key in it is ${key.type}.`);
  return { ...key, comment: match[3]?.trim() ?? '' };
}

/** Reads a public blob in its wire form. Rejects extra bytes. Throws KeyError. */
export function readPublicBlob(blob: Uint8Array): Omit<PublicKey, 'comment'> {
  try {
    const wire = readWire(blob);
    const type = wire.text();
    if (!isKeyType(type))
      throw new KeyError(
        'refused',
        messages.invalidKey,
        `Keys of type ${printable(type)} cannot be used here.`,
      );
    const jwk = readNumbers(type, wire);
    if (wire.remaining() > 0) throw malformed('Bytes are left over after the public key.');
    return { type, blob: new Uint8Array(blob), jwk };
  } catch (error) {
    if (error instanceof WireError) throw malformed('The public key is cut short.');
    throw error;
  }
}

/** The line for `authorized_keys`. */
export function publicLine(blob: Uint8Array, comment = ''): string {
  const type = readWire(blob).text();
  const oneLine = comment.replaceAll(/[\r\n]+/g, ' ').trim();
  return `${type} ${toBase64(blob)}${oneLine === '' ? '' : ` ${oneLine}`}`;
}

function readNumbers(type: KeyType, wire: ReturnType<typeof readWire>): PublicJwk {
  if (type === 'ssh-ed25519') {
    const x = wire.string();
    if (x.length !== 32) throw malformed('An Ed25519 public key has 32 bytes.');
    return { kty: 'OKP', crv: 'Ed25519', x: toBase64url(x) };
  }
  if (type === 'ssh-rsa') {
    const [e, n] = [wire.mpint(), wire.mpint()];
    if (e.length === 0 || n.length === 0) throw malformed('The RSA numbers are missing.');
    return { kty: 'RSA', n: toBase64url(n), e: toBase64url(e) };
  }
  const crv = curveOfWire(wire.text());
  if (!crv || curves[crv].type !== type) throw malformed('The key names two different curves.');
  return { kty: 'EC', crv, ...readPoint(wire.string(), curves[crv].bytes) };
}

/** x and y of an uncompressed point. Each coordinate has `length` bytes. Throws KeyError. */
export function readPoint(point: Uint8Array, length: number): { x: string; y: string } {
  if (point[0] !== 4 || point.length !== 1 + 2 * length) throw malformed('The point is not of this curve.');
  const [x, y] = [point.subarray(1, 1 + length), point.subarray(1 + length)];
  return { x: toBase64url(x), y: toBase64url(y) };
}

/** An EC private number in JWK form, padded on the left to the curve's length. Throws KeyError. */
export function scalar(number: Uint8Array, length: number): string {
  const padded = leftPadded(number, length);
  if (!padded) throw malformed('The private number is longer than its curve allows.');
  return toBase64url(padded);
}

function printable(text: string): string {
  return text.replaceAll(/[^\x21-\x7e]/g, '?').slice(0, 64);
}
