import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { headers: IncomingHttpHeaders; body: string };

/** A server on loopback that keeps what it gets. It answers 204 where `answer` does not answer by itself. */
export async function startReceiver(
  answer: (response: ServerResponse, received: Received) => void | Promise<void> = () => {},
) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const one = { headers: request.headers, body: Buffer.concat(chunks).toString() };
      received.push(one);
      await answer(response, one);
      if (!response.headersSent) response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    received,
    url: `http://127.0.0.1:${port}/hook?key=the-secret-part`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
