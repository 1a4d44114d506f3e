import { Agent, type IncomingMessage, request } from 'node:http';

export type Answer = { status: number; body: string };

/** A client that is signed in to the console as one person, from one address of the loopback range. */
export type HttpClient = {
  /** Sends `body` as JSON. Sends a buffer unchanged, as gzip. */
  call(key: string, body?: unknown): Promise<Answer>;
  /** Opens a stream and never reads it. Resolves with the stream's status. `close` ends the stream. */
  openUnread(key: string): Promise<{ status: number; close(): void }>;
  /** Ends all connections. */
  close(): void;
};

const answerWithinMs = 30_000;

/**
 * Sends its requests from `localAddress` (any of 127.0.0.0/8). The console limits requests by address, so a bench with two people
 * needs two addresses.
 */
export function createHttpClient(url: string, localAddress: string, cookie: string): HttpClient {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 128 });

  const send = (key: string, body: unknown): Promise<IncomingMessage> => {
    const [method = '', path = ''] = key.split(' ');
    const packed = body instanceof Buffer;
    const sent = body === undefined ? null : packed ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const asked = request({
        ...{ agent, hostname, port, localAddress, method, path, timeout: answerWithinMs },
        headers: {
          origin: url,
          cookie,
          ...(packed && { 'content-encoding': 'gzip' }),
          ...(sent !== null && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(sent),
          }),
        },
      });
      asked.once('response', resolve);
      asked.once('error', reject);
      asked.once('timeout', () => asked.destroy(new Error(`${key} was not answered in time.`)));
      asked.end(sent);
    });
  };

  return {
    async call(key, body) {
      const answer = await send(key, body);
      let text = '';
      for await (const chunk of answer.setEncoding('utf8')) text += chunk;
      return { status: answer.statusCode ?? 0, body: text };
    },
    async openUnread(key) {
      const answer = await send(key, undefined);
      answer.pause();
      answer.on('error', () => {});
      return { status: answer.statusCode ?? 0, close: () => answer.destroy() };
    },
    close: () => agent.destroy(),
  };
}
