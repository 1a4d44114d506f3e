import { once } from 'node:events';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type RawAnswer, readAnswer, request, sendRaw } from './testing/raw-request.ts';
import { listen, startPlane, startUpstream, type TestPlane } from './testing/start-plane.ts';

// Visitors share the connections to an upstream. What one of them does may reach no other one.

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function plane(...of: Parameters<typeof startPlane>): Promise<TestPlane> {
  const started = await startPlane(...of);
  closing.push(() => started.close());
  return started;
}
async function upstream(answer: Parameters<typeof startUpstream>[0]) {
  const started = await startUpstream(answer);
  closing.push(() => started.close());
  return started;
}
/** An upstream of raw bytes. Hears all that came so far on the connection. */
async function rawUpstream(heard: (socket: Socket, text: string) => void) {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket.on('error', () => undefined).setEncoding('latin1'));
    let text = '';
    socket.on('data', (chunk: string) => {
      text += chunk;
      heard(socket, text);
    });
  });
  const port = await listen(server);
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { origin: `http://127.0.0.1:${port}`, sockets };
}
function open(port: number, text: string): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(text, 'latin1');
  closing.push(() => void socket.destroy());
  return socket;
}
const webSocket =
  'Host: example.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAA\r\n\r\n';
const ok = (body: string, more = '') =>
  `HTTP/1.1 200 OK\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;

describe('a visitor who leaves', () => {
  it('a page that is still changed ends nobody’s answer over the same connection', async () => {
    // Small on its way, and more than a socket takes when it is decoded: the upstream is done long before the visitor.
    const page = gzipSync(`<html><body>${'<p>words</p>'.repeat(2_000_000)}</body></html>`);
    let answerLater: (() => void) | undefined;
    const website = await upstream((req, res) => {
      if (req.url === '/page')
        res.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(page);
      else if (req.url === '/later') answerLater = () => res.end('the answer of another visitor');
      else res.end('ok');
    });
    const one = await plane({ upstreamConnections: 1, upstreamHeadMs: 3_000 });
    one.put('example.test', website.origin, [
      { path: '/page', type: 'simple', target: website.origin, injection: '<script></script>' },
    ]);
    const leaver = open(one.port, 'GET /page HTTP/1.1\r\nHost: example.test\r\n\r\n');
    await once(leaver, 'readable');
    const other = request(one.port, 'GET /later');
    await expect.poll(() => answerLater !== undefined).toBe(true);
    expect(new Set(website.seen.map(({ socket }) => socket)).size).toBe(1);
    leaver.destroy();
    await expect.poll(() => connectionsOf(one)).toBe(1);
    answerLater?.();
    expect(await other).toMatchObject({ status: 200, body: 'the answer of another visitor' });
  });

  it('a refused WebSocket keeps no connection to its upstream', async () => {
    const website = await upstream((_req, res) => res.end('ok'));
    website.server.on('upgrade', (_req, socket) => {
      socket.on('error', () => socket.destroy());
      socket.write(`HTTP/1.1 403 Forbidden\r\nContent-Length: 90000000\r\n\r\n`);
      const push = () => {
        while (socket.writable) if (!socket.write(Buffer.alloc(100_000))) break;
      };
      socket.on('drain', push);
      push();
    });
    const one = await plane({ upstreamConnections: 1 });
    one.put('example.test', website.origin);
    const leaver = open(one.port, `GET /ws HTTP/1.1\r\n${webSocket}`);
    await once(leaver, 'readable');
    leaver.destroy();
    expect(await request(one.port, 'GET /next')).toMatchObject({ status: 200, body: 'ok' });
  });

  it.each([
    ['without bodies', ''],
    ['with a body that does not come', 'Content-Length: 5\r\n'],
  ])('several requests at once %s gives the place of each back', async (_what, framing) => {
    const website = await upstream((req, res) => {
      if (req.url === '/next') res.end('ok');
    });
    const one = await plane({ openPerSite: 3, upstreamConnections: 3 });
    one.put('example.test', website.origin);
    for (let round = 1; round < 4; round += 1) {
      website.seen.length = 0;
      const first = 'GET /first HTTP/1.1\r\nHost: example.test\r\n\r\n';
      const leaver = open(one.port, `${first}POST /second HTTP/1.1\r\nHost: example.test\r\n${framing}\r\n`);
      await expect.poll(() => website.seen.length).toBe(2);
      leaver.destroy();
      await expect.poll(() => connectionsOf(one)).toBe(0);
    }
    expect(await request(one.port, 'GET /next')).toMatchObject({ status: 200, body: 'ok' });
  });

  it('while he waits for a connection is not kept until one is free', async () => {
    const website = await upstream(() => undefined);
    const one = await plane({ upstreamConnections: 1, upstreamQueue: 10, sweepMs: 20 });
    one.put('example.test', website.origin);
    open(one.port, 'GET /hangs HTTP/1.1\r\nHost: example.test\r\n\r\n');
    await expect.poll(() => website.seen.length).toBe(1);
    const target = { protocol: 'http:' as const, hostname: '127.0.0.1', port: website.port };
    const place = { ...target, host: `127.0.0.1:${website.port}` };
    let looked = 0;
    for (let left = 50; left > 0; left -= 1) {
      const taken = one.plane.pools.take({ id: 'example.test', owner: 'ada' }, place);
      const asker = {
        hasLeft() {
          looked += 1;
          return true;
        },
        ...{ begun: () => undefined, head: () => undefined, data: () => undefined },
        ...{ end: () => undefined, failed: () => undefined },
      };
      taken?.ask({ path: '/', method: 'GET', headers: ['host', 'e.test'], body: null }, asker);
      taken?.leave();
    }
    await expect.poll(() => looked).toBeGreaterThanOrEqual(50);
  });
});

describe('what comes behind a request on its connection', () => {
  it.each([
    ['a WebSocket', `GET /ws HTTP/1.1\r\n${webSocket}`],
    [
      'another protocol',
      'GET /x HTTP/1.1\r\nHost: example.test\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    ],
    ['a tunnel', 'CONNECT example.test:80 HTTP/1.1\r\nHost: example.test\r\n\r\n'],
  ])('to %s waits for the answer before and gets none', async (_what, second) => {
    let answer: (() => void) | undefined;
    const website = await upstream((_req, res) => {
      answer = () => res.end('first');
    });
    const one = await plane();
    one.put('example.test', website.origin);
    const text = sendRaw(one.port, `GET /first HTTP/1.1\r\nHost: example.test\r\n\r\n${second}`);
    await expect.poll(() => answer !== undefined).toBe(true);
    answer?.();
    const whole = await text;
    expect(readAnswer(whole)).toMatchObject({ status: 200, body: 'first' });
    expect(whole.split('HTTP/1.1 ')).toHaveLength(2);
    expect(website.seen).toHaveLength(1);
  });

  it('and asks for leave to send its body gets it between the answer before and its own', async () => {
    let answer: (() => void) | undefined;
    const website = await upstream((req, res) => {
      if (req.url === '/first') answer = () => res.end('first');
      else res.end(Buffer.from('second'));
    });
    const one = await plane();
    one.put('example.test', website.origin);
    const third = 'GET /third HTTP/1.1\r\nHost: example.test\r\nConnection: close\r\n\r\n';
    const text = sendRaw(
      one.port,
      'GET /first HTTP/1.1\r\nHost: example.test\r\n\r\nPUT /second HTTP/1.1\r\nHost: example.test\r\n' +
        `Expect: 100-continue\r\nContent-Length: 1\r\n\r\nx${third}`,
    );
    await expect.poll(() => answer !== undefined).toBe(true);
    for (let others = 3; others > 0; others -= 1) await request(one.port, 'GET /other');
    answer?.();
    const whole = await text;
    expect(whole.match(/HTTP\/1\.1 \d+/g)).toEqual(
      [200, 100, 200, 200].map((status) => `HTTP/1.1 ${status}`),
    );
    const [, , own = ''] = whole.split('HTTP/1.1 200 OK');
    expect(own).toMatch(/\r\n\r\nsecond$/);
    expect(own).not.toContain('100 Continue');
  });

  it('and asks for leave to send its body is not ended for a body that it was not asked for', async () => {
    let answer: (() => void) | undefined;
    const website = await upstream((req, res) => {
      if (req.url === '/first') answer = () => res.end('first');
      else req.resume().once('end', () => res.end('second'));
    });
    const one = await plane({ requestStallMs: 300 });
    one.put('example.test', website.origin);
    const socket = open(
      one.port,
      'GET /first HTTP/1.1\r\nHost: example.test\r\n\r\nPUT /second HTTP/1.1\r\nHost: example.test\r\n' +
        'Expect: 100-continue\r\nContent-Length: 1\r\n\r\n',
    );
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (text.endsWith(' 100 Continue\r\n\r\n')) socket.write('x');
    });
    await expect.poll(() => answer !== undefined).toBe(true);
    // Somebody whose body stops now has waited for the whole time by the end of this.
    expect((await request(one.port, 'PUT /stops', ['Content-Length: 1'])).status).toBe(408);
    answer?.();
    await expect.poll(() => text).toMatch(/\r\n\r\nsecond$/);
    expect(text).toMatch(/\r\n\r\nfirstHTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  });

  it('to a tunnel alone is refused, and the connection ends although the visitor holds on to it', async () => {
    const one = await plane();
    const socket = connect({ port: one.port, host: '127.0.0.1', allowHalfOpen: true });
    closing.push(() => void socket.destroy());
    socket.on('error', () => undefined).resume();
    socket.write('CONNECT example.test:80 HTTP/1.1\r\nHost: example.test\r\n\r\n');
    await once(socket, 'end');
    await expect.poll(() => connectionsOf(one)).toBe(0);
  });
});

describe('a connection to an upstream', () => {
  it('carries nothing more after a body that a program may not expect', async () => {
    // A program that knows no body of a GET takes what follows the head for the next request, and answers that later.
    const inner = 'GET /inner HTTP/1.1\r\nHost: x\r\n\r\n';
    const heads: string[] = [];
    const website = await rawUpstream((socket, text) => {
      if (text.endsWith(inner)) socket.write(ok('outer'));
      if (text.includes('GET /own')) socket.write(ok(text.includes('/inner') ? 'inner' : 'own'));
      heads.push(text);
    });
    const one = await plane();
    one.put('example.test', website.origin);
    for (const method of ['GET', 'OPTIONS', 'DELETE'])
      expect(
        (await request(one.port, `${method} /outer`, [`Content-Length: ${inner.length}`], inner)).body,
      ).toBe('outer');
    expect((await request(one.port, 'GET /own')).body).toBe('own');
    expect(website.sockets).toHaveLength(4);
    for (const socket of website.sockets.slice(0, 3)) await expect.poll(() => socket.closed).toBe(true);
    expect(heads.at(0)).toContain('\r\nConnection: close\r\n');
  });

  it('carries nothing more after an answer that says it is empty and tells of a body', async () => {
    let asked = 0;
    const website = await rawUpstream((socket) => {
      asked += 1;
      if (asked > 1) return void socket.write(ok('real'));
      socket.write('HTTP/1.1 204 No Content\r\nContent-Length: 40\r\n\r\n');
    });
    const one = await plane();
    one.put('example.test', website.origin);
    expect((await request(one.port, 'GET /empty')).status).toBe(204);
    expect((await request(one.port, 'GET /own')).body).toBe('real');
    expect(website.sockets).toHaveLength(2);
  });

  it('that its upstream closes just then costs no visitor a WebSocket, and is tried once more only', async () => {
    const changes = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    const website = await rawUpstream((socket, text) => {
      if (text.includes('GET /closed')) socket.destroy();
      else if (text.startsWith('GET /first') && text.includes('GET /ws')) socket.destroy();
      else socket.write(text.includes('GET /ws') ? `${changes}hello` : ok('first'));
    });
    const one = await plane();
    one.put('example.test', website.origin);
    expect((await request(one.port, 'GET /first')).body).toBe('first');
    const text = await sendRaw(one.port, `GET /ws HTTP/1.1\r\n${webSocket}`, (so) => /hello|\n\r\n/.test(so));
    expect(text).toMatch(/^HTTP\/1\.1 101 /);
    expect(website.sockets).toHaveLength(2);
    const refused = await sendRaw(one.port, `GET /closed HTTP/1.1\r\n${webSocket}`);
    expect(readAnswer(refused)).toMatchObject({ status: 502, body: 'connection_lost\n' });
    expect(website.sockets).toHaveLength(4);
  });

  it.each(['HTTP/1.1 20', 'HTTP/1.1 103 Early Hints\r\n\r\n'])(
    'that ends after a part of the answer asks for no second answer: %j',
    async (part) => {
      const website = await rawUpstream((socket) => void socket.end(part));
      const one = await plane();
      one.put('example.test', website.origin);
      expect(await request(one.port, 'GET /x')).toMatchObject({ status: 502, body: 'connection_lost\n' });
      expect(website.sockets).toHaveLength(1);
    },
  );

  it('carries a refusal of a WebSocket that has no body, and the visitor waits for none', async () => {
    const website = await rawUpstream((socket) =>
      socket.write('HTTP/1.1 204 No Content\r\nContent-Length: 40\r\n\r\n'),
    );
    const one = await plane();
    one.put('example.test', website.origin);
    const text = await sendRaw(one.port, `GET /ws HTTP/1.1\r\n${webSocket}`);
    expect(text).toMatch(/^HTTP\/1\.1 204 /);
    expect(text).not.toMatch(/content-length/i);
  });

  it('carries no length that a number holds only nearly', async () => {
    const website = await rawUpstream(() => undefined);
    const one = await plane();
    one.put('example.test', website.origin);
    for (const length of ['9007199254740993', '18446744073709551615']) {
      const text = await sendRaw(
        one.port,
        `POST / HTTP/1.1\r\nHost: example.test\r\nContent-Length: ${length}\r\n\r\nx`,
      );
      expect(text).toMatch(/^HTTP\/1\.1 413 /);
    }
    expect(website.sockets).toHaveLength(0);
  });
});

describe('trailers', () => {
  const told = async (lines: readonly string[]): Promise<RawAnswer> => {
    const website = await rawUpstream((socket) =>
      socket.write(
        `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n${lines.join('\r\n')}\r\n\r\n`,
      ),
    );
    const one = await plane();
    one.put('example.test', website.origin);
    return request(one.port, 'GET /', ['TE: trailers']);
  };

  it('all reach a visitor who takes them', async () => {
    const { text } = await told(['X-Sum: 7', 'Server-Timing: a;dur=1']);
    expect(text).toMatch(/\r\nx-sum: 7\r\nserver-timing: a;dur=1\r\n\r\n$/);
  });

  it('that would act as headers without the work that is done on headers reach nobody', async () => {
    const names = [
      ...['Link: <http://a.test/>', 'Refresh: 0;url=http://a.test/', 'Content-Location: /a', 'Vary: *'],
      ...['Access-Control-Allow-Origin: *', 'WWW-Authenticate: Basic', 'Authorization: Basic x', 'Age: 1'],
      ...['CDN-Cache-Control: max-age=1', 'Expires: 0', 'Pragma: no-cache', 'Service-Worker-Allowed: /'],
      ...[
        'Set-Cookie: a=1',
        'Transfer-Encoding: chunked',
        'Content-Length: 5',
        'Trailer: X',
        'Connection: x',
      ],
    ];
    const { text } = await told([...names, 'X-Sum: 7']);
    expect(text).toMatch(/0\r\nx-sum: 7\r\n\r\n$/);
  });
});

it.each([
  ['that is too large', 'POST /x', 'example.test', 413],
  ['for a domain that nobody serves', 'POST /x', 'other.test', 421],
  ['for a website that is down', 'POST /down', 'example.test', 502],
  ['to an address that moves', 'GET /blog', 'example.test', 302],
  ['for a website that answers before', 'POST /early', 'example.test', 401],
])(
  'takes some more of a body %s, so that the visitor reads the answer',
  async (_what, line, host, status) => {
    const website = await upstream((_req, res) => res.writeHead(401, { 'content-length': 0 }).end());
    const one = await plane({ bodyBytes: status === 413 ? 800_000 : null });
    one.put('example.test', website.origin, [
      { path: '/blog', type: 'subdirectory', target: website.origin },
      { path: '/down', target: (await rawUpstream((socket) => void socket.destroy())).origin },
    ]);
    const body = 'x'.repeat(900_000);
    const head = `${line} HTTP/1.1\r\nHost: ${host}\r\nAccept: text/html\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = open(one.port, head + body.slice(0, 10_000));
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    const ended = once(socket, 'end');
    await expect.poll(() => text).toMatch(/\r\n\r\n(?:.+\n)?$/);
    expect(readAnswer(text).status).toBe(status);
    for (let at = 10_000; at < body.length; at += 50_000)
      await new Promise<void>((resolve, reject) =>
        socket.write(body.slice(at, at + 50_000), (error) => (error ? reject(error) : resolve())),
      );
    await ended;
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
  },
);

it('ends the connection of a visitor whose body nobody reads, also where the answer is a redirect', async () => {
  const website = await upstream((_req, res) => res.end());
  const one = await plane();
  one.put('example.test', website.origin, [{ path: '/blog', type: 'subdirectory', target: website.origin }]);
  const text = await sendRaw(
    one.port,
    'GET /blog HTTP/1.1\r\nHost: example.test\r\nAccept: text/html\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n',
  );
  expect(text).toMatch(/^HTTP\/1\.1 302 /);
  expect(text).toMatch(/\r\nConnection: close\r\n/i);
});

function connectionsOf({ plane: { server } }: TestPlane): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}
