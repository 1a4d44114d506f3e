import { once } from 'node:events';
import { connect, createServer as createTcpServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { request, sendRaw } from './testing/raw-request.ts';
import {
  listen,
  startPlane,
  startUpstream,
  type TestPlane,
  type TestUpstream,
} from './testing/start-plane.ts';

let upstream: TestUpstream;
let plane: TestPlane;
const sockets = new WebSocketServer({ noServer: true });

beforeAll(async () => {
  upstream = await startUpstream((req, res) => {
    if (req.url?.startsWith('/silent')) return;
    const kept = req.url?.startsWith('/kept') ? { 'cache-control': 'max-age=60' } : {};
    let length = 0;
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
    });
    req.on('end', () => res.writeHead(200, kept).end(`${upstream.seen.length} ${length}`));
  });
  upstream.server.on('upgrade', (req, socket, head) =>
    sockets.handleUpgrade(req, socket, head, () => undefined),
  );
  plane = await startPlane({ openPerSite: 100, upstreamHeadMs: 300 });
  plane.put('example.test', upstream.origin);
});
afterAll(async () => {
  await plane.close();
  sockets.close();
  await upstream.close();
});

const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: AAAA'];
const seen = () => upstream.seen.at(-1)?.headers ?? {};

describe('a visitor', () => {
  it('gives the slot of each WebSocket back, and holds no more of them than its site may', async () => {
    const narrow = await startPlane({ openPerSite: 2, socketsPerSite: 2 });
    narrow.put('example.test', upstream.origin);
    const open = async () => {
      const client = new WebSocket(`ws://127.0.0.1:${narrow.port}/ws`, { headers: { host: 'example.test' } });
      await once(client, 'open');
      return client;
    };
    await expect.poll(() => sockets.clients.size).toBe(0);
    const kept = await open();
    for (let round = 0; round < 4; round += 1) {
      const client = await open();
      const { status, headers } = await request(narrow.port, 'GET /ws', upgrade);
      expect([status, headers.get('retry-after')]).toEqual([503, ['5']]);
      // Open WebSockets take nothing of what requests have.
      expect((await request(narrow.port, 'GET /')).status).toBe(200);
      client.terminate();
      // Its slot is free when the plane has closed its far end.
      await expect.poll(() => sockets.clients.size).toBe(1);
    }
    kept.terminate();
    await narrow.close();
  });

  const statusesIn = (text: string) =>
    [...text.matchAll(/HTTP\/1\.1 ([0-9]{3}) /g)].map(([, status]) => status);
  it.each([
    [33, '/silent', '504'],
    [90, '/silent', '504'],
    [40, '/a', '200'],
    [4_000, '/a', '200'],
  ])('that sends %i requests at once gets answers to 32 of them, then 503', async (count, path, status) => {
    upstream.seen.length = 0;
    const one = `GET ${path} HTTP/1.1\r\nHost: example.test\r\n\r\n`;
    const text = await sendRaw(plane.port, one.repeat(count));
    expect(statusesIn(text)).toEqual([...Array.from({ length: 32 }, () => status), '503']);
    expect(text).toMatch(
      /\r\nretry-after: 1\r\n[\s\S]*\r\n\r\nToo many requests wait on this connection\.\n$/,
    );
    expect(upstream.seen).toHaveLength(32);
  });

  it('that sends 32 requests at once gets all answers, and its connection goes on', async () => {
    const one = 'GET /a HTTP/1.1\r\nHost: example.test\r\n\r\n';
    const last = 'GET /a HTTP/1.1\r\nHost: example.test\r\nConnection: close\r\n\r\n';
    expect(statusesIn(await sendRaw(plane.port, one.repeat(31) + last))).toEqual(
      Array.from({ length: 32 }, () => '200'),
    );
  });

  it.each(['xchunked', 'chunkedx', 'x', 'chunked;q=1', '"chunked"', 'gzip, chunked'])(
    'with the transfer coding %s gets 501, behind the answer to the request before',
    async (coding) => {
      upstream.seen.length = 0;
      const one = `POST /a HTTP/1.1\r\nHost: example.test\r\nTransfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n`;
      expect(statusesIn(await sendRaw(plane.port, one))).toEqual(['501']);
      const before = 'GET /a HTTP/1.1\r\nHost: example.test\r\n\r\n';
      expect(statusesIn(await sendRaw(plane.port, before + one))).toEqual(['200', '501']);
      expect(upstream.seen).toHaveLength(1);
    },
  );

  it('gets the answer to a head that is refused also when its body is malformed', async () => {
    const head = 'POST /a HTTP/1.1\r\nHost: no.test\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(statusesIn(await sendRaw(plane.port, `${head}zz\r\n`))).toEqual(['421']);
  });

  it('cannot say who it is by the names of other fronts, of a variable, or with another address', async () => {
    await request(plane.port, 'GET /', [
      ...[
        'True-Client-IP: 6.6.6.6',
        'CF-Connecting-IP: 6.6.6.6',
        'X-Client-IP: 6.6.6.6',
        'X-Forwarded: for=6.6.6.6',
      ],
      ...[
        'X-Original-URL: /admin',
        'X-Rewrite-URL: /admin',
        'X-Original-Host: evil.test',
        'X-Host: evil.test',
      ],
      ...['Proxy: evil.test:80', 'Content_Length: 9', 'X-Kept: 1'],
      ...['X-Scheme: https', 'Front-End-Https: on', 'SCRIPT_NAME: /admin', 'WL-Proxy-Client-IP: 6.6.6.6'],
    ]);
    const names = Object.keys(seen());
    expect(names).toContain('x-kept');
    for (const name of [
      ...[
        'true-client-ip',
        'cf-connecting-ip',
        'x-client-ip',
        'x-forwarded',
        'x-original-url',
        'x-rewrite-url',
      ],
      ...['x-original-host', 'x-host', 'proxy', 'content_length'],
      ...['x-scheme', 'front-end-https', 'script_name', 'wl-proxy-client-ip'],
    ])
      expect(names).not.toContain(name);
  });

  it('puts nothing into the cache by a GET with a body, or with another method in a header', async () => {
    await request(plane.port, 'GET /kept1', ['Content-Length: 5'], 'evil!');
    expect((await request(plane.port, 'GET /kept1')).body).toMatch(/ 0$/);
    const first = await request(plane.port, 'GET /kept2', ['X-HTTP-Method-Override: PUT']);
    expect((await request(plane.port, 'GET /kept2')).body).not.toBe(first.body);
  });

  it('that is a person does not turn the cache off for others', async () => {
    await request(plane.port, 'GET /kept3', ['Authorization: Bearer x']);
    const first = await request(plane.port, 'GET /kept3');
    expect((await request(plane.port, 'GET /kept3')).body).toBe(first.body);
  });

  it('behind a front gets no other host’s answer from the cache', async () => {
    const front = await startPlane({}, { trusted: ['127.0.0.1'] });
    front.put('example.test', upstream.origin);
    const evil = await request(front.port, 'GET /kept4', ['X-Forwarded-Host: evil.test']);
    expect((await request(front.port, 'GET /kept4')).body).not.toBe(evil.body);
    await front.close();
  });

  it('sends no body with a WebSocket handshake', async () => {
    const answer = await request(
      plane.port,
      'GET /ws',
      ['Upgrade: websocket', 'Connection: Upgrade', 'Content-Length: 5'],
      'GET /',
    );
    expect(answer.status).toBe(501);
  });
});

