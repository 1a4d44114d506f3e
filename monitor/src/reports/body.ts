import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { reportLimits } from '@homeport/contract/stats/facts';

/** A report unpacks to a few kB. zlib's default chunks of 16 kB would keep the garbage collector busy. */
const limits = { maxOutputLength: reportLimits.inflatedBytes, chunkSize: 4_096 };
const inflate = promisify<Buffer, typeof limits, Buffer>(gunzip);
/** For smaller bodies a thread costs more than it saves. */
const inlineBytes = 16_384;

export type Body = { kind: 'text'; text: string } | { kind: 'too_large' } | { kind: 'damaged' };

/** The body as text of at most `inflatedBytes`, however small the packed body is. A promise only if a thread unpacks the body. */
export function readBody(raw: Buffer, encoding: string | undefined): Body | Promise<Body> {
  if (encoding === undefined || encoding === 'identity') return { kind: 'text', text: raw.toString() };
  if (encoding !== 'gzip') return { kind: 'damaged' };
  if (raw.length > inlineBytes) return inflate(raw, limits).then(text, refusal);
  try {
    return text(gunzipSync(raw, limits));
  } catch (error) {
    return refusal(error);
  }
}

const text = (inflated: Buffer): Body => ({ kind: 'text', text: inflated.toString() });

function refusal(error: unknown): Body {
  const tooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
  return { kind: tooLarge ? 'too_large' : 'damaged' };
}
