import { createServer, type ServerResponse } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export type Website = AsyncDisposable & { origin: string; port: number };

export const greeting = 'ahoy';
/** The examination of a mounted site reads so many pages and more. */
const pages = 30;
const links = 30_000;
/** Of the rules of a proxy that mount this website: each link belongs to one of them. */
export const mounts = 250;
const mebibyte = 1024 * 1024;

/**
 * A website with everything that hostile visitors can ask a website for.
 *
 * @param ignoresEnd whether it keeps its side of a WebSocket open after the other side has ended
 */
export async function startWebsite({ ignoresEnd }: { ignoresEnd: boolean }): Promise<Website> {
  const sockets = new Set<Duplex>();
  const server = createServer((req, res) => {
    const path = req.url ?? '/';
    if (path === '/silent') return;
    // As a website sends a file: the next piece when the one before has gone.
    if (path === '/large') void pipeline(Readable.from(largePieces()), res).catch(() => undefined);
    else if (path === '/events') res.setHeader('content-type', 'text/event-stream').write(': ahoy\n\n');
    else if (path === '/kept') res.setHeader('cache-control', 'max-age=600').end(greeting);
    else if (path === '/links') answerPage(res, linked);
    else if (path === '/attributes') answerPage(res, tagOfAttributes);
    else if (path.startsWith('/book/')) answerPage(res, bookPage);
    else res.end(greeting);
  });
  // Longer than the proxy service keeps its connections, so that no request meets the end of one.
  server.keepAliveTimeout = 60_000;
  server.on('upgrade', (_req, socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    if (!ignoresEnd) socket.once('end', () => socket.end());
    socket.resume();
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const linked = pageOfLinks(port);
  return {
    ...{ port, origin: `http://127.0.0.1:${port}` },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const piece = Buffer.alloc(64 * 1024, 'x');
/** Together 24 MiB. */
function* largePieces(): Generator<Buffer> {
  for (let index = 0; index < 384; index += 1) yield piece;
}

function answerPage(res: ServerResponse, page: Buffer): void {
  res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': page.length }).end(page);
}

/** Each link leads to the website itself, so that a proxy which mounts it has to change the link. */
function pageOfLinks(port: number): Buffer {
  const line = (index: number) => `<a href="http://127.0.0.1:${port}/part-${index % mounts}/x">a</a>\n`;
  return Buffer.from(Array.from({ length: links }, (_, index) => line(index)).join(''));
}

const tagOfAttributes = Buffer.from(`<p ${'a '.repeat(100_000)}>ahoy</p>`);

/** A page of one mebibyte that links to its sisters. */
const bookPage = Buffer.from(
  Array.from({ length: pages }, (_, index) => `<a href="page-${index}">a</a>`)
    .join('')
    .padEnd(mebibyte, '<img src="/x">'),
);
