import { once } from 'node:events';
import { createServer as createTcpServer, type OnReadOpts, Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listen, startUpstream, type TestUpstream } from '../testing/start-plane.ts';
import { type Connections, createConnections } from './connections.ts';
import { createDial } from './dial.ts';
import { createGate } from './gate.ts';

let upstream: TestUpstream;
let answerOne: (() => void)[] = [];
beforeAll(async () => {
  upstream = await startUpstream((_req, res) => void answerOne.push(() => res.end('answer')));
});
afterAll(() => upstream.close());

const gate = createGate({ allowPrivate: ['127.0.0.0/8'], own: { ports: [], names: [] } });
const open = (port = upstream.port, more: { most?: number; ageMs?: number; idleMs?: number } = {}) =>
  createConnections(createDial({ protocol: 'http:', hostname: '127.0.0.1', port }, gate), {
    ...{ most: 2, ageMs: 60_000, connectMs: 5_000, headBytes: 16_384, idleMs: 10_000, ...more },
  });

/** Resolves with the body. `leave` says that nobody wants the answer any more. */
function ask(
  connections: Connections,
  leave: { hasLeft: boolean } = { hasLeft: false },
  more: { path?: string; value?: string } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    let body = '';
    connections.ask(
      { path: more.path ?? '/', method: 'GET', headers: ['host', more.value ?? 'e.test'], body: null },
      {
        hasLeft() {
          return leave.hasLeft;
        },
        begun: () => undefined,
        head: () => undefined,
        data: (chunk) => {
          body += chunk.toString();
        },
        end: () => resolve(body),
        failed: reject,
      },
    );
  });
}

/** Lets everything answer that the upstream has got and will get. */
const answerAll = async (until: number) => {
  let answered = 0;
  await expect
    .poll(() => {
      for (const answer of answerOne.splice(0)) {
        answer();
        answered += 1;
      }
      return answered;
    })
    .toBe(until);
};

