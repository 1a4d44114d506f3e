import type { IncomingMessage } from 'node:http';

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
