import { once } from 'node:events';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { readAnswer, request } from './testing/raw-request.ts';
import { listen, startPlane, startUpstream, type TestPlane } from './testing/start-plane.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const pong = Buffer.from([0x8a, 0x00]);
/** As visitors send it (RFC 6455, 5.1). */
const maskedPong = Buffer.from([0x8a, 0x80, 1, 2, 3, 4]);

/**
 * Takes each handshake, and then does what `taken` says. It never ends its own side: it goes on sending after the other side's end, so
 * that only a connection which the plane has closed whole goes from `held`.
 */
async function website(taken: (socket: Socket) => void = () => undefined) {
  const held = new Set<Socket>();
  const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
    held.add(socket);
    let sending: NodeJS.Timeout | undefined;
    socket
      .on('error', () => undefined)
      .once('close', () => {
        clearInterval(sending);
        held.delete(socket);
      });
    socket.once('end', () => {
      sending = setInterval(() => socket.write(pong), 50);
    });
    socket.once('data', (head: Buffer) => {
      if (!String(head).includes('Upgrade: websocket'))
        return void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok');
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      taken(socket);
    });
  });
  const port = await listen(server);
  closing.push(() => {
    for (const socket of held) socket.destroy();
    server.close();
  });
  return { origin: `http://127.0.0.1:${port}`, held };
}

async function open(limits: Parameters<typeof startPlane>[0], more: Parameters<typeof startPlane>[1] = {}) {
  const plane = await startPlane(limits, more);
  closing.push(() => plane.close());
  return plane;
}

const asksForSocket = (host: string, more = '') =>
  `GET /ws HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`;

