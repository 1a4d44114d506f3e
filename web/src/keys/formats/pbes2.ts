import { type Bytes, utf8 } from '@homeport/signer/bytes';
import { malformed } from '@homeport/signer/key-error';
import { passphraseNeeded, passphraseWrong, refused } from '../key-refusals.ts';
import { decryptCbcPadded } from './aes.ts';
import { contentOf, type DerNode, der, oidOf, readDer, readSequence, smallInteger, tags } from './der.ts';

const pbes2 = '2a864886f70d01050d';
const pbkdf2 = '2a864886f70d01050c';
const scryptOid = '2b06010401da47040b';
const hashOfHmac: Record<string, string> = {
  '2a864886f70d0207': 'SHA-1',
  '2a864886f70d0209': 'SHA-256',
  '2a864886f70d020a': 'SHA-384',
  '2a864886f70d020b': 'SHA-512',
};
const keyBytesOfCipher: Record<string, number> = {
  '608648016503040102': 16,
  '60864801650304012a': 32,
};

/**
 * A hostile file must not keep this machine busy, so these limits bound its work. `openssl` stays far below
 * both.
 */
const mostIterations = 10_000_000;
const mostScryptBytes = 512 * 1024 * 1024;

/**
 * Decrypts `ENCRYPTED PRIVATE KEY` (RFC 8018 PBES2; scrypt: RFC 7914) and returns its PKCS#8. Throws
 * KeyError.
 */
export async function openPbes2(bytes: Uint8Array, passphrase: string): Promise<Bytes> {
  const [algorithm, encrypted] = readSequence(bytes);
  const [scheme, parameters] = readDer(contentOf(algorithm, tags.sequence));
  if (oidOf(scheme) !== pbes2) throw refused('This file is encrypted in an outdated way (PBES1).');
  const [kdf, cipher] = readDer(contentOf(parameters, tags.sequence)).map((node) =>
    readDer(contentOf(node, tags.sequence)),
  );
  const keyBytes = keyBytesOfCipher[oidOf(cipher?.[0])];
  if (!keyBytes) throw refused('This file is encrypted with a cipher other than AES-128 or AES-256.');
  const iv = contentOf(cipher?.[1], tags.octetString);
  const data = contentOf(encrypted, tags.octetString);
  if (iv.length !== 16 || data.length === 0 || data.length % 16 !== 0)
    throw malformed('The encrypted part is damaged.');
  const derive = deriver(kdf ?? [], keyBytes);
  if (passphrase === '') throw passphraseNeeded();
  const key = await derive(utf8(passphrase));
  try {
    return await decryptCbcPadded(key, iv, data);
  } catch {
    throw passphraseWrong();
  }
}

/** Reads all parameters first, so that a damaged file is reported before the page asks for a passphrase. */
function deriver([name, parameters]: DerNode[], length: number): (passphrase: Bytes) => Promise<Bytes> {
  const fields = readSequence(der(tags.sequence, contentOf(parameters, tags.sequence)));
  const salt = new Uint8Array(contentOf(fields[0], tags.octetString));
  switch (oidOf(name)) {
    case pbkdf2: {
      const iterations = smallInteger(fields[1]);
      const prf = fields.find((field) => field.tag === tags.sequence);
      const hash = prf ? hashOfHmac[oidOf(readDer(prf.value)[0])] : 'SHA-1';
      if (!hash) throw refused('This file uses an unknown hash to derive its key.');
      if (iterations === 0) throw malformed('The encryption parameters of the file are damaged.');
      if (iterations > mostIterations) throw refused(`This file asks for ${iterations} rounds of PBKDF2.`);
      return async (passphrase) => {
        const secret = await crypto.subtle.importKey('raw', passphrase, 'PBKDF2', false, ['deriveBits']);
        const algorithm = { name: 'PBKDF2', hash, salt, iterations };
        return new Uint8Array(await crypto.subtle.deriveBits(algorithm, secret, length * 8));
      };
    }
    case scryptOid: {
      const [N, r, p] = [smallInteger(fields[1]), smallInteger(fields[2]), smallInteger(fields[3])];
      if (N < 2 || (N & (N - 1)) !== 0 || r < 1 || p < 1) {
        throw malformed('The encryption parameters of the file are damaged.');
      }
      if (128 * N * r > mostScryptBytes || p > 16)
        throw refused('This file asks for too much memory (scrypt).');
      return async (passphrase) => {
        const { scryptAsync } = await import('@noble/hashes/scrypt.js');
        return new Uint8Array(await scryptAsync(passphrase, salt, { N, r, p, dkLen: length }));
      };
    }
    default:
      throw refused('This file uses an unknown way to derive its key.');
  }
}
