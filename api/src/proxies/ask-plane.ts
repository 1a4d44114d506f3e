import { type IncomingMessage, request } from 'node:http';

/** Where the proxy service of this console answers visitors. */
export type PlaneAddress = { host: string; port: number };

export type PlaneAnswer = {
  status: number;
  /** In order, as the visitor gets them. */
  headers: { name: string; value: string }[];
  /** At most the first MiB. */
  body: Buffer;
  durationMs: number;
};

/** Bounds of one request: no website holds a person’s request up, or fills the console’s memory. */
const deadlineMs = 10_000;
const bodyBytes = 1024 * 1024;

/**
 * Asks the proxy service for a page as a browser would. So its rules, its guard against private addresses and its changes of pages
 * apply, and the console itself connects to nothing but its own service.
 *
 * @throws Error when the service is out of reach or too slow
 */
export function askPlane(
  { host, port }: PlaneAddress,
  domain: string,
  path: string,
  signal: AbortSignal,
): Promise<PlaneAnswer> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const asking = request({
      ...{ host, port, path, signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]) },
      headers: { host: domain, accept: 'text/html,*/*', 'accept-encoding': 'identity' },
    });
    asking.once('error', reject);
    asking.once('response', (answer) => {
      readBody(answer).then(
        (body) =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: pairsOf(answer.rawHeaders),
            body,
            durationMs: Math.round(performance.now() - begun),
          }),
        reject,
      );
    });
    asking.end();
  });
}

async function readBody(answer: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer) {
    if (!Buffer.isBuffer(piece)) continue;
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= bodyBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, bodyBytes);
}

function pairsOf(raw: readonly string[]): PlaneAnswer['headers'] {
  const pairs: PlaneAnswer['headers'] = [];
  for (let at = 0; at + 1 < raw.length; at += 2)
    pairs.push({ name: raw[at] ?? '', value: raw[at + 1] ?? '' });
  return pairs;
}

export const headerOf = ({ headers }: Pick<PlaneAnswer, 'headers'>, name: string): string =>
  headers.find((each) => each.name.toLowerCase() === name)?.value ?? '';
