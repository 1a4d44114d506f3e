import { KeyError, malformed } from '@homeport/signer/key-error';
import { type PrivateJwk, type PrivateKey, publicBlob } from '@homeport/signer/key-types';
import { keyFileBytes } from '../key-file-limit.ts';
import { passphraseWrong, refused, thatIsPublic, useEd25519 } from '../key-refusals.ts';
import { openDekInfo } from './dek-info.ts';
import { openPbes2 } from './pbes2.ts';
import { type PemBlock, readPem } from './pem.ts';
import { readPkcs8, wrapPkcs1, wrapSec1 } from './pkcs8.ts';
import { readOpenssh } from './read-openssh.ts';
import { readPpk } from './read-ppk.ts';

/**
 * Reads a private key file in every common form: OpenSSH, PKCS#1 or SEC1 PEM, PKCS#8, PuTTY. `passphrase` is
 * '' when none is given. Throws only KeyError.
 */
export async function readPrivateKey(text: string, passphrase = ''): Promise<PrivateKey> {
  if (text.length > keyFileBytes) throw malformed('This text is too long to be a private key.');
  const trimmed = text.trim();
  if (/^(ssh-|ecdsa-sha2-|sk-)\S+ AAAA/.test(trimmed) || trimmed.startsWith('---- BEGIN SSH2 PUBLIC KEY')) {
    throw malformed(thatIsPublic);
  }
  if (trimmed.startsWith('PuTTY-User-Key-File-')) return readPpk(trimmed, passphrase);
  const block = readPem(trimmed);
  if (block.label === 'OPENSSH PRIVATE KEY') return readOpenssh(block.body, passphrase);
  const jwk = await readPemNumbers(block, passphrase);
  return { jwk, blob: publicBlob(jwk), comment: '' };
}

async function readPemNumbers(block: PemBlock, passphrase: string): Promise<PrivateJwk> {
  switch (block.label) {
    case 'PRIVATE KEY':
      return readPkcs8(block.body);
    case 'ENCRYPTED PRIVATE KEY': {
      const opened = await openPbes2(block.body, passphrase);
      return unlessPassphraseWrong(() => readPkcs8(opened));
    }
    case 'RSA PRIVATE KEY':
    case 'EC PRIVATE KEY': {
      const wrap = block.label.startsWith('RSA') ? wrapPkcs1 : wrapSec1;
      const opened = await openDekInfo(block, passphrase);
      const read = () => readPkcs8(wrap(opened));
      return block.headers.has('dek-info') ? unlessPassphraseWrong(async () => read()) : read();
    }
    case 'DSA PRIVATE KEY':
      throw refused('DSA keys are refused by every current SSH server.', useEd25519);
    case 'PGP PRIVATE KEY BLOCK':
      throw refused('A PGP key cannot be used for SSH here.', useEd25519);
    default:
      throw malformed(
        'Needs a block that starts with BEGIN OPENSSH, RSA, EC or plain PRIVATE KEY, or a PuTTY file.',
      );
  }
}

/**
 * A wrong passphrase yields valid padding once in 256 tries. The decrypted bytes are then no key, so the
 * error blames the passphrase.
 */
async function unlessPassphraseWrong(read: () => Promise<PrivateJwk>): Promise<PrivateJwk> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof KeyError && error.code === 'malformed' ? passphraseWrong() : error;
  }
}
