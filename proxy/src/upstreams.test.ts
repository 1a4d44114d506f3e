import { readFileSync } from 'node:fs';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from './testing/raw-request.ts';
import { type Nginx, runNginx } from './testing/run-nginx.ts';
import { listen, startPlane, type TestPlane } from './testing/start-plane.ts';

/** The bytes that the kernel takes at most for one end of a TCP connection. */
const largestBuffer = (kind: 'rmem' | 'wmem') =>
  Number(readFileSync(`/proc/sys/net/ipv4/tcp_${kind}`, 'utf8').trim().split(/\s+/)[2]);

/** Websites as they are: nginx with files, and one that keeps to nothing. What Node's own server says is tested elsewhere. */

let plane: TestPlane;
beforeAll(async () => {
  plane = await startPlane({ upstreamIdleMs: 300 });
});
afterAll(() => plane.close());

describe('nginx', () => {
  let nginx: Nginx;
  const page = `<html><head></head><body><a href="/p">p</a>${'text '.repeat(2_000)}</body></html>`;
  const script = 'let tides = 12;'.repeat(4_000);
  beforeAll(async () => {
    nginx = await runNginx(
      { 'index.html': page, 'folder/index.html': 'folder', 'app.js': script },
      `keepalive_requests 2; gzip on; gzip_types text/css text/javascript; gzip_proxied any;
      location = /app.js { add_header Cache-Control "public, max-age=60"; }
      location /moved { return 301 /folder/; }`,
    );
    plane.put('example.test', nginx.origin, [
      { path: '/blog', type: 'subdirectory', target: nginx.origin, injection: '<i>1</i>' },
    ]);
  });
  afterAll(() => nginx[Symbol.asyncDispose]());
  const get = (path: string, headers: readonly string[] = []) => request(plane.port, `GET ${path}`, headers);

  it('gives its pages, changed where a rule says so, also when it codes them', async () => {
    expect((await get('/')).body).toBe(page);
    const changed = page.replace('</head>', '<i>1</i></head>').replace('"/p"', '"/blog/p"');
    for (const codings of ['identity', 'gzip', 'br, gzip'])
      expect((await get('/blog/', [`Accept-Encoding: ${codings}`])).body).toBe(changed);
  });

  it('hears that a visitor has its page, by its own tag', async () => {
    const tag = (await get('/blog/')).headers.get('etag')?.[0];
    expect(tag).toMatch(/^W\/".*-hp[0-9a-f]{8}"$/);
    expect(await get('/blog/', [`If-None-Match: ${tag}`])).toMatchObject({ status: 304, body: '' });
    const plain = (await get('/')).headers.get('etag')?.[0];
    expect((await get('/', [`If-None-Match: ${plain}`])).status).toBe(304);
    expect((await get('/', ['If-None-Match: "other"'])).status).toBe(200);
  });

  it('gives parts of what it has, and so does the cache', async () => {
    expect(await get('/index.html', ['Range: bytes=1-4'])).toMatchObject({ status: 206, body: 'html' });
    await get('/app.js');
    const part = await get('/app.js', ['Range: bytes=4-8']);
    expect(part).toMatchObject({ status: 206, body: 'tides' });
    expect(part.headers.get('cache-status')).toEqual(['Homeport; hit']);
  });

  it('leads on to addresses of the merged domain', async () => {
    expect((await get('/blog/folder')).headers.get('location')).toEqual(['http://example.test/blog/folder/']);
    expect((await get('/blog/moved')).headers.get('location')).toEqual(['http://example.test/blog/folder/']);
    expect((await get('/folder')).headers.get('location')).toEqual(['http://example.test/folder/']);
  });

  it('closes its connections after two requests, and no visitor notices', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => get(`/?${index}`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('says 404 and 405 with its own pages', async () => {
    expect(await get('/none')).toMatchObject({ status: 404, body: expect.stringContaining('nginx') });
    expect((await request(plane.port, 'POST /', ['Content-Length: 3'], 'abc')).status).toBe(405);
  });
});

describe('a website that keeps to nothing', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';
  const at = ['Host: odd.test'];

  /** Answers each connection with this, and tells how many with an answer are open. */
  async function odd(answer: (socket: Socket) => void) {
    const [open, answered] = [new Set<Socket>(), new Set<Socket>()];
    const server = createTcpServer((socket) => {
      open.add(socket);
      socket
        .on('error', () => undefined)
        .once('close', () => {
          open.delete(socket);
          answered.delete(socket);
        })
        .once('data', () => {
          answered.add(socket);
          answer(socket);
        });
    });
    plane.put('odd.test', `http://127.0.0.1:${await listen(server)}`);
    return {
      open: () => answered.size,
      [Symbol.asyncDispose]: async () => {
        for (const socket of open) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }
  const get = (headers: readonly string[] = at) => request(plane.port, 'GET /', headers);
  it('and resets before its head is told with 502, and in the middle of its body with a cut', async () => {
    await using early = await odd((socket) => socket.resetAndDestroy());
    expect(await get()).toMatchObject({ status: 502, body: 'connection_lost\n' });
    await expect.poll(early.open).toBe(0);
    await using late = await odd((socket) =>
      socket.write(`${head}Content-Length: 100\r\n\r\nabcd`, () =>
        setImmediate(() => socket.resetAndDestroy()),
      ),
    );
    expect((await get()).text).not.toContain('abcde');
    await expect.poll(late.open).toBe(0);
  });

  it('and leads to an address inside is answered as it is, and the plane does not go there', async () => {
    let reached = 0;
    const inside = createTcpServer((socket) => {
      reached += 1;
      socket.destroy();
    });
    const to = `http://127.0.0.1:${await listen(inside)}/latest/meta-data`;
    try {
      for (const status of ['301 Moved', '302 Found', '303 See Other', '307 Temporary', '308 Permanent']) {
        await using _website = await odd((socket) =>
          socket.end(`HTTP/1.1 ${status}\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`),
        );
        const answer = await get();
        expect(answer.status).toBe(Number(status.slice(0, 3)));
        expect(answer.headers.get('location')).toEqual([to]);
      }
      expect(reached).toBe(0);
    } finally {
      await new Promise((resolve) => inside.close(resolve));
    }
  });

  it('and never ends its body passes for as long as bytes come, and goes when the visitor leaves', async () => {
    let sent = 0;
    await using endless = await odd((socket) => {
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
      const push = () => {
        while (!socket.destroyed && socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`)) sent += 0x4000;
      };
      socket.on('drain', push);
      push();
    });
    const visitor = connect(plane.port, '127.0.0.1');
    visitor.on('error', () => undefined);
    visitor.write('GET / HTTP/1.1\r\nHost: odd.test\r\n\r\n');
    let taken = 0;
    await new Promise<void>((resolve) => {
      visitor.on('data', (chunk: Buffer) => {
        taken += chunk.length;
        if (taken > 50_000_000) resolve();
      });
    });
    visitor.pause();
    // What the visitor does not take, the website does not get rid of.
    let before = -1;
    await expect
      .poll(
        () => {
          const isStill = sent === before;
          before = sent;
          return isStill;
        },
        { interval: 100 },
      )
      .toBe(true);
    // Both connections, as full as the kernel lets them grow (tcp(7)), and little of the plane's own.
    const ofKernel = 2 * (largestBuffer('rmem') + largestBuffer('wmem'));
    expect(sent - taken).toBeLessThan(ofKernel + 8_000_000);
    visitor.destroy();
    await expect.poll(endless.open).toBe(0);
  });

  it('and stops in the middle of its body is cut after a while', async () => {
    await using stopping = await odd((socket) => socket.write(`${head}Content-Length: 100\r\n\r\nabcd`));
    expect((await get()).body).toBe('abcd');
    await expect.poll(stopping.open).toBe(0);
  });

  it.each([
    ['two lengths of its body', `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['20 KiB of head', `${head}X: ${'x'.repeat(20 * 1024)}\r\nContent-Length: 0\r\n\r\n`],
    ['a status of 999', 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'],
    [
      '101 to a plain request',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    ],
    ['nothing but 100', `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50)}HTTP/1.1 999 Odd\r\n\r\n`],
  ])('and answers with %s is told with 502, and none of it reaches the visitor', async (_what, bytes) => {
    await using _ = await odd((socket) => socket.write(bytes));
    const { status, text } = await get();
    expect(status).toBe(502);
    expect(text).toMatch(/cache-control: no-store/i);
    expect(text).not.toMatch(/999|X: x|Switching/);
  });

  it('and sends more than it said loses the rest, not the next answer', async () => {
    await using _ = await odd((socket) =>
      socket.write(`${head}Content-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`),
    );
    expect((await get()).body).toBe('ok');
    expect((await get()).body).toBe('ok');
  });
});
