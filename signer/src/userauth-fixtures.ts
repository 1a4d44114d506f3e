/// <reference types="node" />
import { generateKeyPairSync } from 'node:crypto';
import { type Bytes, concat } from './bytes.ts';
import { sha256Fingerprint } from './fingerprint.ts';
import { importAlgorithm } from './import-algorithm.ts';
import {
  curves,
  type KeyType,
  type PrivateJwk,
  publicBlob,
  type SignatureAlgorithm,
  type SigningKeys,
} from './key-types.ts';
import { sign } from './sign.ts';
import { string } from './ssh-wire.ts';

/** For tests only: keys, and the bytes that a server and the console would send. */
export interface TestKey {
  keys: SigningKeys;
  blob: Bytes;
  fingerprint: string;
}

export async function makeTestKey(type: KeyType): Promise<TestKey> {
  const jwk = newPair(type);
  const load = (hash?: 'SHA-256' | 'SHA-512') =>
    crypto.subtle.importKey('jwk', { ...jwk }, importAlgorithm(type, hash), false, ['sign']);
  const keys: SigningKeys =
    type === 'ssh-rsa'
      ? { type, sha256: await load('SHA-256'), sha512: await load('SHA-512') }
      : { type, key: await load() };
  const blob = publicBlob(jwk);
  return { keys, blob, fingerprint: await sha256Fingerprint(blob) };
}

function newPair(type: KeyType): PrivateJwk {
  if (type === 'ssh-ed25519')
    return generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as PrivateJwk;
  if (type === 'ssh-rsa')
    return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
      format: 'jwk',
    }) as PrivateJwk;
  const namedCurve = Object.entries(curves).find(([, curve]) => curve.type === type)?.[0] ?? '';
  return generateKeyPairSync('ec', { namedCurve }).privateKey.export({ format: 'jwk' }) as PrivateJwk;
}

export interface UserauthFields {
  session: Bytes;
  message: number;
  user: string;
  service: string;
  method: string;
  flag: number;
  algorithm: string;
  blob: Bytes;
}

/** RFC 4252 section 7. */
export function userauth(fields: UserauthFields, ...after: Uint8Array[]): Bytes {
  return concat(
    string(fields.session),
    Uint8Array.of(fields.message),
    string(fields.user),
    string(fields.service),
    string(fields.method),
    Uint8Array.of(fields.flag),
    string(fields.algorithm),
    string(fields.blob),
    ...after,
  );
}

/** The server's signature in its key exchange: the algorithm, and a signature over the session id. */
export async function kexSignature(
  host: TestKey,
  algorithm: SignatureAlgorithm,
  session: Bytes,
): Promise<Bytes> {
  return concat(string(algorithm), string(await sign(host.keys, algorithm, session)));
}

export function newSession(length = 32): Bytes {
  return crypto.getRandomValues(new Uint8Array(length));
}
