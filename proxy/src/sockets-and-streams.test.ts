import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { readAnswer, request, sendRaw } from './testing/raw-request.ts';
import { startPlane, startUpstream, type TestPlane, type TestUpstream } from './testing/start-plane.ts';

let upstream: TestUpstream;
let plane: TestPlane;
const sockets = new WebSocketServer({ noServer: true });

beforeAll(async () => {
  upstream = await startUpstream((req, res) => {
    if (req.url === '/events') {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      res.write('data: one\n\n');
      return;
    }
    if (req.url === '/large') return void res.end(Buffer.alloc(64 * 1024, 'x'));
    if (req.url === '/trailers') {
      res.writeHead(200, { trailer: 'x-sum' });
      res.addTrailers({ 'x-sum': '7' });
      return void res.end('body');
    }
    let length = 0;
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
    });
    req.on('end', () => res.end(`${req.method} ${req.url} ${length}`));
  });
  upstream.server.on('upgrade', (req, socket, head) => {
    if (req.url !== '/ws')
      return void socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 6\r\n\r\nrefuse');
    sockets.handleUpgrade(req, socket, head, (client) => {
      client.on('message', (data, isBinary) => client.send(data, { binary: isBinary }));
    });
  });
  plane = await startPlane({ upstreamIdleMs: 200, answerStallMs: 300 });
  put();
});
afterAll(async () => {
  await plane.close();
  sockets.close();
  await upstream.close();
});

const put = () =>
  plane.put('example.test', upstream.origin, [
    { path: '/blog', type: 'subdirectory', target: upstream.origin },
  ]);
const openSocket = () =>
  new WebSocket(`ws://127.0.0.1:${plane.port}/blog/ws`, { headers: { host: 'example.test' } });

describe('a WebSocket', () => {
  it('carries bytes both ways and its close code, also when its rule changes meanwhile', async () => {
    const client = openSocket();
    await once(client, 'open');
    put();
    const message = Buffer.alloc(300_000, 'm');
    client.send(message);
    const [echo] = await once(client, 'message');
    expect(Buffer.compare(echo, message)).toBe(0);
    client.close(4001);
    const [code] = await once(client, 'close');
    expect(code).toBe(4001);
  });

  it('that the upstream refuses gets the refusal with its body', async () => {
    const answer = await request(plane.port, 'GET /no-socket', ['Upgrade: websocket', 'Connection: Upgrade']);
    expect(answer).toMatchObject({ status: 403, body: 'refuse' });
  });

  it('ends at once when its site goes', async () => {
    const client = openSocket();
    await once(client, 'open');
    plane.table.remove({ id: 'example.test', version: Number.MAX_SAFE_INTEGER });
    const [code] = await once(client, 'close');
    expect(code).toBe(1006);
    put();
  });

  it('is the only protocol that a request may change to: others are answered as plain requests', async () => {
    const answer = await request(plane.port, 'GET /x', [
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABk',
    ]);
    expect(answer).toMatchObject({ status: 200, body: 'GET /x 0' });
  });
});

describe('a stream', () => {
  it('of events arrives at once, and no clock ends it', async () => {
    const text = await sendRaw(plane.port, 'GET /events HTTP/1.1\r\nHost: example.test\r\n\r\n', (so) =>
      so.includes('data: one'),
    );
    expect(readAnswer(text).body).toBe('data: one\n\n');
  });

  it('of a body passes whole in either direction', async () => {
    const bytes = 5_000_000;
    const answer = await request(plane.port, 'POST /up', [`Content-Length: ${bytes}`], 'x'.repeat(bytes));
    expect(answer.body).toBe(`POST /up ${bytes}`);
  });

  it('has its trailers for a visitor who takes them', async () => {
    const answer = await sendRaw(
      plane.port,
      'GET /trailers HTTP/1.1\r\nHost: example.test\r\nTE: trailers\r\nConnection: close, TE\r\n\r\n',
    );
    expect(answer).toMatch(/0\r\nx-sum: 7\r\n\r\n$/);
    const without = await request(plane.port, 'GET /trailers');
    expect(without.text).not.toContain('x-sum: 7');
  });

  it('that visitors leave in the middle, many times, leaves the upstream free for others', async () => {
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(
        Array.from({ length: 100 }, async () => {
          const socket = connect(plane.port, '127.0.0.1');
          socket.on('error', () => undefined);
          socket.write('GET /large HTTP/1.1\r\nHost: example.test\r\n\r\n');
          await once(socket, 'data');
          socket.destroy();
        }),
      );
    }
    expect((await request(plane.port, 'GET /x')).body).toBe('GET /x 0');
  });
});

