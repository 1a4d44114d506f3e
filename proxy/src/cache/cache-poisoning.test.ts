import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { request } from '../testing/raw-request.ts';
import { startPlane, startUpstream, type TestPlane, type TestUpstream } from '../testing/start-plane.ts';

// What a visitor with bad intentions tries with the cache: to put an answer there that others get, or to turn it off for them.

let upstream: TestUpstream;
let plane: TestPlane;
let answer: (req: IncomingMessage, res: ServerResponse) => void = (_req, res) => res.end();
let path = '/';
let count = 0;

beforeAll(async () => {
  upstream = await startUpstream((req, res) => answer(req, res));
  plane = await startPlane();
  plane.put('example.test', upstream.origin);
});
afterAll(async () => {
  await plane.close();
  await upstream.close();
});
beforeEach(() => {
  count += 1;
  path = `/case-${count}`;
  upstream.seen.length = 0;
});

const get = (headers: readonly string[] = []) => request(plane.port, `GET ${path}`, headers);
const asked = () => upstream.seen.length;
const keeps = { 'cache-control': 'max-age=60' };

describe('an answer for an odd request goes to nobody else', () => {
  it.each([
    ['Accept-Language', 'de'],
    ['Origin', 'https://app.test'],
    ['User-Agent', 'a browser'],
    ['Cookie', 'theme=dark'],
  ])('where the visitor has %s taken off its way', async (name, value) => {
    answer = (req, res) =>
      res.writeHead(200, { ...keeps, vary: name }).end(`for ${req.headers[name.toLowerCase()]}`);
    const text = `Connection: close, ${name}\r\n${name}: ${value}`;
    expect((await get([text])).body).toBe('for undefined');
    expect((await get([`${name}: ${value}`])).body).toBe(`for ${value}`);
  });

  it('where a header that counts once comes twice', async () => {
    answer = (req, res) => {
      const told = req.rawHeaders.filter((_text, index) =>
        /^user-agent$/i.test(req.rawHeaders[index - 1] ?? ''),
      );
      res.writeHead(200, { ...keeps, vary: 'User-Agent' }).end(`for ${told.at(-1)}`);
    };
    expect((await get(['User-Agent: browser', 'User-Agent: phone'])).body).toBe('for phone');
    expect((await get(['User-Agent: browser'])).body).toBe('for browser');
    expect((await get(['User-Agent: browser'])).body).toBe('for browser');
    expect(asked()).toBe(2);
  });

  it.each(['X-Forwarded-For', 'Forwarded', 'Via', 'CF-Connecting-IP', 'X-Real-IP, X-Forwarded-For'])(
    'where the website tells apart who asks, by %s',
    async (vary) => {
      answer = (req, res) =>
        res.writeHead(200, { ...keeps, vary }).end(`for ${req.headers['x-forwarded-for']}`);
      expect((await get()).body).toBe('for 127.0.0.1');
      expect(await getFrom('127.0.0.2')).toBe('for 127.0.0.2');
    },
  );

  it('where the website tells apart what is one for all of them: it is kept', async () => {
    const vary = 'X-Forwarded-Host, X-Forwarded-Proto, Host, X-Forwarded-Prefix';
    answer = (_req, res) => res.writeHead(200, { ...keeps, vary }).end('ok');
    await get(['X-Forwarded-Proto: https']);
    await get();
    expect(asked()).toBe(1);
  });

  it('where another method stands in a header, however the header is spelled', async () => {
    answer = (req, res) => {
      const names = Object.keys(req.headers).map((name) => name.replaceAll('_', '-'));
      res.writeHead(200, keeps).end(names.includes('x-http-method-override') ? 'changed' : 'plain');
    };
    for (const name of ['X_HTTP_Method_Override', 'X-HTTP_Method-Override']) await get([`${name}: DELETE`]);
    expect((await get()).body).toBe('plain');
  });
});

describe('nobody turns the cache off for others', () => {
  it.each([
    ['with a condition of its own', 412, 'If-Match: "x"'],
    ['with a condition of time', 412, 'If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT'],
    ['with a head that is too long for the website', 431, `X-Long: ${'x'.repeat(9_000)}`],
    ['with a type that the website does not have', 406, 'Accept: none/none'],
    ['with an origin that the website forbids', 403, 'Origin: https://evil.test'],
    ['with what the website calls malformed', 400, 'X-Bad: \x80'],
    ['with a header twice that counts once', 200, 'User-Agent: a\r\nUser-Agent: b'],
  ])('%s', async (_what, status, header) => {
    answer = (req, res) => {
      const { headers } = req;
      const isOdd =
        headers['if-match'] ??
        headers['if-unmodified-since'] ??
        headers['x-long'] ??
        headers.origin ??
        headers['x-bad'];
      const isBad = isOdd !== undefined || headers.accept === 'none/none';
      if (isBad) res.writeHead(status).end();
      else res.writeHead(200, { ...keeps, vary: 'User-Agent' }).end('ok');
    };
    expect((await get([header])).status).toBe(status);
    await get();
    await get();
    expect(asked()).toBe(2);
  });

  it('and who waits behind such a visitor goes on as soon as that one is answered', async () => {
    let refuse: (() => void) | undefined;
    answer = (req, res) => {
      if (req.headers.origin) refuse = () => res.writeHead(403).end();
      else res.writeHead(200, keeps).end('ok');
    };
    const evil = get(['Origin: https://evil.test']);
    await expect.poll(() => refuse !== undefined).toBe(true);
    const others = Promise.all([get(), get(), get()]);
    refuse?.();
    expect((await evil).status).toBe(403);
    expect((await others).map(({ body }) => body)).toEqual(['ok', 'ok', 'ok']);
  });
});

/** Asks from another address of this machine. */
function getFrom(localAddress: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { host: 'example.test' };
    httpRequest(
      { ...{ port: plane.port, path, host: '127.0.0.1', localAddress, headers, agent: false } },
      (res) => {
        let body = '';
        res.setEncoding('latin1').on('data', (text: string) => {
          body += text;
        });
        res.once('end', () => resolve(body));
      },
    )
      .once('error', reject)
      .end();
  });
}
