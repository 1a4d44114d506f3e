import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { Certificate } from './certificates.ts';

export type WebServer = {
  port: number;
  /** The requested paths, in order. */
  asked: string[];
  [Symbol.asyncDispose](): Promise<void>;
};

type Place = { host?: string; port?: number; certificate?: Certificate };

/** A web server on loopback. It speaks TLS if it has a certificate. */
export function startWebServer(answer: RequestListener, place: Place = {}): Promise<WebServer> {
  const asked: string[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  };
  const { certificate } = place;
  const server = certificate
    ? createTlsServer({ cert: certificate.cert, key: certificate.key }, listener)
    : createServer(listener);
  return listen(server, asked, place);
}

/** A server that takes connections and speaks no HTTP of its own. */
export function startRawServer(take: (socket: Socket) => void, place: Place = {}): Promise<WebServer> {
  return listen(createTcpServer(take), [], place);
}

async function listen(
  server: Server,
  asked: string[],
  { host = '127.0.0.1', port = 0 }: Place,
): Promise<WebServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    asked,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
