import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readAnswer, request, sendRaw } from '../testing/raw-request.ts';
import { startPlane, startUpstream, type TestPlane, type TestUpstream } from '../testing/start-plane.ts';
import { cacheBounds } from './cache.ts';

let upstream: TestUpstream;
let plane: TestPlane;
/** What the upstream answers next, and how it waits before that. */
let headers: OutgoingHttpHeaders = {};
let gate: Promise<void> = Promise.resolve();
let path = 0;
let status = 200;

beforeAll(async () => {
  upstream = await startUpstream(async (req, res) => {
    const count = upstream.seen.length;
    await gate;
    if (req.headers['if-none-match'] === headers.etag && headers.etag !== undefined)
      return void res.writeHead(304, headers).end();
    res
      .writeHead(status, { 'content-type': 'text/plain', ...headers })
      .end(`${req.url} ${count} ${'x'.repeat(100)}`);
  });
  plane = await startPlane({}, { cacheBounds: { ...cacheBounds, bytes: 40_000, answerBytes: 5_000 } });
  plane.put('example.test', upstream.origin, [
    { path: '/html', type: 'subdirectory', target: upstream.origin, injection: '<i>1</i>' },
  ]);
});
afterAll(async () => {
  await plane.close();
  await upstream.close();
});
beforeEach(() => {
  headers = { 'cache-control': 'max-age=60' };
  gate = Promise.resolve();
  path += 1;
  status = 200;
  upstream.seen.length = 0;
});
afterEach(() => void vi.restoreAllMocks());

/** Lets this much time pass for what is kept, in seconds. */
function pass(seconds: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + seconds * 1_000);
}

const get = (more: readonly string[] = [], line = `GET /p${path}`) => request(plane.port, line, more);
const asked = () => upstream.seen.length;
/** Two visitors in turn: how many of them the upstream saw. */
async function askTwice(more: readonly string[] = []): Promise<number> {
  await get(more);
  await get(more);
  return asked();
}

describe('an answer is kept', () => {
  it('as long as its upstream says, with its age and what the cache did', async () => {
    const first = await get();
    expect(first.headers.get('cache-status')).toEqual(['Homeport; fwd=uri-miss; stored']);
    const second = await get();
    expect(second).toMatchObject({ status: 200, body: first.body });
    expect(second.headers.get('cache-status')).toEqual(['Homeport; hit']);
    expect(second.headers.get('age')).toEqual(['0']);
    expect(asked()).toBe(1);
  });

  it('for HEAD, conditions and ranges too', async () => {
    headers.etag = '"v1"';
    const { body } = await get();
    expect((await get([], `HEAD /p${path}`)).headers.get('content-length')).toEqual([String(body.length)]);
    expect((await get(['If-None-Match: W/"v1"'])).status).toBe(304);
    const part = await get(['Range: bytes=1-3']);
    expect(part).toMatchObject({ status: 206, body: body.slice(1, 4) });
    expect(part.headers.get('content-range')).toEqual([`bytes 1-3/${body.length}`]);
    expect((await get(['Range: bytes=9000-'])).status).toBe(416);
    expect(asked()).toBe(1);
  });

  it('for each wording of its address, because the website was asked in these words', async () => {
    status = 404;
    const odd = await get([], `GET /%61bout${path}`);
    status = 200;
    const plain = await get([], `GET /about${path}`);
    expect([odd.status, plain.status]).toEqual([404, 200]);
    expect((await get([], `GET /%61bout${path}`)).body).toBe(odd.body);
    expect((await get([], `GET /about${path}`)).body).toBe(plain.body);
    expect(upstream.seen.map(({ url }) => url)).toEqual([`/%61bout${path}`, `/about${path}`]);
    for (const wording of ['a%2fb', 'a%2Fb', 'a%c3%a9', 'a%C3%A9']) await get([], `GET /${wording}${path}`);
    expect(asked()).toBe(6);
  });

  it('once for all forms of its host', async () => {
    for (const host of [
      'example.test',
      'EXAMPLE.test',
      'example.test.',
      'example.test:80',
      'Example.Test.:080',
    ])
      await get([`Host: ${host}`]);
    expect(asked()).toBe(1);
    expect(upstream.seen[0]?.headers['x-forwarded-host']).toBe('example.test');
    await get(['Host: EXAMPLE.test.:8080']);
    expect(upstream.seen[1]?.headers['x-forwarded-host']).toBe('example.test:8080');
  });

  it('for each coding that visitors take, where a compressed answer does not say so', async () => {
    headers['content-encoding'] = 'x-odd';
    await get(['Accept-Encoding: x-odd']);
    await get(['Accept-Encoding: x-odd']);
    expect(asked()).toBe(1);
    await get();
    expect(asked()).toBe(2);
  });

  it('for each value of the headers that it varies on', async () => {
    headers.vary = 'Accept-Language';
    await get(['Accept-Language: de']);
    await get(['Accept-Language: en']);
    await get(['Accept-Language: de']);
    await get(['Accept-Language: en']);
    expect(asked()).toBe(2);
  });

  it.each<[string, OutgoingHttpHeaders]>([
    ['s-maxage before max-age', { 'cache-control': 'max-age=0, s-maxage=60' }],
    ['CDN-Cache-Control before both', { 'cache-control': 'no-store', 'cdn-cache-control': 'max-age=60' }],
    [
      'an Expires in the future',
      { 'cache-control': 'public', expires: new Date(Date.now() + 60_000).toUTCString() },
    ],
  ])('by %s', async (_what, given) => {
    headers = given;
    expect(await askTwice()).toBe(1);
  });
});

