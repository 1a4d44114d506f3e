import type { IncomingMessage } from 'node:http';

/** Of a body that nobody wants, so much is taken for so long, that its sender can read the answer. */
const unwantedBytes = 1024 * 1024;
const unwantedMs = 2_000;

/**
 * Takes what is left of a body, within bounds. A connection that is closed with bytes unread is reset, and the reset takes away the
 * answer that its visitor has not read yet.
 */
export function takeRest(req: IncomingMessage, done: () => void): void {
  let left = unwantedBytes;
  const end = () => {
    clearTimeout(late);
    req.off('data', take);
    req.off('end', end);
    req.off('close', end);
    done();
  };
  const take = (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
  };
  const late = setTimeout(end, unwantedMs);
  req.on('data', take);
  req.once('end', end);
  req.once('close', end);
  req.resume();
}
