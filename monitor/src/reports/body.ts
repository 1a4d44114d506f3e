import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { reportLimits } from '@homeport/contract/monitor';

/** A report unpacks to a few kB; the usual 16 kB pieces keep the garbage collector busy. */
const limits = { maxOutputLength: reportLimits.inflatedBytes, chunkSize: 4_096 };
const inflate = promisify<Buffer, typeof limits, Buffer>(gunzip);
/** Below this a thread costs more than it saves. */
const inlineBytes = 16_384;

export type Body = { kind: 'text'; text: string } | { kind: 'too_large' } | { kind: 'damaged' };

/** The body as text, at most `inflatedBytes` of it, however small it came. */
export async function readBody(raw: Buffer, encoding: string | undefined): Promise<Body> {
  if (encoding === undefined || encoding === 'identity') return { kind: 'text', text: raw.toString() };
  if (encoding !== 'gzip') return { kind: 'damaged' };
  try {
    const inflated = raw.length <= inlineBytes ? gunzipSync(raw, limits) : await inflate(raw, limits);
    return { kind: 'text', text: inflated.toString() };
  } catch (error) {
    const tooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return { kind: tooLarge ? 'too_large' : 'damaged' };
  }
}
