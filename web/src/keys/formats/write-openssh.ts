import { type Bytes, concat, fromBase64url, toBase64 } from '@homeport/signer/bytes';
import { curves, type PrivateJwk, type PrivateKey, point, typeOf } from '@homeport/signer/key-types';
import { mpint, string, uint32 } from '@homeport/signer/ssh-wire';
import { cryptCtr } from './aes.ts';
import { bcryptKey } from './bcrypt-key.ts';
import { opensshMagic } from './read-openssh.ts';

const bcryptRounds = 24;

/**
 * The text of an OpenSSH private key file, to be saved with mode 600. Plain if `passphrase` is '', otherwise
 * encrypted with bcrypt (24 rounds) and aes256-ctr. `ssh` reads the file only with its final newline.
 */
export async function writeOpenssh(key: PrivateKey, passphrase = ''): Promise<string> {
  const check = crypto.getRandomValues(new Uint8Array(4));
  const plain = concat(check, check, string(typeOf(key.jwk)), numbersOf(key.jwk), string(key.comment));
  const secret = padded(plain, passphrase === '' ? 8 : 16);
  const sealed = passphrase === '' ? { ...unsealed, secret } : await seal(secret, passphrase);
  const file = concat(
    opensshMagic,
    string(sealed.cipher),
    string(sealed.kdf),
    string(sealed.options),
    uint32(1),
    string(key.blob),
    string(sealed.secret),
  );
  const lines = toBase64(file).match(/.{1,70}/g) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join(
    '\n',
  );
}

const unsealed = { cipher: 'none', kdf: 'none', options: new Uint8Array(0) };

async function seal(secret: Bytes, passphrase: string) {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const derived = bcryptKey(passphrase, salt, bcryptRounds, 48);
  return {
    cipher: 'aes256-ctr',
    kdf: 'bcrypt',
    options: concat(string(salt), uint32(bcryptRounds)),
    secret: await cryptCtr(derived.slice(0, 32), derived.slice(32), secret),
  };
}

function numbersOf(jwk: PrivateJwk): Bytes {
  const number = (text: string) => mpint(fromBase64url(text));
  if (jwk.kty === 'OKP') {
    const [x, seed] = [fromBase64url(jwk.x), fromBase64url(jwk.d)];
    return concat(string(x), string(concat(seed, x)));
  }
  if (jwk.kty === 'EC') return concat(string(curves[jwk.crv].wire), string(point(jwk)), number(jwk.d));
  const { n, e, d, qi, p, q } = jwk;
  return concat(...[n, e, d, qi, p, q].map(number));
}

function padded(bytes: Bytes, block: number): Bytes {
  const length = (block - (bytes.length % block)) % block;
  return concat(
    bytes,
    Uint8Array.from({ length }, (_, index) => index + 1),
  );
}
