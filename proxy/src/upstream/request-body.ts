import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** A request's body for undici, and when its last byte came. */
export type RequestBody = {
  stream: Readable;
  /** In milliseconds of the monotonic clock. */
  lastByteAt: number;
  /** When the upstream asked for bytes last. */
  wantedAt: number;
  /** Every byte has come. */
  complete: boolean;
};

/** True when the head announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * Hands the visitor's body on with its own pace. undici destroys the stream that it was given when the upstream fails; the visitor's
 * connection must outlive that, because the answer goes over it.
 *
 * @param tooLarge called once when more than `bodyBytes` came
 */
export function openBody(req: IncomingMessage, bodyBytes: number | null, tooLarge: () => void): RequestBody {
  let seen = 0;
  const stream = new Readable({
    read() {
      body.wantedAt = performance.now();
      req.resume();
    },
    highWaterMark: 64 * 1024,
  });
  const now = performance.now();
  const body: RequestBody = { stream, lastByteAt: now, wantedAt: now, complete: false };
  req.on('data', (chunk: Buffer) => {
    body.lastByteAt = performance.now();
    seen += chunk.length;
    if (bodyBytes !== null && seen > bodyBytes) {
      tooLarge();
      return;
    }
    if (!stream.destroyed && !stream.push(chunk)) req.pause();
  });
  req.once('end', () => {
    body.complete = true;
    if (!stream.destroyed) stream.push(null);
  });
  req.once('close', () => {
    if (!body.complete) stream.destroy(new Error('The visitor left.'));
  });
  // What undici no longer wants is read and dropped, so that the connection can go on.
  stream.once('close', () => void req.resume());
  stream.on('error', () => undefined);
  return body;
}