/** Opens a WebSocket by hand, so that nothing answers by itself. Resolves with the status and the headers. */
async function handshake(plane: TestPlane, host: string, more = '') {
  const socket = connect({ port: plane.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  closing.push(() => socket.destroy());
  socket.write(asksForSocket(host, more));
  const [head]: Buffer[] = await once(socket, 'data');
  return { socket, ...readAnswer(String(head)) };
}

const endOf = (socket: Socket) => Promise.race([once(socket, 'end'), once(socket, 'close')]);
const times = async <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const countOf = (plane: TestPlane) =>
  new Promise<number>((resolve, reject) => {
    plane.plane.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

describe('a WebSocket whose visitor has left', () => {
  it('is closed on both sides within seconds, although the website keeps its side open', async () => {
    const { origin, held } = await website();
    const plane = await open({ socketCloseMs: 100 });
    plane.put('example.test', origin);
    const { socket } = await handshake(plane, 'example.test');
    await expect.poll(() => held.size).toBe(1);
    socket.end();
    await expect.poll(() => held.size).toBe(0);
    await expect.poll(() => countOf(plane)).toBe(0);
  });

  it('many times over, leaves nothing open, and other websites are served meanwhile', async () => {
    const { origin, held } = await website();
    const plane = await open({ socketCloseMs: 200 }, { trusted: ['127.0.0.1'] });
    plane.put('evil.test', origin, [], 'eve');
    plane.put('good.test', origin, [], 'ada');
    for (let round = 0; round < 10; round += 1) {
      const opened = await times(100, () => handshake(plane, 'evil.test'));
      for (const { socket } of opened) socket.end();
      expect((await request(plane.port, 'GET /', ['Host: good.test'])).status).toBe(200);
    }
    await expect.poll(() => held.size).toBe(0);
    await expect.poll(() => countOf(plane)).toBe(0);
  });
});

describe('a WebSocket whose website', () => {
  it('has ended is closed within seconds, although its visitor stays', async () => {
    const { origin, held } = await website((socket) => socket.end());
    const plane = await open({ socketCloseMs: 100 });
    plane.put('example.test', origin);
    const { socket } = await handshake(plane, 'example.test');
    // The visitor takes everything, ends nothing by itself, and never falls silent.
    const sending = setInterval(() => socket.write(maskedPong), 20);
    closing.push(() => clearInterval(sending));
    socket.resume();
    await expect.poll(() => countOf(plane)).toBe(0);
    await expect.poll(() => held.size).toBe(0);
  });

  it('takes nothing of what its visitor sends ends', async () => {
    const { origin, held } = await website((socket) => void socket.pause());
    const plane = await open({ answerStallMs: 100 });
    plane.put('example.test', origin);
    const { socket } = await handshake(plane, 'example.test');
    const piece = Buffer.alloc(0xffff);
    const pour = () => {
      while (!socket.destroyed && socket.write(piece));
      socket.once('drain', pour);
    };
    pour();
    await expect.poll(() => countOf(plane)).toBe(0);
    for (const one of held) one.destroy();
  });
});

describe('an idle WebSocket', () => {
  it('stays open for as long as its visitor answers the pings of the plane, and the website sees no wrong frame', async () => {
    const sockets = new WebSocketServer({ noServer: true });
    const upstream = await startUpstream((_req, res) => res.end());
    closing.push(() => upstream.close());
    let pongs = 0;
    let failed = 0;
    upstream.server.on('upgrade', (req, socket, head) =>
      sockets.handleUpgrade(req, socket, head, (client) => {
        client.on('pong', () => {
          pongs += 1;
        });
        client.on('error', () => {
          failed += 1;
        });
        client.on('message', (data) => client.send(data));
      }),
    );
    const plane = await open({ socketPingMs: 30, socketPongMs: 5_000 });
    plane.put('example.test', upstream.origin);
    const client = new WebSocket(`ws://127.0.0.1:${plane.port}/`, { headers: { host: 'example.test' } });
    closing.push(() => client.terminate());
    let pings = 0;
    client.on('ping', () => {
      pings += 1;
    });
    await once(client, 'open');
    await expect.poll(() => Math.min(pings, pongs)).toBeGreaterThan(3);
    client.send('still there');
    const [echo] = await once(client, 'message');
    expect(String(echo)).toBe('still there');
    expect(failed).toBe(0);
  });

  it('ends when its visitor answers no ping', async () => {
    const { origin, held } = await website();
    const plane = await open({ socketPingMs: 20, socketPongMs: 60 });
    plane.put('example.test', origin);
    const { socket } = await handshake(plane, 'example.test');
    await endOf(socket.resume());
    await expect.poll(() => held.size).toBe(0);
  });

  it.each([
    ['in the middle of a frame', Buffer.from([0x82, 0x05, 1]), { answerStallMs: 60 }],
    ['after bytes that are no frames', Buffer.from('no frames'), { socketIdleMs: 60 }],
    ['after its close frame', Buffer.from([0x88, 0x00]), { socketPongMs: 60 }],
  ])('ends when the website stops %s, and gets no ping into that', async (_what, bytes, limits) => {
    const { origin, held } = await website((socket) => void socket.write(bytes));
    const plane = await open({ socketPingMs: 10, ...limits });
    plane.put('example.test', origin);
    const { socket, text } = await handshake(plane, 'example.test');
    let got = Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4), 'latin1');
    socket.on('data', (chunk: Buffer) => {
      got = Buffer.concat([got, chunk]);
    });
    await endOf(socket);
    expect(got.toString('latin1').endsWith('\x89\0')).toBe(false);
    await expect.poll(() => held.size).toBe(0);
  });

  it('ends when its visitor takes nothing of what the website sends', async () => {
    const { origin, held } = await website((socket) => {
      const piece = Buffer.concat([Buffer.from([0x82, 126, 0xff, 0xff]), Buffer.alloc(0xffff)]);
      const pour = () => {
        while (!socket.destroyed && socket.write(piece));
        socket.once('drain', pour);
      };
      pour();
    });
    const plane = await open({ answerStallMs: 100 });
    plane.put('example.test', origin);
    const { socket } = await handshake(plane, 'example.test');
    socket.pause();
    await expect.poll(() => held.size).toBe(0);
  });
});

describe('the share of WebSockets', () => {
  it('of a visitor, of a site and of an account is refused plainly, with a time to come back', async () => {
    const { origin } = await website();
    const plane = await open(
      { sockets: 60, socketsPerSite: 6, socketsPerVisitor: 4 },
      { trusted: ['127.0.0.1'] },
    );
    for (const name of ['one', 'two', 'six', 'ten', 'new']) plane.put(`${name}.test`, origin, [], 'eve');
    plane.put('good.test', origin, [], 'ada');
    const statusOf = async (host: string, from: string) => {
      const { status, body, headers } = await handshake(plane, host, `X-Forwarded-For: ${from}\r\n`);
      return { status, body, retry: headers.get('retry-after')?.[0] };
    };
    // Four of one /64 at two sites.
    for (const [host, from] of [
      ['one.test', '2001:db8::1'],
      ['one.test', '2001:db8::2'],
      ['two.test', '2001:db8::3'],
      ['two.test', '2001:db8::4'],
    ] as const)
      expect((await statusOf(host, from)).status).toBe(101);
    expect(await statusOf('six.test', '2001:db8::5')).toEqual({
      ...{ status: 429, retry: '5', body: 'Too many WebSockets from this address are open.\n' },
    });
    expect((await statusOf('six.test', '2001:db8:0:1::5')).status).toBe(101);
    for (let index = 0; index < 4; index += 1)
      expect((await statusOf('one.test', `203.0.113.${index}`)).status).toBe(101);
    const full = { status: 503, retry: '5', body: 'Too many WebSockets are open.\n' };
    expect(await statusOf('one.test', '203.0.113.9')).toEqual(full);
    expect((await statusOf('good.test', '203.0.113.9')).status).toBe(101);
    // Requests are counted apart.
    expect((await request(plane.port, 'GET /', ['Host: one.test'])).status).toBe(200);
  });

  it('keeps what is left of it for other accounts, whatever the names of one account have open', async () => {
    const { origin } = await website();
    const plane = await open({ sockets: 200 }, { trusted: ['127.0.0.1'] });
    for (let index = 0; index < 10; index += 1) plane.put(`evil-${index}.test`, origin, [], 'eve');
    plane.put('good.test', origin, [], 'ada');
    const opened = await times(200, (index) => handshake(plane, `evil-${index % 10}.test`));
    expect(opened.filter(({ status }) => status === 101).length).toBe(100);
    const others = await times(40, () => handshake(plane, 'good.test'));
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([101]));
    expect((await request(plane.port, 'GET /', ['Host: good.test'])).status).toBe(200);
  });

  it('does not touch the requests of another site with the same origin', async () => {
    const { origin } = await website();
    const plane = await open({ upstreamConnections: 4, upstreamQueue: 20 }, { trusted: ['127.0.0.1'] });
    plane.put('evil-1.test', origin, [], 'eve');
    plane.put('evil-2.test', origin, [], 'eve');
    plane.put('victim.test', origin, [], 'ada');
    for (const { status } of await times(40, (index) => handshake(plane, `evil-${1 + (index % 2)}.test`)))
      expect(status).toBe(101);
    for (const host of ['victim.test', 'evil-1.test'])
      expect((await request(plane.port, 'GET /', [`Host: ${host}`])).status).toBe(200);
  });
});

it('ends with thousands of WebSockets open', async () => {
  const { origin, held } = await website();
  const plane = await startPlane({ drainMs: 300 }, { trusted: ['127.0.0.1'] });
  plane.put('example.test', origin);
  for (let round = 0; round < 20; round += 1) await times(100, () => handshake(plane, 'example.test'));
  expect(held.size).toBe(2_000);
  await plane.close();
  await expect.poll(() => held.size).toBe(0);
});
