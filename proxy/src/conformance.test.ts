import { createServer as createTcpServer, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAnswer, request, sendRaw } from './testing/raw-request.ts';
import {
  listen,
  startPlane,
  startUpstream,
  type TestPlane,
  type TestUpstream,
} from './testing/start-plane.ts';

const page = '<html><head></head><body><a href="/p">p</a></body></html>';
const changedPage = '<html><head><i>1</i></head><body><a href="/blog/p">p</a></body></html>';

let upstream: TestUpstream;
let plane: TestPlane;
/** A plane with short deadlines, for what never comes. */
let hasty: TestPlane;

beforeAll(async () => {
  upstream = await startUpstream((req, res) => {
    const url = new URL(req.url ?? '/', 'http://e.test');
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('error', () => undefined);
    req.on('end', () => {
      const sent = {
        html: { 'content-type': 'text/html', etag: '"e1"' },
        plain: { 'content-type': 'text/plain' },
      };
      if (url.pathname === '/page') {
        const coding = url.searchParams.get('coding');
        const bytes =
          coding === 'gzip' ? gzipSync(page) : coding === 'br' ? brotliCompressSync(page) : Buffer.from(page);
        res.writeHead(200, {
          ...sent.html,
          ...(coding ? { 'content-encoding': coding } : { 'content-length': bytes.length }),
        });
        if (!url.searchParams.has('slow')) return void res.end(req.method === 'HEAD' ? '' : bytes);
        for (const byte of bytes) res.write(Buffer.from([byte]));
        return void res.end();
      }
      if (url.pathname === '/store/7/cookies') {
        const cookies = [
          'a=1; Path=/; Domain=127.0.0.1',
          'b=2; Path=/store/7/x',
          '__Host-c=3; Path=/; Secure',
          'd=4; Path=/store',
        ];
        return void res.writeHead(200, { ...sent.plain, 'set-cookie': cookies }).end();
      }
      if (url.pathname === '/to')
        return void res.writeHead(302, { location: url.searchParams.get('u') ?? '' }).end();
      if (url.pathname === '/hop')
        return void res
          .writeHead(200, {
            ...sent.plain,
            connection: 'x-h',
            'x-h': '1',
            'alt-svc': 'h3=":443"',
            'x-kept': '1',
          })
          .end('hop');
      if (url.pathname === '/style')
        return void res.writeHead(200, { 'content-type': 'text/css' }).end('a{b:"</head>"}');
      if (url.pathname === '/tricky')
        return void res
          .writeHead(200, sent.html)
          .end(
            '<script>"</head>"</script><!-- </head> --><style></head></style><a title="</head>"></a></head>',
          );
      if (url.pathname === '/part')
        return void res.writeHead(206, { ...sent.html, 'content-range': 'bytes 0-8/99' }).end('</head>ab');
      res.writeHead(200, sent.plain).end(`${req.method} ${req.url} ${Buffer.concat(chunks).toString()}`);
    });
  });
  plane = await startPlane();
  hasty = await startPlane({ headMs: 400, requestStallMs: 300, upstreamHeadMs: 400 });
  const target = upstream.origin;
  hasty.put('example.test', target);
  const refused = plane.put('example.test', target, [
    { path: '/blog', type: 'subdirectory', target, injection: '<i>1</i>' },
    { path: '/shop', type: 'subdirectory', target, proxyPathPrefix: '/store/7', xForwardedHost: 's.test' },
    { path: '/re', target, pathRewriteSrc: '/re' },
  ]);
  expect(refused).toBeNull();
});
afterAll(async () => {
  await plane.close();
  await hasty.close();
  await upstream.close();
});

const get = (path: string, headers: readonly string[] = []) => request(plane.port, `GET ${path}`, headers);
const body = async (path: string, headers: readonly string[] = []) => (await get(path, headers)).body;
const lastSeen = () => upstream.seen.at(-1);

