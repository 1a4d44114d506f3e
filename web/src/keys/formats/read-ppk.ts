import {
  type Bytes,
  concat,
  fromBase64,
  fromBase64url,
  fromHex,
  sameBytes,
  toBase64url,
  utf8,
} from '@homeport/signer/bytes';
import { malformed } from '@homeport/signer/key-error';
import { curves, isKeyType, type PrivateJwk, type PrivateKey } from '@homeport/signer/key-types';
import { readPublicBlob, scalar } from '@homeport/signer/public-key';
import { readWire, string, WireError } from '@homeport/signer/ssh-wire';
import { sha1 } from '@noble/hashes/legacy.js';
import { passphraseNeeded, passphraseWrong, refusedPpk } from '../key-refusals.ts';
import { decryptCbc } from './aes.ts';
import { rsaJwk } from './rsa-jwk.ts';

interface PpkFile {
  version: 2 | 3;
  type: string;
  encryption: string;
  comment: string;
  publicPart: Bytes;
  privatePart: Bytes;
  fields: Map<string, string>;
}

interface PpkKeys {
  cipherKey: Bytes;
  iv: Bytes;
  macKey: Bytes;
}

const mostMemoryKb = 1024 * 1024;

/** Reads PuTTY's key file, versions 2 and 3 (appendix C of PuTTY's manual). Throws KeyError. */
export async function readPpk(text: string, passphrase: string): Promise<PrivateKey> {
  const file = parsePpk(text);
  if (!isKeyType(file.type)) throw refusedPpk('Keys of this kind cannot be used here.');
  if (file.encryption !== 'none' && file.encryption !== 'aes256-cbc') {
    throw refusedPpk('This file is encrypted in an unknown way.');
  }
  const encrypted = file.encryption !== 'none';
  if (encrypted && file.privatePart.length % 16 !== 0) throw malformed('The encrypted part is damaged.');
  if (encrypted && passphrase === '') throw passphraseNeeded();
  const keys = file.version === 3 ? await keysV3(file, passphrase) : keysV2(encrypted ? passphrase : '');
  const plain = encrypted ? await decryptCbc(keys.cipherKey, keys.iv, file.privatePart) : file.privatePart;
  if (!(await macMatches(file, plain, keys.macKey))) {
    throw encrypted ? passphraseWrong() : malformed('The checksum of the file (Private-MAC) is wrong.');
  }
  try {
    const { blob, jwk } = readPublicBlob(file.publicPart);
    return { jwk: readNumbers(jwk, plain), blob, comment: file.comment };
  } catch (error) {
    if (error instanceof WireError) throw malformed('The private part is cut short.');
    throw error;
  }
}

function readNumbers(jwk: ReturnType<typeof readPublicBlob>['jwk'], plain: Bytes): PrivateJwk {
  const wire = readWire(plain);
  if (jwk.kty === 'OKP') {
    const seed = wire.string();
    if (seed.length !== 32) throw malformed('An Ed25519 key has 32 bytes.');
    return { ...jwk, d: toBase64url(seed) };
  }
  if (jwk.kty === 'EC') return { ...jwk, d: scalar(wire.mpint(), curves[jwk.crv].bytes) };
  const [d, p, q, iqmp] = [wire.mpint(), wire.mpint(), wire.mpint(), wire.mpint()];
  return rsaJwk({ n: fromBase64url(jwk.n), e: fromBase64url(jwk.e), d, p, q, iqmp });
}