describe('a target', () => {
  it.each([
    '127.0.0.1',
    '0x7f.1',
    '127.1',
    '2130706433',
    '[::ffff:127.0.0.1]',
    'localhost',
    'ten.test',
    '169.254.169.254',
  ])('%s is refused where private addresses are not allowed, without a connection', async (name) => {
    const guarded = await startPlane(
      {},
      {
        allowPrivate: [],
        resolve: (host, _options, done) =>
          done(null, [{ address: host === 'localhost' ? '127.0.0.1' : '10.0.0.1', family: 4 }]),
      },
    );
    guarded.put('example.test', `http://${name}:${upstream.port}`);
    const before = upstream.seen.length;
    expect(await request(guarded.port, 'GET /')).toMatchObject({ status: 502, body: 'private_address\n' });
    expect(upstream.seen.length).toBe(before);
    await guarded.close();
  });

  it('that leads back to the plane is told as a loop', async () => {
    const circle = await startPlane(
      {},
      { resolve: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) },
    );
    circle.put('one.test', `http://two.test:${circle.port}`);
    circle.put('two.test', `http://one.test:${circle.port}`);
    expect((await request(circle.port, 'GET /', ['Host: one.test'])).status).toBe(508);
    await circle.close();
  });
});

it('fails no request while sites change one by one', async () => {
  const visitors = Array.from({ length: 16 }, async () => {
    const statuses: number[] = [];
    for (let left = 60; left > 0; left -= 1) statuses.push((await request(plane.port, 'GET /x')).status);
    return statuses;
  });
  for (let index = 0; index < 10_000; index += 1) {
    plane.put(`site-${index}.test`, upstream.origin, [{ path: '/a', target: upstream.origin }]);
    if (index % 100 === 0) {
      put();
      await new Promise(setImmediate);
    }
  }
  expect(new Set((await Promise.all(visitors)).flat())).toEqual(new Set([200]));
});

it('drains: what is under way ends, and nothing new begins', async () => {
  const draining = await startPlane({ drainMs: 300 });
  draining.put('example.test', upstream.origin);
  const client = new WebSocket(`ws://127.0.0.1:${draining.port}/ws`, { headers: { host: 'example.test' } });
  await once(client, 'open');
  const ended = once(client, 'close');
  await draining.close();
  const [code] = await ended;
  expect(code).toBe(1006);
  await expect(request(draining.port, 'GET /')).rejects.toThrow(/ECONNREFUSED/);
});

/** A plane that waits for nothing ends before. */
const longerThanATest = 120_000;

it('drains: whoever is answered meanwhile hears that the connection ends with that, and the plane waits for nothing more', async () => {
  const answers: (() => void)[] = [];
  const late = await startUpstream((req, res) => {
    if (req.url === '/begun') res.write('begun ');
    answers.push(() => res.end(`${req.url}`));
  });
  const draining = await startPlane({ drainMs: longerThanATest });
  draining.put('example.test', late.origin);
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: example.test\r\n\r\n`;
  const one = sendRaw(draining.port, get('/one'));
  const two = sendRaw(draining.port, get('/first') + get('/second'));
  const begun = sendRaw(draining.port, get('/begun'));
  await expect.poll(() => answers.length).toBe(4);
  const closed = draining.close();
  for (const answer of answers) answer();
  const closing = /\r\nconnection: close\r\n/i;
  expect(await one).toMatch(closing);
  const [, first = '', second = ''] = (await two).split('HTTP/1.1 200 OK');
  expect(first).toMatch(/\r\n\r\n\/first$/);
  expect(second).toMatch(closing);
  expect(second).toMatch(/\r\n\r\n\/second$/);
  expect(readAnswer(await begun).body).toBe('begun /begun');
  await closed;
  await late.close();
});
