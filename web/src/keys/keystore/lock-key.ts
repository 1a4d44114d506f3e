import { type Bytes, concat, sameBytes, utf8 } from '@homeport/signer/bytes';
import { type ImportAlgorithm, importAlgorithm } from '@homeport/signer/import-algorithm';
import { KeyError } from '@homeport/signer/key-error';
import {
  type KeyType,
  type PrivateJwk,
  type PrivateKey,
  publicBlob,
  type SigningKeys,
  typeOf,
} from '@homeport/signer/key-types';
import { exportJwk } from '../formats/export-jwk.ts';
import { importEach } from '../signing/signing-keys.ts';

/**
 * The secret of a lock: a passphrase, or the 32 bytes that a passkey gives through WebAuthn's PRF extension.
 */
export type LockSecret =
  | { kind: 'passphrase'; passphrase: string }
  | { kind: 'passkey'; credentialId: Bytes; prf: Bytes };

/** A stored private key: PKCS#8 under AES-256-GCM, bound to its public blob. */
export interface LockedKey {
  lock: { kind: 'passphrase'; salt: Bytes } | { kind: 'passkey'; salt: Bytes; credentialId: Bytes };
  iv: Bytes;
  wrapped: Bytes;
}

/** PBKDF2-SHA-256, as OWASP advises. A change of this number needs a new kind of lock. */
const iterations = 600_000;

/**
 * `pepper`: the profile's random second secret. Without it a stolen browser profile is not enough to guess
 * the passphrase.
 */
export async function lockKey(key: PrivateKey, secret: LockSecret, pepper: string): Promise<LockedKey> {
  const [salt, iv] = [crypto.getRandomValues(new Uint8Array(16)), crypto.getRandomValues(new Uint8Array(12))];
  const lock: LockedKey['lock'] =
    secret.kind === 'passphrase'
      ? { kind: 'passphrase', salt }
      : { kind: 'passkey', salt, credentialId: secret.credentialId };
  const [wrapping, extractable] = await Promise.all([
    wrappingKey(lock, secret, pepper),
    crypto.subtle.importKey('jwk', { ...key.jwk }, importAlgorithm(typeOf(key.jwk)), true, ['sign']),
  ]);
  const cipher = { name: 'AES-GCM', iv, additionalData: key.blob };
  const wrapped = new Uint8Array(await crypto.subtle.wrapKey('pkcs8', extractable, wrapping, cipher));
  return { lock, iv, wrapped };
}

/**
 * Turns a locked key into non-extractable keys. Throws KeyError `passphrase_wrong` for a wrong secret or
 * pepper.
 */
export async function unlockKey(
  locked: LockedKey,
  type: KeyType,
  blob: Bytes,
  secret: LockSecret,
  pepper: string,
): Promise<SigningKeys> {
  const wrapping = await wrappingKey(locked.lock, secret, pepper);
  return importEach(type, (algorithm) => unwrap(locked, blob, wrapping, algorithm, 'non-extractable'));
}

/**
 * The private numbers of a locked key, for "export again" only. Call it in the Worker. Throws like
 * `unlockKey`.
 */
export async function openLockedKey(
  locked: LockedKey,
  type: KeyType,
  blob: Bytes,
  secret: LockSecret,
  pepper: string,
): Promise<PrivateJwk> {
  const wrapping = await wrappingKey(locked.lock, secret, pepper);
  const key = await unwrap(locked, blob, wrapping, importAlgorithm(type), 'extractable');
  const jwk = await exportJwk(key);
  if (!sameBytes(publicBlob(jwk), blob)) throw new KeyError('mismatch', 'The locked key is another one.');
  return jwk;
}

async function unwrap(
  locked: LockedKey,
  blob: Bytes,
  wrapping: CryptoKey,
  algorithm: ImportAlgorithm,
  kind: 'extractable' | 'non-extractable',
): Promise<CryptoKey> {
  const cipher = { name: 'AES-GCM', iv: locked.iv, additionalData: blob };
  const extractable = kind === 'extractable';
  return crypto.subtle
    .unwrapKey('pkcs8', locked.wrapped, wrapping, cipher, algorithm, extractable, ['sign'])
    .catch(() => {
      throw new KeyError('passphrase_wrong', 'That does not unlock this key.');
    });
}

/** PBKDF2 stretches a passphrase. A passkey's 32 bytes need no stretching. HKDF mixes the pepper in. */
async function wrappingKey(lock: LockedKey['lock'], secret: LockSecret, pepper: string): Promise<CryptoKey> {
  if (lock.kind !== secret.kind) throw new KeyError('passphrase_wrong', 'This key has another kind of lock.');
  const stretched = secret.kind === 'passkey' ? secret.prf : await stretch(secret.passphrase, lock.salt);
  const material = await crypto.subtle.importKey('raw', stretched, 'HKDF', false, ['deriveKey']);
  const info = concat(utf8('homeport key lock 1'), lock.salt);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: utf8(pepper), info };
  const usages: KeyUsage[] = ['wrapKey', 'unwrapKey'];
  return crypto.subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, usages);
}

async function stretch(passphrase: string, salt: Bytes): Promise<Bytes> {
  const material = await crypto.subtle.importKey('raw', utf8(passphrase), 'PBKDF2', false, ['deriveBits']);
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, material, 256));
}
