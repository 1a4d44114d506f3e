import type { hostKeyTypes } from '@homeport/contract/connections/facts';
import { type Bytes, fromBase64url } from './bytes.ts';
import { mpint, string } from './ssh-wire.ts';

export type Curve = 'P-256' | 'P-384' | 'P-521';
/** A person's keys have the same types as host keys. */
export type KeyType = (typeof hostKeyTypes)[number];
export type SignatureAlgorithm = Exclude<KeyType, 'ssh-rsa'> | 'rsa-sha2-256' | 'rsa-sha2-512';

/** RFC 5656: each curve's name on the wire, the bytes of a coordinate, and the hash. */
export const curves = {
  'P-256': { wire: 'nistp256', type: 'ecdsa-sha2-nistp256', bytes: 32, hash: 'SHA-256' },
  'P-384': { wire: 'nistp384', type: 'ecdsa-sha2-nistp384', bytes: 48, hash: 'SHA-384' },
  'P-521': { wire: 'nistp521', type: 'ecdsa-sha2-nistp521', bytes: 66, hash: 'SHA-512' },
} as const satisfies Record<Curve, { wire: string; type: KeyType; bytes: number; hash: string }>;

/** The signature algorithms of each key type. RSA with SHA-1 (`ssh-rsa` as an algorithm) is left out. */
export const algorithmsOf: Record<KeyType, readonly SignatureAlgorithm[]> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-256', 'rsa-sha2-512'],
};

export type PublicJwk =
  | { kty: 'OKP'; crv: 'Ed25519'; x: string }
  | { kty: 'EC'; crv: Curve; x: string; y: string }
  | { kty: 'RSA'; n: string; e: string };

/**
 * The common form of every key file: a JWK (RFC 7517, 8037) with all members that WebCrypto needs.
 */
export type PrivateJwk =
  | { kty: 'OKP'; crv: 'Ed25519'; x: string; d: string }
  | { kty: 'EC'; crv: Curve; x: string; y: string; d: string }
  | { kty: 'RSA'; n: string; e: string; d: string; p: string; q: string; dp: string; dq: string; qi: string };

export interface PrivateKey {
  jwk: PrivateJwk;
  /** The public blob (RFC 4253 section 6.6), computed from `jwk`. */
  blob: Bytes;
  comment: string;
}

export function isKeyType(name: string): name is KeyType {
  return Object.hasOwn(algorithmsOf, name);
}

/** The curve with the wire name `nistp256`, `nistp384` or `nistp521`. */
export function curveOfWire(name: string): Curve | undefined {
  return (Object.keys(curves) as Curve[]).find((curve) => curves[curve].wire === name);
}

export function typeOf(jwk: PublicJwk): KeyType {
  if (jwk.kty === 'OKP') return 'ssh-ed25519';
  return jwk.kty === 'EC' ? curves[jwk.crv].type : 'ssh-rsa';
}

/** The public blob: RFC 8709 (Ed25519), RFC 5656 (ECDSA), RFC 4253 section 6.6 (RSA, which starts with e). */
export function publicBlob(jwk: PublicJwk): Bytes {
  const parts = [string(typeOf(jwk))];
  if (jwk.kty === 'OKP') parts.push(string(fromBase64url(jwk.x)));
  else if (jwk.kty === 'EC') parts.push(string(curves[jwk.crv].wire), string(point(jwk)));
  else parts.push(mpint(fromBase64url(jwk.e)), mpint(fromBase64url(jwk.n)));
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

/** The uncompressed point: 04, x, y. */
export function point(jwk: { x: string; y: string }): Bytes {
  return Uint8Array.of(4, ...fromBase64url(jwk.x), ...fromBase64url(jwk.y));
}

/** A CryptoKey, whose name browsers and Node declare in different places. */
type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Non-extractable keys that can only sign. RSA needs two, because a CryptoKey is bound to one hash. */
export type SigningKeys =
  | { type: Exclude<KeyType, 'ssh-rsa'>; key: SigningKey }
  | { type: 'ssh-rsa'; sha256: SigningKey; sha512: SigningKey };