describe('an answer is not kept', () => {
  it.each<[string, OutgoingHttpHeaders]>([
    ['without explicit freshness', { 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' }],
    ['with no-store', { 'cache-control': 'no-store, max-age=60' }],
    ['with No-Cache in any case', { 'cache-control': 'No-Cache, max-age=60' }],
    ['with private', { 'cache-control': 'private, max-age=60' }],
    ['with a cookie', { 'cache-control': 'max-age=60', 'set-cookie': 'a=1' }],
    ['with * anywhere in Vary', { 'cache-control': 'max-age=60', vary: 'Accept, *' }],
    ['with an Expires that is no IMF date', { expires: 'Friday, 31-Dec-99 23:59:59 GMT' }],
    ['with an Age that is no number', { 'cache-control': 'max-age=60', age: 'new' }],
    ['when it is older than its lifetime already', { 'cache-control': 'max-age=60', age: '61' }],
    ['as a stream of events', { 'cache-control': 'max-age=60', 'content-type': 'text/event-stream' }],
  ])('%s', async (_what, given) => {
    headers = given;
    expect(await askTwice()).toBe(2);
  });

  it('for a person, unless it is meant for everybody', async () => {
    expect(await askTwice(['Authorization: Bearer x'])).toBe(2);
    headers['content-type'] = 'text/html';
    path += 1;
    expect(await askTwice(['Cookie: a=1'])).toBe(4);
    headers['cache-control'] = 'public, max-age=60';
    path += 1;
    expect(await askTwice(['Cookie: a=1'])).toBe(5);
  });

  it.each(['Cookie: a=1', 'Authorization: Bearer x'])(
    'of whatever type, and by whatever lifetime, for a request with %s',
    async (person) => {
      const types = [undefined, 'text/html', 'application/json', 'text/plain', 'image/png', 'text/css'];
      const lifetimes: OutgoingHttpHeaders[] = [
        { 'cache-control': 'max-age=60' },
        { 'cache-control': 'max-age=60, must-revalidate' },
        { expires: new Date(Date.now() + 60_000).toUTCString() },
      ];
      for (const type of types)
        for (const lifetime of lifetimes) {
          path += 1;
          upstream.seen.length = 0;
          headers = { ...lifetime, ...(type !== undefined && { 'content-type': type }) };
          const alice = await get([person]);
          expect((await get()).body, `${type}`).not.toBe(alice.body);
          // Nor does somebody get what was made for nobody.
          expect((await get([person])).body).not.toBe(alice.body);
          expect(asked()).toBe(3);
          await get();
          expect(asked()).toBe(3);
        }
    },
  );

  it.each(['cookie;x', 'Accept Encoding', 'a,b c', '"accept"'])(
    'with a Vary that nobody can read: %s',
    async (vary) => {
      headers.vary = vary;
      expect(await askTwice()).toBe(2);
    },
  );

  it('when it is larger than the bound, and the visitor gets it whole', async () => {
    expect((await get([], 'GET /large?q=1')).status).toBe(200);
    headers['x-large'] = 'y'.repeat(9_000);
    const answers = Array.from({ length: 60 }, (_, index) => get([], `GET /many${index}`));
    await Promise.all(answers);
    expect(plane.cache.bytes).toBeLessThanOrEqual(40_000);
  });
});

describe('a kept answer goes', () => {
  it('with a change by the same address', async () => {
    await get();
    await get(['Content-Length: 0'], `POST /p${path}`);
    await get();
    expect(asked()).toBe(3);
  });

  it('with a change of its rule', async () => {
    const at = ['Host: changed.test'];
    plane.put('changed.test', upstream.origin, [{ path: '/a', target: upstream.origin }]);
    await get(at, 'GET /a');
    await get(at, 'GET /a');
    expect(asked()).toBe(1);
    plane.put('changed.test', upstream.origin, [
      { path: '/a', target: upstream.origin, proxyPathPrefix: '/new' },
    ]);
    expect((await get(at, 'GET /a')).body).toMatch(/^\/new\/a /);
  });

  it('with a purge of its beginning, for one scheme, and never for a longer host', async () => {
    const front = await startPlane({}, { trusted: ['127.0.0.1'] });
    for (const domain of ['one.test', 'one.test.evil.test']) front.put(domain, upstream.origin);
    const ask = (domain: string, proto: string, line = 'GET /blog/a') =>
      request(front.port, line, [`Host: ${domain}`, `X-Forwarded-Proto: ${proto}`]);
    const all = () =>
      Promise.all([
        ask('one.test', 'http'),
        ask('one.test', 'https'),
        ask('one.test.evil.test', 'http'),
        ask('one.test', 'http', 'GET /c'),
      ]);
    await all();
    expect(await front.cache.purge('http://one.test')).toBe(2);
    expect(await front.cache.purge('one.test')).toBeNull();
    await all();
    expect(asked()).toBe(6);
    expect(await front.cache.purge('http://one.test/blog/')).toBe(1);
    await front.close();
  });

  it('with a purge of its domain, on whatever port and with whatever last dot visitors name', async () => {
    const front = await startPlane();
    front.put('one.test', upstream.origin);
    const ask = () => request(front.port, 'GET /blog/a', ['Host: one.test:7080']);
    await ask();
    expect(await front.cache.purge('http://one.test/blog/')).toBe(1);
    await ask();
    expect(await front.cache.purge('http://one.test:7080/blog/')).toBe(1);
    await ask();
    expect(await front.cache.purge('http://one.test:70/')).toBe(0);
    for (const host of ['one.test.', 'ONE.test.:7080'])
      await request(front.port, 'GET /dot', [`Host: ${host}`]);
    expect(await front.cache.purge('http://one.test/dot')).toBe(2);
    await front.close();
  });

  it('with a purge of its path, in whatever words visitors name the path', async () => {
    const front = await startPlane();
    front.put('one.test', upstream.origin, [
      { path: '/blog', target: upstream.origin, injection: '<i>1</i>' },
    ]);
    const ask = (at: string, more: string[] = []) =>
      request(front.port, `GET ${at}`, ['Host: one.test', ...more]);
    for (const at of ['/bl%6Fg/a', '/bl%6fg/%c3%a9?%61', '/blog/b', '/blogger']) await ask(at);
    await ask('/bl%6Fg/a', ['HX-Request: true']);
    expect(await front.cache.purge('http://one.test/bl%6fg/%C3%A9?%62')).toBe(0);
    expect(await front.cache.purge('http://one.test/bl%6fg/')).toBe(4);
    expect(await front.cache.purge('http://one.test/')).toBe(1);
    await front.close();
  });

  it('before it is kept, when it was fetched before the purge', async () => {
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const fetched = get();
    await expect.poll(asked).toBe(1);
    await plane.cache.purge('http://example.test/');
    open();
    await fetched;
    await get();
    expect(asked()).toBe(2);
  });

  it('before it is kept, also when a visitor who wants a new answer asks beside', async () => {
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const fetched = get();
    await expect.poll(asked).toBe(1);
    const anew = get(['Cache-Control: no-cache']);
    await expect.poll(asked).toBe(2);
    await plane.cache.purge('http://example.test/');
    open();
    await Promise.all([fetched, anew]);
    await get();
    expect(asked()).toBe(3);
  });
});

it('keeps the newer of two answers when the older one ends last', async () => {
  let open: () => void = () => undefined;
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const older = get();
  await expect.poll(asked).toBe(1);
  gate = Promise.resolve();
  const newer = await get(['Cache-Control: no-cache']);
  open();
  expect((await older).body).not.toBe(newer.body);
  expect((await get()).body).toBe(newer.body);
  expect(asked()).toBe(2);
});

it('keeps no answer beyond an account’s half of the room for answers under way, passes it on whole, and frees the room', async () => {
  let open: () => void = () => undefined;
  const [most, rest] = ['x'.repeat(4_000), 'y'.repeat(1_000)];
  const site = await startUpstream(async (_req, res) => {
    res.writeHead(200, headers).write(most);
    await gate;
    res.end(rest);
  });
  const front = await startPlane({}, { cacheBounds: { ...cacheBounds, underWayBytes: 14_000 } });
  front.put('slow.test', site.origin);
  const begun = new Set<string>();
  const ask = async (name: string) => {
    const bytes = `GET /${name} HTTP/1.1\r\nHost: slow.test\r\nConnection: close\r\n\r\n`;
    const text = await sendRaw(front.port, bytes, (so) => {
      if (so.includes(most)) begun.add(name);
      return false;
    });
    return readAnswer(text);
  };
  for (const round of [1, 2]) {
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const both = [ask(`a${round}`), ask(`b${round}`)];
    await expect.poll(() => begun.has(`a${round}`) && begun.has(`b${round}`)).toBe(true);
    expect(site.seen.length).toBe(3 * round - 1);
    open();
    for (const { body } of await Promise.all(both)) expect(body).toBe(most + rest);
    // One of the two was kept.
    await ask(`a${round}`);
    await ask(`b${round}`);
    expect(site.seen.length).toBe(3 * round);
  }
  await front.close();
  await site.close();
});

it('asks the upstream whether an old answer still holds, when a visitor wants a new one', async () => {
  headers.etag = '"v1"';
  const first = await get();
  const second = await get(['Cache-Control: no-cache']);
  expect(second).toMatchObject({ status: 200, body: first.body });
  expect(upstream.seen.at(-1)?.headers['if-none-match']).toBe('"v1"');
  // Once a second for one address is enough.
  await get(['Cache-Control: no-cache']);
  expect(asked()).toBe(2);
});

it('fetches once for many visitors at the same time', async () => {
  let open: () => void = () => undefined;
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const visitors = Array.from({ length: 30 }, () => get());
  await expect.poll(asked).toBe(1);
  open();
  const bodies = new Set((await Promise.all(visitors)).map(({ body }) => body));
  expect(bodies.size).toBe(1);
  expect(asked()).toBe(1);
});

it('waits for the body of an answer longer than for its head', async () => {
  let end: () => void = () => undefined;
  let fetches = 0;
  const slow = await startUpstream((_req, res) => {
    fetches += 1;
    res.writeHead(200, { 'cache-control': 'max-age=60' }).write('begun ');
    end = () => res.end('ended');
  });
  plane.put('slow.test', slow.origin);
  const both = [0, 1].map(() => request(plane.port, 'GET /', ['Host: slow.test']));
  await expect.poll(() => fetches).toBe(1);
  // The wait for a head is over.
  await new Promise((resolve) => setTimeout(resolve, 1_300));
  expect(fetches).toBe(1);
  end();
  expect((await Promise.all(both)).map(({ body }) => body)).toEqual(['begun ended', 'begun ended']);
  await slow.close();
});

it('keeps a page with its snippet apart from the part that a script asks for', async () => {
  headers['content-type'] = 'text/html';
  const part = await get(['HX-Request: true'], 'GET /html/x');
  const page = await get([], 'GET /html/x');
  expect(part.body).not.toContain('<i>1</i>');
  expect(page.body).toContain('<i>1</i>');
});

describe('an answer that is too old', () => {
  it('is given while it is fetched anew, where its upstream says so, and the next visitor gets the new one', async () => {
    headers = { 'cache-control': 'max-age=10, stale-while-revalidate=60' };
    const first = await get();
    pass(12);
    const old = await get();
    expect(old.body).toBe(first.body);
    expect(old.headers.get('cache-status')).toEqual(['Homeport; hit; ttl=-2']);
    await expect.poll(asked).toBe(2);
    await expect.poll(async () => (await get()).body).not.toBe(first.body);
    expect(asked()).toBe(2);
  });

  it('is fetched anew for nobody: without the cookie and the credentials of whoever gets the old one', async () => {
    headers = { 'cache-control': 'public, max-age=10, stale-while-revalidate=60', vary: 'X-Kind' };
    const kind = ['X-Kind: a', 'Accept-Language: de'];
    const first = await get(kind);
    pass(12);
    const person = [
      'Cookie: alice=1',
      'Authorization: Bearer alice',
      'X-Api-Key: alice',
      'Referer: http://a.test/',
    ];
    expect((await get([...kind, ...person])).body).toBe(first.body);
    await expect.poll(asked).toBe(2);
    const anew = upstream.seen.at(-1);
    expect(anew?.rawHeaders.join('\n')).not.toMatch(/alice|referer/i);
    expect(anew?.headers).toMatchObject({ 'x-kind': 'a', 'accept-language': 'de' });
    await expect.poll(async () => (await get(kind)).body).not.toBe(first.body);
    expect(asked()).toBe(2);
  });

  it('is not given first where nobody but its person can ask for it anew', async () => {
    headers = { 'cache-control': 'public, max-age=10, stale-while-revalidate=60', vary: 'Cookie' };
    const first = await get(['Cookie: a=1']);
    pass(12);
    expect((await get(['Cookie: a=1'])).body).not.toBe(first.body);
  });

  it('is fetched anew once, however many get it meanwhile', async () => {
    headers = { 'cache-control': 'max-age=10, stale-while-revalidate=60', etag: '"v1"' };
    const first = await get();
    pass(12);
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const bodies = await Promise.all(Array.from({ length: 10 }, async () => (await get()).body));
    expect(new Set(bodies)).toEqual(new Set([first.body]));
    await expect.poll(asked).toBe(2);
    expect(upstream.seen.at(-1)?.headers['if-none-match']).toBe('"v1"');
    open();
    await expect.poll(async () => (await get()).headers.get('cache-status')).toEqual(['Homeport; hit']);
    expect(asked()).toBe(2);
  });

  it.each([
    ['after that time', 'max-age=10, stale-while-revalidate=5, stale-if-error=5', 20],
    ['with must-revalidate', 'max-age=10, stale-while-revalidate=60, must-revalidate', 12],
    ['without a word about it', 'max-age=10', 12],
  ])('is not given %s', async (_what, control, seconds) => {
    headers = { 'cache-control': control };
    const first = await get();
    pass(seconds);
    expect((await get()).body).not.toBe(first.body);
  });

  it('is given in place of an error of its upstream, where the upstream says so', async () => {
    headers = { 'cache-control': 'max-age=10, stale-if-error=60' };
    const first = await get();
    pass(12);
    status = 503;
    headers = {};
    expect(await get()).toMatchObject({ status: 200, body: first.body });
    status = 404;
    expect((await get()).status).toBe(404);
  });

  it('is given when its upstream does not answer', async () => {
    const gone = await startUpstream((_req, res) =>
      res.writeHead(200, { 'cache-control': 'max-age=10, stale-if-error=60' }).end('kept'),
    );
    plane.put('gone.test', gone.origin);
    const ask = (line = 'GET /') => request(plane.port, line, ['Host: gone.test']);
    await ask();
    await gone.close();
    pass(12);
    expect(await ask()).toMatchObject({ status: 200, body: 'kept' });
    expect((await ask('GET /other')).status).toBe(502);
  });
});
