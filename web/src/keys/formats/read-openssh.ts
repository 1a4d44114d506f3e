import { type Bytes, concat, sameBytes, toBase64url, utf8 } from '@homeport/signer/bytes';
import { KeyError, malformed } from '@homeport/signer/key-error';
import {
  curveOfWire,
  curves,
  isKeyType,
  type KeyType,
  type PrivateJwk,
  type PrivateKey,
  publicBlob,
} from '@homeport/signer/key-types';
import { readPoint, scalar } from '@homeport/signer/public-key';
import { readWire, WireError, type WireReader } from '@homeport/signer/ssh-wire';
import { passphraseNeeded, passphraseWrong, refused, useEd25519 } from '../key-refusals.ts';
import { cryptCtr, decryptCbc, decryptGcm } from './aes.ts';
import { bcryptKey } from './bcrypt-key.ts';
import { rsaJwk } from './rsa-jwk.ts';

export const opensshMagic = utf8('openssh-key-v1\0');

interface Cipher {
  keyBytes: number;
  ivBytes: number;
  /** The tag follows the file's last string, and that string's length does not include it. */
  tagBytes: number;
  blockBytes: number;
  decrypt(key: Bytes, iv: Bytes, data: Bytes): Promise<Bytes>;
}

const ciphers: Record<string, Cipher> = {
  'aes128-ctr': { keyBytes: 16, ivBytes: 16, tagBytes: 0, blockBytes: 16, decrypt: cryptCtr },
  'aes256-ctr': { keyBytes: 32, ivBytes: 16, tagBytes: 0, blockBytes: 16, decrypt: cryptCtr },
  'aes128-cbc': { keyBytes: 16, ivBytes: 16, tagBytes: 0, blockBytes: 16, decrypt: decryptCbc },
  'aes256-cbc': { keyBytes: 32, ivBytes: 16, tagBytes: 0, blockBytes: 16, decrypt: decryptCbc },
  'aes128-gcm@openssh.com': { keyBytes: 16, ivBytes: 12, tagBytes: 16, blockBytes: 16, decrypt: decryptGcm },
  'aes256-gcm@openssh.com': { keyBytes: 32, ivBytes: 12, tagBytes: 16, blockBytes: 16, decrypt: decryptGcm },
  'chacha20-poly1305@openssh.com': {
    keyBytes: 64,
    ivBytes: 0,
    tagBytes: 16,
    blockBytes: 8,
    decrypt: decryptChacha,
  },
};

/** Reads the body of an `OPENSSH PRIVATE KEY` block (OpenSSH's PROTOCOL.key). Throws KeyError. */
export async function readOpenssh(bytes: Uint8Array, passphrase: string): Promise<PrivateKey> {
  try {
    return await readFile(bytes, passphrase);
  } catch (error) {
    if (error instanceof WireError) throw malformed('The key block is damaged or cut short.');
    throw error;
  }
}

async function readFile(bytes: Uint8Array, passphrase: string): Promise<PrivateKey> {
  const wire = readWire(bytes);
  if (!sameBytes(wire.take(opensshMagic.length), opensshMagic))
    throw malformed('This is not an OpenSSH key block.');
  const [cipherName, kdf, kdfOptions, count] = [wire.text(), wire.text(), wire.string(), wire.uint32()];
  if (count !== 1) throw malformed('There is more than one key in this file. Import one key at a time.');
  const declared = wire.string();
  const secret = wire.string();
  const tag = wire.rest();
  const type = readWire(declared).text();
  if (!isKeyType(type)) throw refusedType(type);
  if (cipherName === 'none') {
    if (kdf !== 'none') throw malformed('The encryption parameters of the file are damaged.');
    return readSecret(secret, type, declared, 'plain');
  }
  const cipher = ciphers[cipherName];
  if (!cipher || kdf !== 'bcrypt')
    throw refused('This file is encrypted in a way that browsers do not know.');
  if (tag.length !== cipher.tagBytes || secret.length % cipher.blockBytes !== 0) {
    throw malformed('The encrypted part is damaged.');
  }
  const options = readWire(kdfOptions);
  const [salt, rounds] = [options.string(), options.uint32()];
  if (passphrase === '') throw passphraseNeeded();
  const derived = bcryptKey(passphrase, salt, rounds, cipher.keyBytes + cipher.ivBytes);
  const [key, iv] = [derived.slice(0, cipher.keyBytes), derived.slice(cipher.keyBytes)];
  const opened = await cipher.decrypt(key, iv, concat(secret, tag)).catch(() => undefined);
  if (!opened) throw passphraseWrong();
  return readSecret(opened, type, declared, 'encrypted');
}

function readSecret(secret: Bytes, type: KeyType, declared: Bytes, was: 'plain' | 'encrypted'): PrivateKey {
  const wire = readWire(secret);
  const [check, again] = [wire.uint32(), wire.uint32()];
  if (check !== again) {
    throw was === 'encrypted' ? passphraseWrong() : malformed('The check words of the file differ.');
  }
  if (wire.text() !== type) throw malformed('The file names two types of key.');
  const jwk = readNumbers(type, wire);
  const comment = wire.text();
  if (!wire.rest().every((byte, index) => byte === index + 1))
    throw malformed('The padding of the file is damaged.');
  const blob = publicBlob(jwk);
  if (!sameBytes(blob, declared))
    throw new KeyError('mismatch', 'The public and the private part of this file differ.');
  return { jwk, blob, comment };
}

function readNumbers(type: KeyType, wire: WireReader): PrivateJwk {
  if (type === 'ssh-ed25519') {
    const [x, seedAndX] = [wire.string(), wire.string()];
    if (x.length !== 32 || seedAndX.length !== 64) throw malformed('An Ed25519 key has 32 bytes.');
    return { kty: 'OKP', crv: 'Ed25519', x: toBase64url(x), d: toBase64url(seedAndX.subarray(0, 32)) };
  }
  if (type === 'ssh-rsa') {
    const [n, e, d, iqmp] = [wire.mpint(), wire.mpint(), wire.mpint(), wire.mpint()];
    return rsaJwk({ n, e, d, iqmp, p: wire.mpint(), q: wire.mpint() });
  }
  const crv = curveOfWire(wire.text());
  if (!crv || curves[crv].type !== type) throw malformed('The key names two different curves.');
  const length = curves[crv].bytes;
  const at = readPoint(wire.string(), length);
  return { kty: 'EC', crv, ...at, d: scalar(wire.mpint(), length) };
}

/** Loaded when a file needs it, with its library. */
async function decryptChacha(key: Bytes, _iv: Bytes, data: Bytes): Promise<Bytes> {
  const { openChacha } = await import('./open-chacha.ts');
  return openChacha(key, data) ?? Promise.reject(passphraseWrong());
}

function refusedType(type: string): KeyError {
  if (type.startsWith('sk-')) {
    return refused('Keys that live on a security key (sk-…) cannot sign in this page.', useEd25519);
  }
  if (type.includes('-cert-')) return malformed('That is an SSH certificate. Import the plain key.');
  if (type === 'ssh-dss') return refused('DSA keys are refused by every current SSH server.', useEd25519);
  return refused('Keys of this kind cannot be used here.', useEd25519);
}
