/// <reference types="node" />
import { type Bytes, concat } from '../keys/bytes.ts';
import { sha256Fingerprint } from '../keys/fingerprint.ts';
import { readPrivateKey } from '../keys/formats/read-private-key.ts';
import { keyFolder } from '../keys/key-fixtures.ts';
import type { SignatureAlgorithm, SigningKeys } from '../keys/key-types.ts';
import { sign } from '../keys/signing/sign.ts';
import { toSigningKeys } from '../keys/signing/signing-keys.ts';
import { string } from '../keys/ssh-wire.ts';

/** For tests only: keys made by ssh-keygen, and the bytes that a server and the console would send. */
export interface TestKey {
  keys: SigningKeys;
  blob: Bytes;
  fingerprint: string;
}

export async function makeTestKey(...type: string[]): Promise<TestKey> {
  const files = keyFolder();
  try {
    files.run('ssh-keygen', '-q', '-N', '', '-f', 'key', '-t', ...type);
    const key = await readPrivateKey(files.read('key'));
    return { keys: await toSigningKeys(key), blob: key.blob, fingerprint: await sha256Fingerprint(key.blob) };
  } finally {
    files.remove();
  }
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
