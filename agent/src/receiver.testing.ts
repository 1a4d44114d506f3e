import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export type Received = {
  headers: IncomingHttpHeaders;
  url: string;
  reports: {
    seq: number;
    top: { name: string; cpu: number }[];
    backups?: { seq: number }[];
    [key: string]: unknown;
  }[];
};
export type Answer = { status: number; headers?: Record<string, string> };

/** A real HTTP server on loopback that keeps the agent's posts. `answer` decides the answer to each post. */
export async function startReceiver(answer: (received: Received) => Answer | Promise<Answer>, port = 0) {
  const posts: Received[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = Buffer.concat(chunks);
      const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
      const received = {
        headers: request.headers,
        url: request.url ?? '',
        reports: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text)),
      };
      posts.push(received);
      const { status, headers } = await answer(received);
      response.writeHead(status, headers).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: taken } = server.address() as AddressInfo;
  return {
    posts,
    port: taken,
    url: `http://127.0.0.1:${taken}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