/** An upstream of raw bytes, which says how many connections it got. */
async function rawUpstream(heard: (socket: Socket, asked: number) => void) {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    let asked = 0;
    socket.on('data', () => {
      asked += 1;
      heard(socket, asked);
    });
  });
  const port = await listen(server);
  return {
    ...{ port, sockets },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

it('opens connections up to a bound, and what waits gets the next free one in turn', async () => {
  const connections = open();
  const order: number[] = [];
  const asked = Array.from({ length: 6 }, (_, index) => ask(connections).then(() => order.push(index)));
  await expect.poll(() => answerOne.length).toBe(2);
  await answerAll(6);
  await Promise.all(asked);
  expect(order.toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
  expect(order.slice(4).toSorted()).toEqual([4, 5]);
  const sockets = new Set(upstream.seen.map(({ socket }) => socket));
  expect(sockets.size).toBe(2);
  connections.destroy();
});

it('sends no request whose visitor has left while it waited', async () => {
  const connections = open(upstream.port, { most: 1 });
  upstream.seen.length = 0;
  const first = ask(connections);
  const leave = { hasLeft: false };
  ask(connections, leave).catch(() => undefined);
  const last = ask(connections);
  leave.hasLeft = true;
  await answerAll(2);
  await Promise.all([first, last]);
  expect(upstream.seen).toHaveLength(2);
  connections.destroy();
});

it.each([
  ['a line feed', '\n'],
  ['a carriage return', '\r'],
  ['a NUL', '\0'],
  ['a character whose lower byte is a line feed', '\u010a'],
])('sends nothing of a request with %s, and the next one goes', async (_what, text) => {
  const connections = open();
  upstream.seen.length = 0;
  for (const more of [{ path: `/a${text}b` }, { value: `a${text}b` }])
    await expect(ask(connections, undefined, more)).rejects.toThrow('The request has a character');
  const next = ask(connections);
  await answerAll(1);
  await next;
  expect(upstream.seen).toHaveLength(1);
  connections.destroy();
});

it('uses a connection no longer than its age', async () => {
  const connections = open(upstream.port, { ageMs: 0 });
  upstream.seen.length = 0;
  for (let left = 2; left > 0; left -= 1) {
    const asked = ask(connections);
    await answerAll(1);
    await asked;
  }
  expect(new Set(upstream.seen.map(({ socket }) => socket)).size).toBe(2);
  connections.destroy();
});

it('uses no connection that its upstream is about to close', async () => {
  const short = await rawUpstream((socket) =>
    socket.write('HTTP/1.1 200 OK\r\nKeep-Alive: timeout=2\r\nContent-Length: 2\r\n\r\nok'),
  );
  const connections = open(short.port);
  for (let left = 2; left > 0; left -= 1) expect(await ask(connections)).toBe('ok');
  expect(short.sockets).toHaveLength(2);
  connections.destroy();
  short.close();
});

it('ends a connection that was idle for too long', async () => {
  const patient = await rawUpstream((socket) => socket.write(ok));
  const connections = open(patient.port, { idleMs: 10_000 });
  await ask(connections);
  const now = performance.now();
  connections.tidy(now + 9_000);
  expect(await ask(connections)).toBe('ok');
  expect(patient.sockets).toHaveLength(1);
  connections.tidy(now + 30_000);
  await expect.poll(() => patient.sockets[0]?.destroyed).toBe(true);
  connections.destroy();
  patient.close();
});

it('takes bytes that nobody asked for as no answer to the next request', async () => {
  const eager = await rawUpstream((socket, asked) => {
    socket.write(asked === 1 ? ok : 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nreal');
    if (asked === 1) setImmediate(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfake'));
  });
  const connections = open(eager.port);
  expect(await ask(connections)).toBe('ok');
  await expect.poll(() => eager.sockets[0]?.destroyed).toBe(true);
  expect(await ask(connections)).toBe('ok');
  expect(eager.sockets).toHaveLength(2);
  connections.destroy();
  eager.close();
});

it('reads an answer that ends with its connection, and fails one that is cut', async () => {
  for (const [bytes, expected] of [
    ['HTTP/1.1 200 OK\r\n\r\nwhole', 'whole'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut', null],
    ['HTTP/1.1 200', null],
    ['', null],
  ] as const) {
    const ending = await rawUpstream((socket) => socket.end(bytes));
    const connections = open(ending.port);
    if (expected === null)
      await expect(ask(connections), bytes).rejects.toMatchObject({ code: 'connection_lost' });
    else expect(await ask(connections)).toBe(expected);
    connections.destroy();
    ending.close();
  }
});

it('fails what is under way and what waits when it is destroyed', async () => {
  const connections = open();
  const asked = Promise.allSettled(Array.from({ length: 4 }, () => ask(connections)));
  await expect.poll(() => answerOne.length).toBe(2);
  connections.destroy();
  expect((await asked).map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'rejected'));
  answerOne = [];
});

it('opens a new connection after one that could not be opened', async () => {
  const gone = await startUpstream((_req, res) => res.end('answer'));
  const connections = open(gone.port, { most: 1 });
  await gone.close();
  const asked = await Promise.allSettled([ask(connections), ask(connections), ask(connections)]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await new Promise<void>((resolve) => gone.server.listen(gone.port, '127.0.0.1', resolve));
  expect(await ask(connections)).toBe('answer');
  connections.destroy();
  await gone.close();
});

/** Takes what is written to it, and comes from nowhere. */
class SilentSocket extends Socket {
  override write(): boolean {
    return true;
  }
}

it('an answer that waits for its turn arrives whole, although its connection has ended meanwhile', async () => {
  const socket = new SilentSocket();
  const read: OnReadOpts[] = [];
  const waiting: (() => void)[] = [];
  const later = (work: () => void) => void waiting.push(work);
  const turn = { takes: () => false, later, join: () => () => undefined };
  const connections = createConnections(
    (onread) => {
      read.push(onread);
      return { socket, readyEvent: 'connect' };
    },
    { most: 1, ageMs: 60_000, connectMs: 5_000, headBytes: 16_384, idleMs: 10_000 },
    { turn },
  );
  const body = ask(connections);
  socket.emit('connect');
  // As TLS hands over the last bytes together with the end.
  for (const { buffer, callback } of read) {
    const bytes = typeof buffer === 'function' ? buffer() : buffer;
    callback(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlast').copy(bytes), bytes);
  }
  socket.destroy();
  await once(socket, 'close');
  for (const work of waiting) work();
  expect(await body).toBe('last');
  connections.destroy();
});