describe('a bound', () => {
  it('of the body holds for a length that is told and for one that is not', async () => {
    const bounded = await startPlane({ bodyBytes: 1_000 });
    bounded.put('example.test', upstream.origin);
    const length = (bytes: number) =>
      request(bounded.port, 'POST /', [`Content-Length: ${bytes}`], 'x'.repeat(bytes));
    expect((await length(1_000)).body).toMatch(/ 1000$/);
    expect((await length(1_001)).status).toBe(413);
    const chunk = `${(1_001).toString(16)}\r\n${'x'.repeat(1_001)}\r\n0\r\n\r\n`;
    expect((await request(bounded.port, 'POST /', ['Transfer-Encoding: chunked'], chunk)).status).toBe(413);
    await bounded.close();
  });

  it('of time ends the connection of a visitor that takes nothing of its answer', async () => {
    const large = await startUpstream((_req, res) => res.end(Buffer.alloc(64_000_000)));
    const hasty = await startPlane({ answerStallMs: 200 });
    hasty.put('example.test', large.origin);
    const socket = connect(hasty.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: example.test\r\n\r\n');
    await once(socket, 'readable');
    await expect
      .poll(
        () => new Promise((resolve) => hasty.plane.server.getConnections((_error, count) => resolve(count))),
      )
      .toBe(0);
    socket.destroy();
    await hasty.close();
    await large.close();
  });
});

describe('a kept answer that is larger than a connection holds', () => {
  const body = Buffer.alloc(5_000_000, 'x');
  let page: TestUpstream;
  let hasty: TestPlane;
  beforeAll(async () => {
    page = await startUpstream(
      (_req, res) => void res.writeHead(200, { 'cache-control': 'max-age=60' }).end(body),
    );
    hasty = await startPlane({ openPerSite: 2, answerStallMs: 200 });
    hasty.put('example.test', page.origin);
    expect((await request(hasty.port, 'GET /page')).body).toHaveLength(body.length);
  });
  afterAll(async () => {
    await hasty.close();
    await page.close();
  });
  const get = 'GET /page HTTP/1.1\r\nHost: example.test\r\n';

  it.each([
    ['', `${get}\r\n${get}\r\n`],
    [' and speaks of another protocol', `${get}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`],
  ])('holds no place for a visitor who takes nothing of it%s', async (_what, asked) => {
    for (let round = 0; round < 3; round += 1) {
      const arrived = once(hasty.plane.server, 'connection');
      const socket = connect(hasty.port, '127.0.0.1').pause();
      socket.on('error', () => undefined);
      socket.write(asked);
      await arrived;
      await expect.poll(() => connectionsOf(hasty)).toBe(0);
      socket.destroy();
    }
    expect((await request(hasty.port, 'GET /page')).status).toBe(200);
    expect(page.seen).toHaveLength(1);
  });

  it.each(['', 'Upgrade: h2c\r\nConnection: Upgrade\r\n'])(
    'ends nobody who waits for it: %j',
    async (more) => {
      let answer: (() => void) | undefined;
      const late = await startUpstream((_req, res) => {
        answer = () => res.end('late');
      });
      hasty.put('late.test', late.origin);
      const text = sendRaw(hasty.port, `GET / HTTP/1.1\r\nHost: late.test\r\n${more}\r\n`, (so) =>
        so.includes('late'),
      );
      await expect.poll(() => answer !== undefined).toBe(true);
      // Somebody who takes nothing since now has waited for the whole time by the end of this.
      const arrived = once(hasty.plane.server, 'connection');
      const deaf = connect(hasty.port, '127.0.0.1').pause();
      deaf.on('error', () => undefined).write(`${get}\r\n${get}\r\n`);
      await arrived;
      await expect.poll(() => connectionsOf(hasty)).toBe(1);
      answer?.();
      expect(await text).toMatch(/^HTTP\/1\.1 200 /);
      await late.close();
    },
  );

  it('reaches a visitor who takes it slowly', async () => {
    // Each pause of this machine is shorter than the whole time in which a visitor may take nothing.
    const answerStallMs = 1_000;
    const patient = await startPlane({ answerStallMs });
    patient.put('example.test', page.origin);
    expect((await request(patient.port, 'GET /page')).body).toHaveLength(body.length);
    const socket = connect(patient.port, '127.0.0.1').pause();
    socket.write(`${get}Connection: close\r\n\r\n`);
    const begun = performance.now();
    let bytes = 0;
    for await (const chunk of socket) {
      bytes += chunk.length;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(bytes).toBeGreaterThan(body.length);
    expect(performance.now() - begun).toBeGreaterThan(2 * answerStallMs);
    await patient.close();
  });
});

it.each([
  // WebSockets are counted apart (above).
  ['under way at a site', { openPerSite: 2 }, [[]]],
  ['waiting for a website', { upstreamConnections: 1, upstreamQueue: 1 }, [[], upgrade]],
])('answers 503 with a time to come back where too many requests are %s', async (_what, limits, refused) => {
  const narrow = await startPlane(limits);
  narrow.put('example.test', upstream.origin);
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: example.test\r\n\r\n`;
  const before = upstream.seen.length;
  const silent = connect(narrow.port, '127.0.0.1').on('error', () => undefined);
  silent.write(get('/silent/1') + get('/silent/2'));
  await expect.poll(() => upstream.seen.length).toBeGreaterThan(before);
  for (const headers of refused) {
    const { status, headers: told } = await request(narrow.port, 'GET /x', headers);
    expect([status, told.get('retry-after')]).toEqual([503, ['5']]);
  }
  silent.destroy();
  await narrow.close();
});

it('ends a connection that waits for its next request for too long', async () => {
  const hasty = await startPlane({ keepAliveMs: 50 });
  hasty.put('example.test', upstream.origin);
  const text = await sendRaw(hasty.port, 'GET / HTTP/1.1\r\nHost: example.test\r\n\r\n');
  expect(text).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nConnection: keep-alive\r\n/);
  await hasty.close();
});

it('keeps open only as many connections that wait for nothing as there is room for', async () => {
  const narrow = await startPlane({ connections: 10 });
  narrow.put('example.test', upstream.origin);
  const idle = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const socket = connect(narrow.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('GET / HTTP/1.1\r\nHost: example.test\r\n\r\n');
      await once(socket, 'data');
      return socket;
    }),
  );
  expect((await request(narrow.port, 'GET /')).status).toBe(200);
  await expect.poll(() => idle.filter(({ closed }) => closed).length).toBe(10);
  await narrow.close();
});

describe('an upstream', () => {
  it('that takes an upload no further ends that upload', async () => {
    const deaf = createTcpServer((socket) => socket.pause().on('error', () => undefined));
    plane.put('deaf.test', `http://127.0.0.1:${await listen(deaf)}`);
    const socket = connect(plane.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST / HTTP/1.1\r\nHost: deaf.test\r\nContent-Length: 90000000\r\n\r\n');
    const some = Buffer.alloc(1_000_000);
    const push = () => {
      while (socket.writable && socket.writableLength < 4_000_000) if (!socket.write(some)) break;
    };
    socket.on('drain', push);
    push();
    const [chunk] = await once(socket, 'data');
    expect(String(chunk)).toMatch(/^HTTP\/1.1 504 /);
    socket.destroy();
    deaf.close();
  });

  it('with names of JavaScript as headers and framing as trailers is answered or refused, and harms nobody', async () => {
    const odd = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.end(
        'HTTP/1.1 200 OK\r\nconstructor: 1\r\n__proto__: 2\r\nconstructor: 3\r\nTransfer-Encoding: chunked\r\n\r\n' +
          '1\r\nx\r\n0\r\nContent-Length: 9\r\nSet-Cookie: a=1\r\nX-Sum: 7\r\n\r\n',
      );
    });
    plane.put('odd.test', `http://127.0.0.1:${await listen(odd)}`);
    const { status, text } = await request(plane.port, 'GET /', [
      'Host: odd.test',
      'TE: trailers',
      'Connection: TE, close',
    ]);
    expect([200, 502]).toContain(status);
    expect(text).not.toMatch(/Content-Length: 9|Set-Cookie/i);
    expect((await request(plane.port, 'GET /')).status).toBe(200);
    odd.close();
  });
});

function connectionsOf({ plane: { server } }: TestPlane): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}