function parsePpk(text: string): PpkFile {
  const lines = text.trim().split(/\r?\n|\r/);
  const fields = new Map<string, string>();
  const blocks = new Map<string, Bytes>();
  for (let at = 0; at < lines.length; at++) {
    const [name = '', ...rest] = (lines[at] ?? '').split(':');
    const value = rest.join(':').trim();
    fields.set(name, value);
    if (name !== 'Public-Lines' && name !== 'Private-Lines') continue;
    const count = /^\d{1,4}$/.test(value) ? Number(value) : 0;
    const body = fromBase64(lines.slice(at + 1, at + 1 + count).join(''));
    if (!body) throw malformed('The lines of the key are not base64.');
    blocks.set(name, body);
    at += count;
  }
  const version = fields.has('PuTTY-User-Key-File-3') ? 3 : 2;
  const type = fields.get(`PuTTY-User-Key-File-${version}`);
  if (type === undefined) throw refusedPpk('This version of PuTTY’s key file is not known.');
  const [publicPart, privatePart] = [blocks.get('Public-Lines'), blocks.get('Private-Lines')];
  if (!publicPart || !privatePart) throw malformed('The PuTTY key file is not complete.');
  const [encryption, comment] = [fields.get('Encryption') ?? '', fields.get('Comment') ?? ''];
  return { version, type, encryption, comment, publicPart, privatePart, fields };
}

function keysV2(passphrase: string): PpkKeys {
  const half = (counter: number) => sha1(concat(Uint8Array.of(0, 0, 0, counter), utf8(passphrase)));
  const cipherKey = concat(half(0), half(1)).slice(0, 32);
  const macKey = new Uint8Array(sha1(utf8(`putty-private-key-file-mac-key${passphrase}`)));
  return { cipherKey, iv: new Uint8Array(16), macKey };
}

async function keysV3(file: PpkFile, passphrase: string): Promise<PpkKeys> {
  // WebCrypto refuses an empty HMAC key. A key of 64 zero bytes gives the same result.
  if (file.encryption === 'none') return { cipherKey: empty, iv: empty, macKey: new Uint8Array(64) };
  const field = (name: string) => {
    const value = file.fields.get(name) ?? '';
    if (!/^[1-9]\d{0,8}$/.test(value)) throw malformed('The encryption parameters of the file are damaged.');
    return Number(value);
  };
  const [m, t, p] = [field('Argon2-Memory'), field('Argon2-Passes'), field('Argon2-Parallelism')];
  const salt = fromHex(file.fields.get('Argon2-Salt') ?? '');
  if (!salt || salt.length < 8 || m < 8 * p)
    throw malformed('The encryption parameters of the file are damaged.');
  if (m > mostMemoryKb || t * m > 64 * mostMemoryKb)
    throw refusedPpk('This file asks for too much memory or time.');
  const argon2 = await import('@noble/hashes/argon2.js');
  const derive = argonKinds[file.fields.get('Key-Derivation') ?? ''];
  if (!derive) throw refusedPpk('This file uses an unknown way to derive its key.');
  const derived = await argon2[derive](utf8(passphrase), salt, { m, t, p, dkLen: 80 });
  return {
    cipherKey: new Uint8Array(derived.slice(0, 32)),
    iv: new Uint8Array(derived.slice(32, 48)),
    macKey: new Uint8Array(derived.slice(48)),
  };
}

const empty: Bytes = new Uint8Array(0);
const argonKinds: Record<string, 'argon2idAsync' | 'argon2iAsync' | 'argon2dAsync'> = {
  Argon2id: 'argon2idAsync',
  Argon2i: 'argon2iAsync',
  Argon2d: 'argon2dAsync',
};

async function macMatches(file: PpkFile, plain: Bytes, macKey: Bytes): Promise<boolean> {
  const expected = fromHex(file.fields.get('Private-MAC') ?? '');
  if (!expected) return false;
  const covered = [file.type, file.encryption, file.comment, file.publicPart, plain].map(string);
  const algorithm = { name: 'HMAC', hash: file.version === 3 ? 'SHA-256' : 'SHA-1' };
  const key = await crypto.subtle.importKey('raw', macKey, algorithm, false, ['sign']);
  return sameBytes(new Uint8Array(await crypto.subtle.sign('HMAC', key, concat(...covered))), expected);
}
