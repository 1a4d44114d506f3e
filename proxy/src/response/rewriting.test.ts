import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../testing/raw-request.ts';
import { startPlane, startUpstream, type TestPlane, type TestUpstream } from '../testing/start-plane.ts';

let upstream: TestUpstream;
let plane: TestPlane;
let type = 'text/css';
let sent: Buffer = Buffer.alloc(0);
/** The body goes out byte by byte. */
let isSlow = false;

const words = '<i title="é">ü€😀</i><script>a = "é😀"</script>é<style>b::after { content: "éa" }</style>';
const inUtf8 = Buffer.from(words).toString('latin1');
const inAscii =
  '<i title="&#233;">&#252;&#8364;&#128512;</i><script>a = "\\u00e9\\ud83d\\ude00"</script>&#233;' +
  '<style>b::after { content: "\\e9 a" }</style>';

beforeAll(async () => {
  upstream = await startUpstream((_req, res) => {
    res.writeHead(200, { 'content-type': type });
    if (isSlow) for (const byte of sent) res.write(Buffer.from([byte]));
    res.end(isSlow ? undefined : sent);
  });
  plane = await startPlane();
  plane.put('example.test', upstream.origin, [
    { path: '/blog', type: 'subdirectory', target: upstream.origin, injection: '<i>1</i>' },
    { path: '/words', target: upstream.origin, injection: words },
  ]);
});
afterAll(async () => {
  await plane.close();
  await upstream.close();
});

async function changed(as: string, body: string | Buffer, path = '/blog/x'): Promise<string> {
  type = as;
  sent = Buffer.from(body);
  isSlow = false;
  const whole = (await request(plane.port, `GET ${path}`)).body;
  isSlow = true;
  expect((await request(plane.port, `GET ${path}`)).body).toBe(whole);
  return whole;
}

describe('a stylesheet of a subdirectory rule', () => {
  it.each([
    ['a{b:url(/c.png)}', 'a{b:url(/blog/c.png)}'],
    [`a{b:url( "/c.png" ) url('d.png')}`, `a{b:url( "/blog/c.png" ) url('d.png')}`],
    ['@import "/a.css";b{}', '@import "/blog/a.css";b{}'],
    [
      `@import  '/a.css' screen;@import url(/b.css);`,
      `@import  '/blog/a.css' screen;@import url(/blog/b.css);`,
    ],
    ['a{content:"/x"}@import "https://else.test/a.css"', 'a{content:"/x"}@import "https://else.test/a.css"'],
    ['@import "/open', '@import "/blog/open'],
  ])('%s has its base back, in any pieces', async (before, after) => {
    expect(await changed('text/css', before)).toBe(after);
  });
});

it('a list of images has the base at each image', async () => {
  const page = '<head></head><img srcset="/a.png 1x, /b.png 2x,c.png 3x"><link imagesrcset="/d.png">';
  expect(await changed('text/html', page)).toBe(
    '<head><i>1</i></head><img srcset="/blog/a.png 1x, /blog/b.png 2x,c.png 3x"><link imagesrcset="/blog/d.png">',
  );
});

it.each(['utf-16le', '"UCS-2"', "'unicode'", 'csISO2022JP', 'hz-gb-2312'])(
  'a page in %s passes byte for byte, because its bytes are not ASCII',
  async (charset) => {
    const page = Buffer.from('<head></head><a href="/p">p</a>', 'utf16le');
    expect(await changed(`text/html; charset=${charset}`, page)).toBe(page.toString('latin1'));
    // The same bytes as a page of ASCII would be changed.
    const ascii = '<head></head><a href="/p">p</a>';
    expect(await changed(`text/html; charset=${charset}`, ascii)).toBe(ascii);
  },
);