describe('a path', () => {
  it.each([
    ['/blog/x?a=%2F', 'GET /x?a=%2F '],
    ['/blogger', 'GET /blogger '],
    ['/blog%2Fx', 'GET /blog%2Fx '],
    ['/blog', 'GET / '],
    ['/%62log/y', 'GET /y '],
    ['/z/%2e%2e/blog/y', 'GET /y '],
    ['/blog//y', 'GET /y '],
    ['/re/a', 'GET /a '],
    ['/re', 'GET / '],
    ['/red', 'GET /red '],
    ['/shop/c', 'GET /store/7/c '],
  ])('%s reaches the upstream as %s', async (path, expected) => {
    expect(await body(path)).toBe(expected);
  });

  it('of a subdirectory rule without its slash sends a browser to the slash', async () => {
    const answer = await get('/blog', ['Accept: text/html']);
    expect(answer.head).toMatch(/^HTTP\/1\.1 302 Found\r\n/);
    expect(answer.head).toContain('location: /blog/');
    expect(answer.head).toContain('cache-control: no-store');
    expect(answer.body).toBe('');
  });

  it('brings the headers of its rule', async () => {
    await get('/shop/c');
    expect(lastSeen()?.headers).toMatchObject({
      ...{ host: `127.0.0.1:${upstream.port}`, 'x-forwarded-host': 's.test', 'x-forwarded-prefix': '/shop' },
      ...{
        forwarded: 'for=127.0.0.1;host="s.test";proto=http',
        via: '1.1 homeport-test',
        'cdn-loop': 'homeport-test',
      },
    });
  });

  it('goes to the upper one of two rules that fit, and to the other one after a move, without a restart', async () => {
    const [one, two] = [
      { path: '/a', target: `${upstream.origin}/one` },
      { path: '/a', target: `${upstream.origin}/two` },
    ];
    plane.put('order.test', upstream.origin, [one, two]);
    expect(await body('/a', ['Host: order.test'])).toBe('GET /one/a ');
    plane.put('order.test', upstream.origin, [two, one]);
    expect(await body('/a', ['Host: order.test'])).toBe('GET /two/a ');
  });
});

