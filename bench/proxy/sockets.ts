import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { planeShareNumbers } from '@homeport/contract/shares/plane';
import { planeLimits } from '../../proxy/src/limits.ts';
import { boundByOpenFiles, openFilesAtMost } from '../../proxy/src/shares/open-files.ts';
import { figure, figureAtMost, tidy } from '../figure.ts';
import { startFlags } from '../start-flags.ts';
import { askMemory } from './ask-memory.ts';
import { startPlane } from './plane.ts';

const sockets = 10_000;
const memoryMiB = 200;
const atOnce = 100;
const restMs = 5_000;
/** Each of an account of its own: as many may be open of each account as stay free (`proxy/src/shares/share.ts`). */
const domains = 10;
/** Who ask come through a front on this machine. A visitor may have so many. */
const ofOneVisitor = planeShareNumbers.socketsPerVisitor;

/** Memory of a plane with 10,000 open WebSockets that carry nothing. Both their ends are in this process. */
export async function measureSockets(folder: string): Promise<void> {
  const { sockets: most } = boundByOpenFiles({ ...planeLimits, sockets }, openFilesAtMost());
  const open = Math.floor(most / (domains + 1)) * domains;
  const upstreams = Array.from({ length: domains }, () => answerHandshakes());
  const ports = await Promise.all(upstreams.map(({ listening }) => listening));
  const sites = ports.map((port, index) => ({
    ...{
      domain: `ws-${index}.test`,
      source: `http://127.0.0.1:${port}`,
      records: [],
      owner: `owner-${index}`,
    },
  }));
  const memoryFile = join(folder, 'memory.json');
  const plane = await startPlane(join(folder, 'sockets'), sites, {
    env: { BENCH_MEMORY_FILE: memoryFile },
    flags: [...startFlags, '--expose-gc'],
  });
  /** MiB without what is free already, which a process of few sockets has no reason to collect. */
  const held = async () => {
    await pause(restMs);
    await askMemory(plane.child.pid, memoryFile);
    return plane.memoryMiB();
  };
  const clients: Socket[] = [];
  const openOne = (index: number) =>
    handshake(plane.port, {
      host: `ws-${index % domains}.test`,
      visitor: `192.0.2.${1 + Math.floor(index / ofOneVisitor)}`,
    });
  try {
    // What the first ones take is the plane's own growth. The second half shows what one more takes.
    let [half, halfOpen] = [0, 0];
    for (let made = 0; made < open; made += atOnce) {
      const some = Array.from({ length: Math.min(atOnce, open - made) }, (_, index) => made + index);
      clients.push(...(await Promise.all(some.map(openOne))));
      if (half > 0 || clients.length < open / 2) continue;
      half = await held();
      halfOpen = clients.length;
    }
    const memory = await held();
    const still = clients.filter(({ destroyed }) => !destroyed).length;
    if (still < open) throw new Error(`Only ${still} of ${open} WebSockets are open.`);
    if (open < sockets)
      figure({ what: `Memory with ${open} idle WebSockets (PSS)`, value: `${tidy(memory)} MiB` });
    const of = open < sockets ? `, reckoned from ${open}: so many of ten accounts` : '';
    figureAtMost(
      `Memory with ${sockets} idle WebSockets (PSS)${of}`,
      memory + ((memory - half) * (sockets - open)) / (open - halfOpen),
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

function handshake(port: number, { host, visitor }: { host: string; visitor: string }): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', reject);
    socket.once('data', (chunk) => {
      if (String(chunk).startsWith('HTTP/1.1 101')) resolve(socket);
      else reject(new Error(`No WebSocket: ${String(chunk).slice(0, 200)}`));
    });
    socket.write(
      `GET /ws HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${visitor}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
  });
}