describe('the words of a snippet', () => {
  const far = ' '.repeat(2_000);
  it.each([
    ['UTF-8 by its headers', 'text/html; charset=UTF-8', '<meta charset="windows-1252">'],
    ['UTF-8 by a meta element', 'text/html', '<!doctype html><html><META CharSet = utf-8>'],
    [
      'UTF-8 by an older meta element',
      'text/html',
      `<meta http-equiv='Content-Type' content='a/b; charset=utf8'/>`,
    ],
    ['UTF-8 by its mark', 'text/html; charset=iso-8859-1', '\xef\xbb\xbf<meta charset="iso-8859-1">'],
  ])('stand as they are in a page that is %s', async (_what, as, begin) => {
    const page = Buffer.from(`${begin}<head></head>`, 'latin1');
    expect(await changed(as, page, '/words')).toBe(`${begin}<head>${inUtf8}</head>`);
  });

  it.each([
    ['says another charset in its headers', 'text/html; charset=windows-1252', '<meta charset="utf-8">'],
    [
      'says another charset in a meta element',
      'text/html',
      '<meta charset="windows-1252"><meta charset="utf-8">',
    ],
    ['says none', 'text/html', '<metadata charset="utf-8">'],
    ['says one in a comment only', 'text/html', '<!-- a > b <meta charset="utf-8"> -->'],
    ['says one too late for a browser', 'text/html', `${far}<meta charset="utf-8">`],
  ])('are written in ASCII in a page that %s', async (_what, as, begin) => {
    expect(await changed(as, `${begin}<head></head>`, '/words')).toBe(`${begin}<head>${inAscii}</head>`);
    expect(await changed(as, begin, '/words')).toBe(`${begin}${inAscii}`);
  });

  it.each(['\xff\xfe', '\xfe\xff'])(
    'stay out of a page whose mark %j says that it is UTF-16',
    async (mark) => {
      const page = Buffer.from(`${mark}<head></head>`, 'latin1');
      for (const path of ['/words', '/blog/x'])
        expect(await changed('text/html', page, path)).toBe(page.toString('latin1'));
    },
  );
});

it('a changed page keeps its own tag when its website says that it is the same, so that a new snippet is seen', async () => {
  const website = await startUpstream((req, res) => {
    const isSame = req.headers['if-none-match']?.includes('"e1"') === true;
    res.writeHead(isSame ? 304 : 200, {
      ...{ etag: '"e1"', 'last-modified': 'Mon, 05 Jan 2026 08:00:00 GMT', 'content-type': 'text/html' },
    });
    res.end(isSame ? undefined : '<head></head>');
  });
  const put = (injection: string) =>
    plane.put('tags.test', website.origin, [{ path: '/', target: website.origin, injection }]);
  const ask = (tag: string) =>
    request(plane.port, 'GET /page', ['Host: tags.test', ...(tag === '' ? [] : [`If-None-Match: ${tag}`])]);
  put('<i>1</i>');
  const [tag = ''] = (await ask('')).headers.get('etag') ?? [];
  const same = await ask(tag);
  expect([same.status, same.headers.get('etag'), same.headers.get('last-modified')]).toEqual([
    304,
    [tag],
    undefined,
  ]);
  put('<i>2</i>');
  expect((await ask(tag)).body).toBe('<head><i>2</i></head>');
  // What is not changed has the tag that its website gave.
  expect((await ask('"e1"')).headers.get('etag')).toEqual(['"e1"']);
  await website.close();
});

it('a visitor whose page is older than the snippet gets the page anew, and a picture is asked for as before', async () => {
  const website = await startUpstream((req, res) => {
    const { 'if-none-match': tag, 'if-modified-since': since } = req.headers;
    const isSame = tag !== undefined || since !== undefined;
    res
      .writeHead(isSame ? 304 : 200, { 'content-type': 'text/html' })
      .end(isSame ? undefined : '<head></head>');
  });
  plane.put('older.test', website.origin, [{ path: '/', target: website.origin, injection: '<i>1</i>' }]);
  const send = async (line: string, accept: string, ...asked: string[]) =>
    (await request(plane.port, line, ['Host: older.test', `Accept: ${accept}`, ...asked])).status;
  const ask = (...of: [accept: string, ...asked: string[]]) => send('GET /page', ...of);
  const since = 'If-Modified-Since: Mon, 05 Jan 2026 08:00:00 GMT';
  const page = 'text/html,application/xhtml+xml,*/*;q=0.8';
  expect(await ask(page, 'If-None-Match: "e1"', since)).toBe(200);
  expect(await ask(page, since)).toBe(200);
  expect(await ask('image/*', 'If-None-Match: "e1"')).toBe(304);
  expect(await ask('*/*', since)).toBe(304);
  // A change under a condition stays one.
  expect(await send('PUT /page', page, 'If-None-Match: *')).toBe(304);
  await website.close();
});

