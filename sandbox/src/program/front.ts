import type { AddressInfo } from 'node:net';
import { readState, writeState } from '../machine/files.ts';
import type { Paths } from '../machine/paths.ts';
import { startTicksOf } from '../machine/processes.ts';
import type { Routes } from '../machine/routes.ts';
import { answerCommands } from './answer-commands.ts';

const errorPage = `<!DOCTYPE html>
<html>
<head>
  <title>We're sorry, but something went wrong (500)</title>
</head>
<body>
    <h1>We're sorry, but something went wrong.</h1>
    <p>If you are the application owner check the logs for more information.</p>
</body>
</html>
`;

/**
 * The web server in front of all apps, on one loopback port. The Host header selects the app. A stopped app answers 502. For an
 * unknown host the server closes the connection without an answer, like Dokku's catch-all site (nginx's 444).
 */
export async function serveFront(paths: Paths, port: number): Promise<void> {
  // Every command starts this program, and only the front and the apps need HTTP, which takes a tenth of a start.
  const { createServer, request } = await import('node:http');
  const server = createServer((incoming, outgoing) => {
    const host = (incoming.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
    const target = readState<Routes>(paths.routes)?.[host];
    if (target === undefined) {
      incoming.socket.destroy();
      return;
    }
    const fail = () => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502, { 'content-type': 'text/html' }).end(errorPage);
    };
    if (target === null) return fail();
    const headers = {
      ...incoming.headers,
      'x-forwarded-for': incoming.socket.remoteAddress ?? '',
      'x-forwarded-proto': 'http',
    };
    const upstream = request(
      { host: '127.0.0.1', port: target, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    upstream.once('error', fail);
    outgoing.once('close', () => upstream.destroy());
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const answers = await answerCommands(paths);
  const address = server.address() as AddressInfo;
  writeState(paths.front, { port: address.port, pid: process.pid, ticks: startTicksOf(process.pid) });
  await new Promise((resolve) => process.once('SIGTERM', resolve));
  server.closeAllConnections();
  server.close();
  answers?.close();
}