describe('a malformed request', () => {
  const host = 'Host: example.test\r\n';
  it.each([
    ['a broken escape', `GET /% HTTP/1.1\r\n${host}\r\n`],
    ['a NUL', `GET /%00 HTTP/1.1\r\n${host}\r\n`],
    ['an encoded way out', `GET /blog/%2e%2e%2fq HTTP/1.1\r\n${host}\r\n`],
    ['a fragment', `GET /x#f HTTP/1.1\r\n${host}\r\n`],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['two Hosts', `GET / HTTP/1.1\r\n${host}${host}\r\n`],
    ['another host in the absolute form', `GET http://other.test/ HTTP/1.1\r\n${host}\r\n`],
    [
      'Content-Length and Transfer-Encoding',
      `POST /e HTTP/1.1\r\n${host}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'two equal Content-Lengths',
      `POST /e HTTP/1.1\r\n${host}Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc`,
    ],
    ['a signed Content-Length', `POST /e HTTP/1.1\r\n${host}Content-Length: +3\r\n\r\nabc`],
    ['a list as Content-Length', `POST /e HTTP/1.1\r\n${host}Content-Length: 3, 3\r\n\r\nabc`],
    [
      'Transfer-Encoding on HTTP/1.0',
      `POST /e HTTP/1.0\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a space before the colon', `POST /e HTTP/1.1\r\n${host}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`],
    [
      'Transfer-Encoding twice',
      `POST /e HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a folded header', `GET / HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`],
    ['a bare LF in the head', 'GET / HTTP/1.1\nHost: example.test\n\n'],
  ])('with %s is answered 400 and closed, and the upstream sees nothing', async (_what, bytes) => {
    const before = upstream.seen.length;
    const text = await sendRaw(plane.port, bytes);
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(upstream.seen.length).toBe(before);
  });

  it('with a chunk size in C notation never becomes a finished body', async () => {
    const text = await sendRaw(
      plane.port,
      `POST /e HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n0\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });

  it.each([
    ['501 Not Implemented', `POST /e HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['505 HTTP Version Not Supported', `GET / HTTP/2.0\r\n${host}\r\n`],
    ['431 Request Header Fields Too Large', `GET / HTTP/1.1\r\n${host}${'X: 1\r\n'.repeat(200)}\r\n`],
    ['431 Request Header Fields Too Large', `GET / HTTP/1.1\r\n${host}X: ${'x'.repeat(33 * 1024)}\r\n\r\n`],
    ['414 URI Too Long', `GET /${'x'.repeat(8_192)} HTTP/1.1\r\n${host}\r\n`],
    ['405 Method Not Allowed', 'CONNECT h.test:443 HTTP/1.1\r\nHost: h.test:443\r\n\r\n'],
    ['405 Method Not Allowed', `TRACE / HTTP/1.1\r\n${host}\r\n`],
    ['417 Expectation Failed', `POST /e HTTP/1.1\r\n${host}Expect: x\r\nContent-Length: 0\r\n\r\n`],
    ['421 Misdirected Request', 'GET / HTTP/1.1\r\nHost: no.test\r\nConnection: close\r\n\r\n'],
    ['204 No Content', `OPTIONS * HTTP/1.1\r\n${host}Connection: close\r\n\r\n`],
  ])('is answered %s where that says more', async (status, bytes) => {
    const text = await sendRaw(plane.port, bytes);
    expect(text.slice(0, text.indexOf('\r\n'))).toBe(`HTTP/1.1 ${status}`);
  });
});

describe('a visitor', () => {
  it('finds the site whatever case, port and last dot the Host has', async () => {
    expect(await body('/x', ['Host: EXAMPLE.test.:81'])).toBe('GET /x ');
    expect(await body('http://example.test/blog/q')).toBe('GET /q ');
  });

  it('who expects 100-continue gets it only where a rule takes the request', async () => {
    const head = 'POST /e HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n';
    const text = await sendRaw(plane.port, `${head}Host: example.test\r\n\r\nabc`);
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    expect(text).toContain('POST /e abc');
    const refused = await sendRaw(plane.port, `${head}Host: no.test\r\n\r\nabc`);
    expect(refused).toMatch(/^HTTP\/1\.1 421 /);
  });

  it('cannot say who he is', async () => {
    await get('/x', [
      'X-Forwarded-For: 6.6.6.6',
      'X_Forwarded_For: 7.7.7.7',
      'Forwarded: for=8.8.8.8',
      'X-Real-IP: 9.9.9.9',
    ]);
    const raw = lastSeen()?.rawHeaders.join(' ') ?? '';
    expect(lastSeen()?.headers['x-forwarded-for']).toBe('127.0.0.1');
    expect(raw).not.toMatch(/6\.6\.6\.6|7\.7\.7\.7|8\.8\.8\.8|9\.9\.9\.9|x_forwarded/i);
  });

  it('and an upstream keep the headers of their connections to themselves', async () => {
    const answer = await get('/hop', ['Connection: x-drop, close', 'X-Drop: 1', 'X-Kept: 1']);
    expect(lastSeen()?.headers).not.toHaveProperty('x-drop');
    expect(lastSeen()?.headers).toHaveProperty('x-kept');
    expect([...answer.headers.keys()]).not.toEqual(expect.arrayContaining(['x-h']));
    expect([...answer.headers.keys()]).not.toEqual(expect.arrayContaining(['alt-svc']));
    expect(answer.headers.get('x-kept')).toEqual(['1']);
  });

  it.each([
    ['a length', 'Connection: close, Content-Length'],
    ['a length in other letters', 'Connection: close, content_length, CONTENT-LENGTH'],
    ['a host', 'Connection: close, Host'],
  ])('that names %s in Connection does not hide a second request in the first', async (_what, connection) => {
    const hidden = 'GET /hidden HTTP/1.1\r\nHost: example.test\r\n\r\n';
    const before = upstream.seen.length;
    const headers = [connection, `Content-Length: ${hidden.length}`];
    const answer = await request(plane.port, 'POST /first', headers, hidden);
    expect(answer.body).toBe(`POST /first ${hidden}`);
    await get('/after');
    expect(upstream.seen.slice(before).map(({ url }) => url)).toEqual(['/first', '/after']);
  });

  it('may send two requests at once and gets two answers in order', async () => {
    const one = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: example.test\r\n${more}\r\n`;
    const text = await sendRaw(plane.port, one('/first') + one('/second', 'Connection: close\r\n'));
    expect(text.match(/GET \/(?:first|second)/g)).toEqual(['GET /first', 'GET /second']);
  });

  it('that sends a malformed request after a good one gets the good one’s answer first', async () => {
    const text = await sendRaw(
      plane.port,
      'GET /first HTTP/1.1\r\nHost: example.test\r\n\r\nGET /second HTTP/1.1\r\nHost : x\r\n\r\n',
    );
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(text.indexOf('GET /first')).toBeLessThan(text.indexOf('HTTP/1.1 400'));
  });

  it.each([
    ['a head that trickles', ['GET / HTTP/1.1\r\nHo']],
    ['nothing', []],
    ['a body that stops', ['POST /e HTTP/1.1\r\nHost: example.test\r\nContent-Length: 10\r\n\r\nabc']],
  ])('with %s is answered 408 and closed', async (_what, bytes) => {
    expect(await sendRaw(hasty.port, bytes)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });
});

describe('a page of a subdirectory rule', () => {
  it('gets the snippet and its base, and a weak tag', async () => {
    const answer = await get('/blog/page');
    expect(answer.body).toBe(changedPage);
    expect(answer.headers.get('transfer-encoding')).toEqual(['chunked']);
    expect(answer.headers.get('etag')?.[0]).toMatch(/^W\/"e1-hp[0-9a-f]{8}"$/);
    expect(answer.headers.has('content-length')).toBe(false);
  });

  it.each(['?slow', '?coding=gzip', '?coding=br', '?coding=gzip&slow', '?coding=br&slow'])(
    'is the same with %s',
    async (query) => {
      const answer = await get(`/blog/page${query}`, ['Accept-Encoding: zstd, gzip, br']);
      expect(answer.body).toBe(changedPage);
      expect(answer.headers.has('content-encoding')).toBe(false);
      expect(lastSeen()?.headers['accept-encoding']).toBe('gzip, br');
    },
  );

  it('has no length in a HEAD, and the same tag', async () => {
    const tag = (await get('/blog/page')).headers.get('etag');
    const answer = await request(plane.port, 'HEAD /blog/page');
    expect(answer.headers.get('etag')).toEqual(tag);
    expect(answer.headers.has('content-length')).toBe(false);
    expect(answer.body).toBe('');
  });

  it('is asked for again by its own tag', async () => {
    const tag = (await get('/blog/page')).headers.get('etag')?.[0];
    await get('/blog/page', [`If-None-Match: ${tag}`]);
    expect(lastSeen()?.headers['if-none-match']).toBe('W/"e1"');
    await get('/blog/page', ['If-None-Match: W/"e1-hp00000000"']);
    expect(lastSeen()?.headers['if-none-match']).toBeUndefined();
  });

  it('gets no part of the page that its website sends, where the visitor names a tag of the changed one', async () => {
    const tag = (await get('/blog/page')).headers.get('etag')?.[0];
    await get('/blog/page', ['Range: bytes=5-', `If-Range: ${tag}`]);
    // Its website knows no such tag, so it sends the whole page.
    expect(lastSeen()?.headers).toMatchObject({ range: 'bytes=5-', 'if-range': tag });
  });

  it('has the snippet in real markup only', async () => {
    expect(await body('/blog/tricky')).toBe(
      '<script>"</head>"</script><!-- </head> --><style></head></style><a title="</head>"></a><i>1</i></head>',
    );
    expect(await body('/blog/style')).toBe('a{b:"</head>"}');
    expect(await body('/blog/part')).toBe('</head>ab');
  });

  it('gets links and no snippet where a script asks for a part', async () => {
    expect(await body('/blog/page', ['HX-Request: true'])).toBe(changedPage.replace('<i>1</i>', ''));
  });

  it('keeps its cookies to itself', async () => {
    const answer = await get('/shop/cookies');
    expect(answer.headers.get('set-cookie')).toEqual([
      'a=1; Path=/shop',
      'b=2; Path=/shop/x',
      '__Host-c=3; Path=/; Secure',
      'd=4; Path=/shop',
    ]);
  });

  it.each([
    ['/login', '/blog/login'],
    ['/blog/a', '/blog/a'],
    ['a', 'a'],
    ['https://else.test/', 'https://else.test/'],
  ])('leads on to %s as %s', async (url, expected) => {
    expect((await get(`/blog/to?u=${encodeURIComponent(url)}`)).headers.get('location')).toEqual([expected]);
  });

  it('leads on to its own origin as the merged domain', async () => {
    const url = encodeURIComponent(`${upstream.origin}/a?x#y`);
    expect((await get(`/blog/to?u=${url}`)).headers.get('location')).toEqual([
      'http://example.test/blog/a?x#y',
    ]);
  });
});

describe('an upstream', () => {
  /** Speaks raw bytes: one answer for each connection, in turn. */
  async function rawUpstream(answers: readonly ((socket: Socket, asked: number, text: string) => void)[]) {
    let nth = 0;
    const sockets = new Set<Socket>();
    const server = createTcpServer((socket) => {
      sockets.add(socket);
      const answer = answers[Math.min(nth, answers.length - 1)];
      nth += 1;
      socket.on('error', () => undefined);
      let asked = 0;
      socket.on('data', (chunk: Buffer) => {
        asked += 1;
        answer?.(socket, asked, chunk.toString('latin1'));
      });
    });
    const port = await listen(server);
    const close = () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    };
    return { origin: `http://127.0.0.1:${port}`, close, connections: () => nth };
  }
  const at = (host: string) => [`Host: ${host}`];

  it('that refuses, is silent, or says what no answer may is told with 502 and 504', async () => {
    const closed = await startUpstream((_req, res) => res.end());
    await closed.close();
    plane.put('refuses.test', closed.origin);
    expect(await get('/', at('refuses.test'))).toMatchObject({ status: 502, body: 'refused\n' });

    const silent = await rawUpstream([() => undefined]);
    hasty.put('silent.test', silent.origin);
    expect(await request(hasty.port, 'GET /', at('silent.test'))).toMatchObject({
      status: 504,
      body: 'timeout\n',
    });
    silent.close();

    for (const [bytes, status] of [
      ['HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 502],
      ['HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc', 502],
      [`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20 * 1024)}\r\n\r\n`, 502],
      ['HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n', 502],
      ['garbage\r\n\r\n', 502],
    ] as const) {
      const bad = await rawUpstream([
        (socket) => socket.write(bytes),
        (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
      ]);
      plane.put('bad.test', bad.origin);
      expect((await get('/', at('bad.test'))).status, bytes.slice(0, 60)).toBe(status);
      expect((await get('/', at('bad.test'))).body, bytes.slice(0, 60)).toBe('ok');
      bad.close();
    }
  });

  it('that dies in the middle of a body leaves the answer cut', async () => {
    const dying = await rawUpstream([
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabcd'),
    ]);
    plane.put('dies.test', dying.origin);
    const answer = await get('/', at('dies.test'));
    expect(answer).toMatchObject({ status: 200, body: 'abcd' });
    dying.close();
  });

  it('that closes a reused connection is asked once more, and a POST never', async () => {
    const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
    const once = (socket: Socket, asked: number) =>
      asked === 1 ? void socket.write(ok) : void socket.destroy();
    const tired = await rawUpstream([once]);
    plane.put('tired.test', tired.origin);
    expect((await get('/', at('tired.test'))).body).toBe('ok');
    expect((await get('/', at('tired.test'))).body).toBe('ok');
    expect(tired.connections()).toBe(2);
    tired.close();

    let posts = 0;
    const takesNoPost = (socket: Socket, _asked: number, text: string) => {
      if (text.startsWith('POST')) posts += 1;
      if (text.startsWith('POST')) socket.destroy();
      else socket.write(ok);
    };
    const choosy = await rawUpstream([takesNoPost]);
    plane.put('choosy.test', choosy.origin);
    expect((await get('/', at('choosy.test'))).body).toBe('ok');
    const posted = await request(plane.port, 'POST /', [...at('choosy.test'), 'Content-Length: 3'], 'abc');
    expect(posted).toMatchObject({ status: 502, body: 'connection_lost\n' });
    expect(posts).toBe(1);
    choosy.close();
  });

  it('that hangs takes no other site down', async () => {
    const silent = await rawUpstream([() => undefined]);
    const busy = await startPlane({ upstreamHeadMs: 3_000 });
    busy.put('hangs.test', silent.origin);
    busy.put('example.test', upstream.origin);
    const ask = (path: string, host: string) => request(busy.port, `GET ${path}`, at(host));
    const hanging = Array.from({ length: 150 }, (_, index) => ask(`/${index}`, 'hangs.test'));
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('/x', 'example.test')));
    expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(['GET /x ']));
    expect(new Set((await Promise.all(hanging)).map(({ status }) => status))).toEqual(new Set([504]));
    await busy.close();
    silent.close();
  });
});

it('counts what visitors did, by rule', async () => {
  plane.use.take();
  plane.put('counted.test', upstream.origin, [{ id: 'blog', path: '/blog', target: upstream.origin }]);
  await get('/blog', ['Host: counted.test']);
  await get('/', ['Host: counted.test']);
  const use = plane.use.take().filter(({ proxyId }) => proxyId === 'counted.test');
  expect(use.map(({ rule, requests }) => [rule, requests])).toEqual([
    ['blog', 1],
    ['source', 1],
  ]);
  expect(use[0]?.bytes).toBe('GET /blog '.length);
});

it('ends one request, not the process, when the code of that request fails', async () => {
  const { find } = plane.table;
  plane.table.find = (domain) => {
    if (domain === 'broken.test') throw new Error('broken');
    return find(domain);
  };
  expect(readAnswer((await get('/', ['Host: broken.test'])).text)).toMatchObject({
    status: 500,
    body: 'failed\n',
  });
  expect(plane.failures).toHaveLength(1);
  expect(await body('/x')).toBe('GET /x ');
  plane.table.find = find;
});

it('keeps the old rules when the new ones cannot be served', async () => {
  plane.put('last-good.test', upstream.origin);
  expect(plane.put('last-good.test', 'gopher://x')).toBe('source source target_scheme');
  expect(await body('/x', ['Host: last-good.test'])).toBe('GET /x ');
});
