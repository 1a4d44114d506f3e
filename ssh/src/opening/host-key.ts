import { createHash } from 'node:crypto';
import { WireReader } from './wire.ts';

/** As `ssh-keygen -l` prints it: `SHA256:` and the base64 of the blob's hash without padding. */
export function fingerprintOf(publicKeyBlob: Buffer): string {
  return `SHA256:${createHash('sha256').update(publicKeyBlob).digest('base64').replace(/=$/, '')}`;
}

/** The key type that a public key blob names: `ssh-ed25519`, `ssh-rsa`, `ecdsa-sha2-nistp256` and so on. */
export function keyTypeOf(publicKeyBlob: Buffer): string {
  return new WireReader(publicKeyBlob).string()?.toString('latin1') ?? 'unknown';
}

/**
 * The host key algorithms that we offer, those of the pinned key first: a server that got a second key type after the pin
 * still shows the pinned key. SHA-1 (`ssh-rsa`) is left out, because the page would refuse its signature anyway.
 */
export function hostKeyAlgorithms(pinnedKeyType?: string): ServerHostKeyAlgorithm[] {
  const ofPin = (algorithm: ServerHostKeyAlgorithm) =>
    algorithm === pinnedKeyType || (pinnedKeyType === 'ssh-rsa' && algorithm.startsWith('rsa-sha2-'));
  return [...accepted.filter(ofPin), ...accepted.filter((algorithm) => !ofPin(algorithm))];
}

const accepted = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
] as const;

type ServerHostKeyAlgorithm = (typeof accepted)[number];
