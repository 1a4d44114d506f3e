import type { IncomingMessage } from 'node:http';

/** Of a body that nobody wants, so much is taken for so long, that its sender can read the answer. */
const unwantedBytes = 1024 * 1024;
const unwantedMs = 2_000;

/** Reads a body. Null for one of more bytes than `most`, whose rest waits, and for one that breaks off. */
export function readBody(req: IncomingMessage, most: number): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (body: Buffer | null) => {
      req.off('data', take);
      req.pause();
      resolve(body);
    };
    const take = (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > most) settle(null);
    };
    req.on('data', take);
    req.once('end', () => settle(Buffer.concat(chunks)));
    req.once('close', () => settle(null));
    req.once('error', () => settle(null));
  });
}

/**
 * Takes what is left of a body, within bounds. A connection that is closed with bytes unread is reset, and the reset takes away the
 * answer that its visitor has not read yet.
 */
export function takeRest(req: IncomingMessage, done: () => void): void {
  let left = unwantedBytes;
  const end = () => {
    clearTimeout(late);
    req.off('data', take);
    req.off('close', end);
    done();
  };
  const take = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
  };
  const late = setTimeout(end, unwantedMs);
  req.on('data', take);
  req.once('close', end);
  req.resume();
}
