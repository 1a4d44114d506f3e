import { type Bytes, fromBase64 } from '@homeport/signer/bytes';
import { malformed } from '@homeport/signer/key-error';
import { thatIsPublic } from '../key-refusals.ts';

export interface PemBlock {
  /** The text between BEGIN and the dashes, such as `RSA PRIVATE KEY`. */
  label: string;
  /** `Proc-Type` and `DEK-Info` of RFC 1421, keyed by lower-case name. */
  headers: Map<string, string>;
  body: Bytes;
}

/** The one private block of a file. Skips the parameters beside an EC key. Throws KeyError. */
export function readPem(text: string): PemBlock {
  const blocks = blocksOf(text);
  const secret = blocks.filter(({ label }) => label.endsWith('PRIVATE KEY') || label.includes('PGP'));
  if (secret.length > 1) throw malformed('There is more than one key here. Import one key at a time.');
  const block = secret[0] ?? blocks[0];
  if (!block) throw malformed('Needs a whole block, from -----BEGIN … PRIVATE KEY----- to its END line.');
  const { label, inner } = block;
  if (label.includes('CERTIFICATE'))
    throw malformed('That is a certificate, not a private key. Import the key that it was made for.');
  if (label.includes('PUBLIC KEY')) throw malformed(thatIsPublic);
  const { headers, body } = splitHeaders(inner);
  const bytes = fromBase64(body);
  if (!bytes || bytes.length === 0)
    throw malformed('The text between the BEGIN and END lines is not base64.');
  return { label, headers, body: bytes };
}

/**
 * The text between each BEGIN line and the END line with the same label. A pattern that searches the END of
 * every BEGIN takes quadratic time when no END exists. Therefore this function reads the lines once.
 */
function blocksOf(text: string): { label: string; inner: string }[] {
  const blocks: { label: string; inner: string }[] = [];
  let open: { label: string; lines: string[] } | null = null;
  for (const line of text.split(/\r?\n/)) {
    const begun = labelOf(line, 'BEGIN');
    if (begun !== null) open = { label: begun, lines: [] };
    else if (open !== null && labelOf(line, 'END') === open.label) {
      blocks.push({ label: open.label, inner: open.lines.join('\n') });
      open = null;
    } else open?.lines.push(line);
  }
  return blocks;
}

/** `RSA PRIVATE KEY` for the line `-----BEGIN RSA PRIVATE KEY-----`. null for any other line. */
function labelOf(line: string, kind: 'BEGIN' | 'END'): string | null {
  const [head, tail] = [`-----${kind} `, '-----'];
  const marker = line.trim();
  if (!marker.startsWith(head) || !marker.endsWith(tail) || marker.length > 100) return null;
  const label = marker.slice(head.length, -tail.length);
  return /^[A-Z0-9 ]+$/.test(label) ? label : null;
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
