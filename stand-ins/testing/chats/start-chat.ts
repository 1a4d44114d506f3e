import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export type ChatRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** As it came. */
  body: string;
  bytes: Buffer;
};

export type ChatAnswer = { status: number; headers?: Record<string, string>; body?: string | object };

/** How a service answers a request. */
export type Chat = (request: ChatRequest) => ChatAnswer;

/** Runs a stand-in chat on loopback, inside the test’s process; over TLS where it has a certificate. */
export async function startChat(chat: Chat, certificate?: { cert: string; key: string }) {
  const requests: ChatRequest[] = [];
  const refusals: ChatAnswer[] = [];
  const answer: RequestListener = (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://stand-in');
      const request: ChatRequest = {
        ...{ method: incoming.method ?? '', path: pathname, query: searchParams, headers: incoming.headers },
        ...{ body: Buffer.concat(chunks).toString(), bytes: Buffer.concat(chunks) },
      };
      requests.push(request);
      const { status, headers = {}, body = '' } = refusals.shift() ?? chat(request);
      const isText = typeof body === 'string';
      outgoing.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
      outgoing.end(isText ? body : JSON.stringify(body));
    });
  };
  const server = certificate ? createTlsServer(certificate, answer) : createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}`,
    /** What came, also what was refused. */
    requests,
    /** Answers the next request so, whatever it asks. */
    refuseNext: (answer: ChatAnswer) => void refusals.push(answer),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The body as JSON; undefined where it is none. */
export function jsonOf({ headers, body }: Pick<ChatRequest, 'headers' | 'body'>): unknown {
  if (!headers['content-type']?.startsWith('application/json')) return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** What readers of a message see and what it does. */
export type Seen = {
  text: string;
  links: string[];
  /** Whom it calls: people, groups, everybody. */
  pings: string[];
};
