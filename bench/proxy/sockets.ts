import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { figure, figureAtMost, tidy } from '../figure.ts';
import { startPlane } from './plane.ts';

const sockets = 10_000;
const memoryMiB = 200;
const domains = 10;
/** Of this process and of the plane: each socket has two ends here and two there. */
const descriptors = { ofOneSocket: 2, spare: 500 } as const;

/** Memory of a plane with 10,000 open WebSockets that carry nothing. Both their ends are in this process. */
export async function measureSockets(folder: string): Promise<void> {
  const open = Math.min(sockets, Math.floor((limitOfFiles() - descriptors.spare) / descriptors.ofOneSocket));
  const upstreams = Array.from({ length: domains }, () => answerHandshakes());
  const ports = await Promise.all(upstreams.map(({ listening }) => listening));
  const sites = ports.map((port, index) => ({
    ...{ domain: `ws-${index}.test`, source: `http://127.0.0.1:${port}`, records: [] },
  }));
  const plane = await startPlane(join(folder, 'sockets'), sites);
  const clients: Socket[] = [];
  try {
    for (let made = 0; made < open; made += 100) {
      const some = Array.from({ length: Math.min(100, open - made) }, (_, index) => made + index);
      clients.push(
        ...(await Promise.all(some.map((index) => handshake(plane.port, `ws-${index % domains}.test`)))),
      );
    }
    await pause(5_000);
    const memory = plane.memoryMiB();
    const still = clients.filter(({ destroyed }) => !destroyed).length;
    if (still < open) throw new Error(`Only ${still} of ${open} WebSockets are open.`);
    if (open < sockets)
      figure({ what: `Memory with ${open} idle WebSockets (PSS)`, value: `${tidy(memory)} MiB` });
    const of = open < sockets ? `, reckoned from ${open}: this account may open no more files` : '';
    figureAtMost(
      `Memory with ${sockets} idle WebSockets (PSS)${of}`,
      (memory * sockets) / open,
      memoryMiB,
      'MiB',
    );
  } finally {
    for (const client of clients) client.destroy();
    await plane.stop();
    for (const { server, held } of upstreams) {
      for (const socket of held) socket.destroy();
      server.close();
    }
  }
}

function limitOfFiles(): number {
  const { header } = { header: process.report?.getReport() };
  const text = JSON.stringify(header);
  const found = /"open_files":\{"soft":"?([0-9]+)/.exec(text)?.[1];
  return Number(found ?? 1_024);
}

function answerHandshakes() {
  const held: Socket[] = [];
  const server = createServer();
  server.on('upgrade', (req, socket) => {
    const key = `${req.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    held.push(req.socket);
  });
  const listening = new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  return { server, held, listening };
}

function handshake(port: number, host: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', reject);
    socket.once('data', (chunk) => {
      if (String(chunk).startsWith('HTTP/1.1 101')) resolve(socket);
      else reject(new Error(`No WebSocket: ${String(chunk).slice(0, 200)}`));
    });
    socket.write(
      `GET /ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
  });
}
