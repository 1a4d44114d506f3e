import type { Bytes } from '@homeport/signer/bytes';
import { sameBytes } from '@homeport/signer/bytes';
import { sha256Fingerprint } from '@homeport/signer/fingerprint';
import { KeyError } from '@homeport/signer/key-error';
import { type KeyType, type PrivateKey, type SigningKeys, typeOf } from '@homeport/signer/key-types';
import { publicLine, readPublicKey } from '@homeport/signer/public-key';
import { readPrivateKey } from './formats/read-private-key.ts';
import { writeOpenssh } from './formats/write-openssh.ts';
import { generateKey } from './generate-key.ts';
import { keyId, md5Fingerprint } from './key-id.ts';
import { type LockedKey, type LockSecret, lockKey, openLockedKey } from './keystore/lock-key.ts';
import { toSigningKeys } from './signing/signing-keys.ts';

/** How to keep the key: null for a non-extractable key, otherwise locked. */
export type LockChoice = { secret: LockSecret; pepper: string } | null;

/** The work on unprotected private numbers. It runs in the Worker only. */
export type KeyJob =
  /**
   * `passphrase` is the file's own, '' for none. `publicKey` is the public line that must match the file, ''
   * for none.
   */
  | { job: 'import'; text: string; passphrase: string; publicKey: string; lock: LockChoice }
  | { job: 'generate'; comment: string; filePassphrase: string; lock: LockChoice }
  | {
      job: 'export';
      locked: LockedKey;
      type: KeyType;
      blob: Bytes;
      secret: LockSecret;
      pepper: string;
      comment: string;
      filePassphrase: string;
    };

/** A key as the browser keeps it: ready to sign, or locked. */
export type KeptSecret = { kind: 'open'; keys: SigningKeys } | { kind: 'locked'; locked: LockedKey };

export interface KeyJobResult {
  /** MD5 fingerprint without colons. */
  id: string;
  type: KeyType;
  blob: Bytes;
  /** The `authorized_keys` line, with the key's comment. */
  publicKey: string;
  md5: string;
  sha256: string;
  /** null after an export, which changes no kept key. */
  secret: KeptSecret | null;
  /** An OpenSSH private key file to save with mode 600. Present only after generating and exporting. */
  file: string | null;
}

/** Throws KeyError. */
export async function runKeyJob(job: KeyJob): Promise<KeyJobResult> {
  switch (job.job) {
    case 'import': {
      const key = await readPrivateKey(job.text, job.passphrase);
      const declared = job.publicKey.trim() === '' ? undefined : readPublicKey(job.publicKey);
      if (declared && !sameBytes(declared.blob, key.blob)) {
        throw new KeyError('mismatch', 'The public and the private key are not of one pair.');
      }
      const named = { ...key, comment: declared?.comment || key.comment };
      return describe(named, await keep(named, job.lock), null);
    }
    case 'generate': {
      const key = await generateKey(job.comment);
      const file = await writeOpenssh(key, job.filePassphrase);
      return describe(key, await keep(key, job.lock), file);
    }
    case 'export': {
      const jwk = await openLockedKey(job.locked, job.type, job.blob, job.secret, job.pepper);
      const key = { jwk, blob: job.blob, comment: job.comment };
      return describe(key, null, await writeOpenssh(key, job.filePassphrase));
    }
  }
}

async function keep(key: PrivateKey, lock: LockChoice): Promise<KeptSecret> {
  const keys = await toSigningKeys(key);
  if (lock === null) return { kind: 'open', keys };
  return { kind: 'locked', locked: await lockKey(key, lock.secret, lock.pepper) };
}

async function describe(
  key: PrivateKey,
  secret: KeptSecret | null,
  file: string | null,
): Promise<KeyJobResult> {
  const { blob } = key;
  const type = typeOf(key.jwk);
  const publicKey = publicLine(blob, key.comment);
  const [id, md5, sha256] = [keyId(blob), md5Fingerprint(blob), await sha256Fingerprint(blob)];
  return { id, type, blob, publicKey, md5, sha256, secret, file };
}
