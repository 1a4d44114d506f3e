import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { request } from '../testing/raw-request.ts';
import { startPlane, startUpstream, type TestPlane, type TestUpstream } from '../testing/start-plane.ts';

let upstream: TestUpstream;
let planes: TestPlane[] = [];
let held: Socket[] = [];
const large = Buffer.alloc(24 * 1024 * 1024, 'x');

beforeEach(async () => {
  upstream = await startUpstream((req, res) => {
    if (req.url === '/silent') return;
    if (req.url === '/large') return void res.end(large);
    if (req.url === '/events') {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      return void res.write('data: one\n\n');
    }
    res.end('ok');
  });
});
afterEach(async () => {
  for (const socket of held) socket.destroy();
  held = [];
  await Promise.all(planes.map((plane) => plane.close()));
  planes = [];
  await upstream.close();
});

async function open(limits: Parameters<typeof startPlane>[0], trusted: string[] = ['127.0.0.1']) {
  const plane = await startPlane(limits, { trusted });
  planes.push(plane);
  return plane;
}

/** Sends a request and takes nothing of its answer. */
function hold({ port }: TestPlane, path: string, host: string, more = ''): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`);
  held.push(socket);
  return socket.pause();
}

const ask = async (plane: TestPlane, host: string, from = '192.0.2.1') => {
  const { status, body, headers } = await request(plane.port, 'GET /', [
    ...[`Host: ${host}`, `X-Forwarded-For: ${from}`],
  ]);
  return { status, body, retry: headers.get('retry-after')?.[0] };
};

describe('the share of requests', () => {
  it('of a visitor is counted over all sites, and by the /64 of an address', async () => {
    const plane = await open({ openPerVisitor: 3 });
    for (const name of ['a', 'b']) plane.put(`${name}.test`, upstream.origin);
    for (const [index, host] of ['a.test', 'a.test', 'b.test'].entries())
      hold(plane, '/silent', host, `X-Forwarded-For: 2001:db8::${index + 1}\r\n`);
    await expect.poll(() => upstream.seen.length).toBe(3);
    expect(await ask(plane, 'b.test', '2001:db8::9')).toEqual({
      ...{ status: 429, retry: '5', body: 'Too many requests from this address are open.\n' },
    });
    expect((await ask(plane, 'b.test', '2001:db8:0:1::9')).status).toBe(200);
    held.pop()?.destroy();
    await expect.poll(async () => (await ask(plane, 'b.test', '2001:db8::9')).status).toBe(200);
  });

  it('of an account ends where as many are open as stay free, and others are served', async () => {
    const plane = await open({ open: 80 });
    for (const name of ['a', 'b']) plane.put(`${name}.test`, upstream.origin, [], 'eve');
    plane.put('good.test', upstream.origin, [], 'ada');
    for (let index = 0; index < 40; index += 1) hold(plane, '/silent', `${index % 2 ? 'a' : 'b'}.test`);
    await expect.poll(() => upstream.seen.length).toBe(40);
    expect(await ask(plane, 'a.test')).toEqual({
      ...{ status: 503, retry: '5', body: 'Too many requests are open.\n' },
    });
    expect((await ask(plane, 'good.test')).status).toBe(200);
  });

  it('counts no visitor where a front does not say for whom it asks', async () => {
    const plane = await open({ openPerVisitor: 1 });
    plane.put('a.test', upstream.origin);
    hold(plane, '/silent', 'a.test');
    hold(plane, '/silent', 'a.test');
    await expect.poll(() => upstream.seen.length).toBe(2);
  });
});

it('turns away what a visitor connects beyond its share, with a time to come back, but no front', async () => {
  const limits = { connectionsPerVisitor: 3 };
  const [direct, behindFront] = [await open(limits, []), await open(limits)];
  for (const plane of [direct, behindFront]) {
    plane.put('example.test', upstream.origin);
    for (let index = 0; index < 3; index += 1) {
      const socket = hold(plane, '/', 'example.test');
      await once(socket.resume(), 'data');
    }
  }
  const refused = await request(direct.port, 'GET /');
  expect(refused).toMatchObject({ status: 429, body: 'Too many connections from this address are open.\n' });
  expect(refused.headers.get('retry-after')).toEqual(['5']);
  expect(Number(refused.headers.get('content-length'))).toBe(refused.body.length);
  expect((await request(behindFront.port, 'GET /')).status).toBe(200);
  held[0]?.destroy();
  await expect.poll(async () => (await request(direct.port, 'GET /')).status).toBe(200);
});

describe('connections to a website', () => {
  it.each(['/large', '/events'])(
    'that carry %s for slow visitors are neither missing to another site with the same source, nor to their own',
    async (path) => {
      const plane = await open({ upstreamConnections: 4, upstreamLongMs: 50 });
      plane.put('evil.test', upstream.origin, [], 'eve');
      plane.put('victim.test', upstream.origin, [], 'ada');
      for (let index = 0; index < 4; index += 1) hold(plane, path, 'evil.test');
      await expect.poll(() => upstream.seen.length).toBe(4);
      expect((await ask(plane, 'victim.test')).status).toBe(200);
      expect((await ask(plane, 'evil.test')).status).toBe(200);
      for (let index = 0; index < 4; index += 1) hold(plane, path, 'evil.test');
      await expect.poll(() => upstream.seen.length).toBe(10);
      expect((await ask(plane, 'evil.test')).status).toBe(200);
    },
  );

  it('stay within the share of an account, and each site may have one', async () => {
    const plane = await open({ upstreamOpen: 40 });
    for (const name of ['a', 'b']) plane.put(`${name}.test`, upstream.origin, [], 'eve');
    plane.put('good.test', upstream.origin, [], 'ada');
    for (let index = 0; index < 30; index += 1) hold(plane, '/silent', 'a.test');
    await expect.poll(() => upstream.seen.length).toBe(20);
    expect((await ask(plane, 'b.test')).status).toBe(200);
    expect((await ask(plane, 'good.test')).status).toBe(200);
    const before = upstream.seen.length;
    for (const socket of held.slice(0, 20)) socket.destroy();
    await expect.poll(() => upstream.seen.length).toBe(before + 10);
  });
});
