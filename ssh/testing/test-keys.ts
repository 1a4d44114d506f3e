import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import type { Signer, SignRequest } from '../src/index.ts';

export type TestKeyType = 'ed25519' | 'ecdsa-256' | 'ecdsa-384' | 'ecdsa-521' | 'rsa-2048';

export type TestKey = { privateKeyPem: string; publicKeyLine: string };

/** A fresh key pair in OpenSSH's own formats, made by ssh-keygen and held in memory only. */
export function makeKey(type: TestKeyType = 'ed25519'): TestKey {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-key-'));
  try {
    const [kind = '', bits] = type.split('-');
    const file = join(folder, 'key');
    execFileSync('ssh-keygen', [
      '-q',
      '-t',
      kind,
      ...(bits ? ['-b', bits] : []),
      '-N',
      '',
      '-C',
      'test',
      '-f',
      file,
    ]);
    return {
      privateKeyPem: readFileSync(file, 'utf8'),
      publicKeyLine: readFileSync(`${file}.pub`, 'utf8').trim(),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Signs as the page does, with the algorithm that the data names. Remembers the requests. */
export function signerFor(privateKeyPem: string): Signer & { requests: SignRequest[] } {
  const key = ssh2.utils.parseKey(privateKeyPem);
  if (key instanceof Error) throw key;
  const requests: SignRequest[] = [];
  return {
    publicKeyBlob: key.getPublicSSH(),
    requests,
    async sign(request) {
      requests.push(request);
      const hash = request.data.includes('rsa-sha2-512') ? 'sha512' : 'sha256';
      const signature = key.type === 'ssh-rsa' ? key.sign(request.data, hash) : key.sign(request.data);
      return key.type.startsWith('ecdsa-') ? ecdsaOnTheWire(signature) : signature;
    },
  };
}

/** ssh2 signs in DER (SEQUENCE of two INTEGERs); SSH wants the two integers as `mpint` (RFC 5656, 3.1.2). */
function ecdsaOnTheWire(der: Buffer): Buffer {
  let at = (der[1] ?? 0) > 0x80 ? 3 : 2;
  const integer = () => {
    const length = der[at + 1] ?? 0;
    const value = der.subarray(at + 2, at + 2 + length);
    at += 2 + length;
    const size = Buffer.alloc(4);
    size.writeUInt32BE(length);
    return Buffer.concat([size, value]);
  };
  return Buffer.concat([integer(), integer()]);
}