describe('the length of a page with a snippet', () => {
  const snippet = '<i>1</i>';
  const filled = (bytes: number) => 'words '.repeat(bytes / 6);
  let website: TestUpstream;
  let page = '';
  let isCut = false;
  let isInBytes = false;
  let kept = {};
  beforeAll(async () => {
    website = await startUpstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/html', 'content-length': page.length, ...kept });
      if (isCut) res.write(page.slice(0, -100), 'latin1', () => res.destroy());
      else if (isInBytes) void writeBytes(res, page);
      else res.end(page, 'latin1');
    });
    plane.put('length.test', website.origin, [{ path: '/', target: website.origin, injection: snippet }]);
  });
  afterAll(() => website.close());
  const ask = (path = '/') => request(plane.port, `GET ${path}`, ['Host: length.test']);

  it.each([
    ['a short page', `<head></head>${filled(600)}`],
    ['a page of one piece', `<head>${filled(5_000)}</head>${filled(9_000)}`],
    ['a page of many pieces', `<head></head>${filled(300_000)}`],
    ['an empty head behind a mark of UTF-16', `\xff\xfe<head></head>${filled(600)}`],
  ])('is told for %s', async (_what, body) => {
    page = body;
    const after = body.startsWith('<') ? body.replace('</head>', `${snippet}</head>`) : body;
    for (const path of ['/', '/again']) {
      const answer = await ask(path);
      expect(answer.headers.get('content-length')).toEqual([String(after.length)]);
      expect(answer.headers.has('transfer-encoding')).toBe(false);
      expect(answer.body === after).toBe(true);
    }
  });

  it('is right for a page of which a part of a tag comes alone', async () => {
    page = `<!doctype html><head></head>${filled(60)}`;
    isInBytes = true;
    const answer = await ask('/bytes');
    isInBytes = false;
    const after = page.replace('</head>', `${snippet}</head>`);
    expect(answer.body).toBe(after);
    expect(answer.headers.get('content-length')).toEqual([String(after.length)]);
  });

  it('is the same for a page from the cache', async () => {
    kept = { 'cache-control': 'public, max-age=60' };
    page = `<head></head>${filled(3_000)}`;
    for (const status of ['stored', 'hit']) {
      const answer = await ask('/kept');
      expect(answer.headers.get('cache-status')?.join()).toContain(status);
      expect(answer.headers.get('content-length')).toEqual([String(page.length + snippet.length)]);
      expect(answer.body).toBe(page.replace('</head>', `${snippet}</head>`));
    }
    kept = {};
  });

  it('is not told for a page that has no place for the snippet but its end', async () => {
    page = filled(600);
    const answer = await ask();
    expect(answer.headers.get('transfer-encoding')).toEqual(['chunked']);
    expect(answer.body).toBe(page + snippet);
  });

  it('shows a visitor that a page was cut', async () => {
    page = `<head></head>${filled(3_000)}`;
    isCut = true;
    const answer = await ask('/cut');
    isCut = false;
    expect(answer.headers.get('content-length')).toEqual([String(page.length + snippet.length)]);
    expect(answer.body.length).toBe(page.length + snippet.length - 100);
  });
});

/** Each piece goes out alone: the next one waits for the system to have taken it, and for a turn of the proxy. */
async function writeBytes(res: ServerResponse, text: string): Promise<void> {
  // The first tag in two parts. Nothing of it may go out before its end.
  for (const piece of [text.slice(0, 4), text.slice(4, 30), text.slice(30)]) {
    await new Promise((resolve) => res.write(piece, 'latin1', resolve));
    await pause(50);
  }
  res.end();
}
