import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** For tests: a console that answers whatever a test wants, and what it was asked. */
export interface LyingConsole extends AsyncDisposable {
  url: string;
  heard: { method: string; path: string; headers: IncomingMessage['headers'] }[];
}

/** A token of the right form that no console knows. */
export const someToken = `homeport_${'a'.repeat(43)}`;

export async function startLyingConsole(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<LyingConsole> {
  const heard: LyingConsole['heard'] = [];
  const server = createServer((request, response) => {
    heard.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
