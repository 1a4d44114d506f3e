import { type Bytes, fromBase64 } from './bytes.ts';
import { malformed, refused } from './key-error.ts';

export interface PemBlock {
  /** What stands between BEGIN and the dashes, such as `RSA PRIVATE KEY`. */
  label: string;
  /** `Proc-Type` and `DEK-Info` of RFC 1421, by lower-case name. */
  headers: Map<string, string>;
  body: Bytes;
}

const blockPattern = /-----BEGIN ([A-Z0-9 ]{1,64})-----\r?\n([\s\S]*?)-----END \1-----/g;

/** The one private block of a file; parameters beside an EC key are skipped. Throws KeyError. */
export function readPem(text: string): PemBlock {
  const blocks = [...text.matchAll(blockPattern)];
  const secret = blocks.filter(([, label]) => label?.endsWith('PRIVATE KEY') || label?.includes('PGP'));
  if (secret.length > 1) throw refused('There is more than one key here.', 'Import one key at a time.');
  const [, label, inner] = secret[0] ?? blocks[0] ?? [];
  if (label === undefined || inner === undefined) {
    throw malformed('Needs a whole block, from -----BEGIN … PRIVATE KEY----- to its END line.');
  }
  if (label.includes('CERTIFICATE'))
    throw refused('That is a certificate, not a private key.', 'Import the key it was made for.');
  if (label.includes('PUBLIC KEY'))
    throw refused('That is a public key.', 'The private half is in the file without .pub.');
  const { headers, body } = splitHeaders(inner);
  const bytes = fromBase64(body);
  if (!bytes || bytes.length === 0)
    throw malformed('The text between the BEGIN and END lines is not base64.');
  return { label, headers, body: bytes };
}

function splitHeaders(inner: string): { headers: Map<string, string>; body: string } {
  const headers = new Map<string, string>();
  const lines = inner.split(/\r?\n/);
  while (lines[0]?.includes(':')) {
    const [name, ...value] = (lines.shift() ?? '').split(':');
    headers.set((name ?? '').trim().toLowerCase(), value.join(':').trim());
  }
  return { headers, body: lines.join('') };
}
