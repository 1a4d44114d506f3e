import http, { type IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { destinationLimits } from '@homeport/contract/destinations/facts';
import { type Gate, RefusedDestination } from '@homeport/egress';
import { hostOf, portOf } from './address-of.ts';

export type Posted =
  /** `body`: the beginning of the answer. A person never sees it: the answer of a machine that a person may not reach would be read by it. */
  | { kind: 'answered'; status: number; retryAfterMs: number | null; body: string }
  /** Nothing left for this address: the console does not send there. */
  | { kind: 'refused' }
  /** The name leads to an address where the console does not send. Nothing left for it, and nobody is told that the name exists. */
  | { kind: 'no_way' }
  | { kind: 'failed'; error: unknown };

export type Post = {
  url: URL;
  /** By default POST. */
  method?: 'POST' | 'PATCH' | 'PUT' | 'GET';
  headers?: Readonly<Record<string, string>>;
  body: string | Buffer;
  /** Bytes of the answer that are read. */
  answerBytes?: number;
};

/** The try took too long. */
export class Overdue extends Error {}

/**
 * Posts once, on a new connection behind the gate, and follows no redirect: the gate would have to judge where the redirect leads, and
 * the signature speaks for one target. Reads the beginning of the answer. A status that came counts, whatever becomes of the rest: a
 * slow or endless answer must not make the other end get the message again. Never rejects.
 */
export function postOnce(
  gate: Gate,
  { url, method = 'POST', headers = {}, body, answerBytes = destinationLimits.answerBytes }: Post,
  tryMs: number,
): Promise<Posted> {
  return new Promise((resolve) => {
    let socket: Socket;
    try {
      socket = open(gate, url);
    } catch (error) {
      return resolve(failed(error, url));
    }
    let answer: Extract<Posted, { kind: 'answered' }> | null = null;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    const request = http.request({
      createConnection: () => socket,
      method,
      path: `${url.pathname}${url.search}`,
      headers: {
        ...{ host: url.host, 'user-agent': 'Homeport', accept: '*/*', connection: 'close' },
        ...{ 'content-type': 'application/json; charset=utf-8', 'content-length': String(bytes.length) },
        ...headers,
      },
    });
    const settle = (error?: unknown) => {
      clearTimeout(deadline);
      request.destroy();
      socket.destroy();
      resolve(answer ?? failed(error, url));
    };
    const deadline = setTimeout(() => settle(new Overdue()), tryMs);
    request.once('response', (response) => {
      const { statusCode: status = 0 } = response;
      answer = { kind: 'answered', status, retryAfterMs: readRetryAfter(response), body: '' };
      readBeginning(response, answerBytes, (text) => {
        if (answer) answer.body = text;
        settle();
      });
    });
    request.once('upgrade', () => settle(new Error('The connection was taken for another protocol.')));
    request.on('error', settle);
    request.once('close', () => settle(new Error('The connection was closed.')));
    request.end(bytes);
  });
}

/** What the person typed is refused openly; what DNS said of it is not. */
function failed(error: unknown, url: URL): Posted {
  if (!(error instanceof RefusedDestination)) return { kind: 'failed', error };
  const isTyped = error.refusal.kind === 'own_name' || isIP(hostOf(url)) !== 0;
  return { kind: isTyped ? 'refused' : 'no_way' };
}

function open(gate: Gate, url: URL): Socket {
  const destination = { host: hostOf(url), port: portOf(url) };
  return url.protocol === 'https:' ? gate.connectTls(destination) : gate.connect(destination);
}

/** Calls `done` once, with as much as came, at the end, at the bound, and where the connection breaks off. */
function readBeginning(response: IncomingMessage, most: number, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const end = () => done(Buffer.concat(chunks).subarray(0, most).toString('utf8'));
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= most) end();
  });
  response.once('end', end);
  response.once('error', end);
}

/** Seconds (RFC 9110, 10.2.3); a date would be read by two clocks. */
function readRetryAfter({ headers }: IncomingMessage): number | null {
  const text = headers['retry-after'] ?? '';
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : null;
  return seconds === null ? null : Math.min(seconds * 1_000, destinationLimits.retryAfterMs);
}
