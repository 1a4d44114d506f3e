import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../testing/raw-request.ts';
import { startPlane, startUpstream, type TestPlane, type TestUpstream } from '../testing/start-plane.ts';

let upstream: TestUpstream;
let plane: TestPlane;
let type = 'text/css';
let sent: Buffer = Buffer.alloc(0);
/** The body goes out byte by byte. */
let isSlow = false;

beforeAll(async () => {
  upstream = await startUpstream((_req, res) => {
    res.writeHead(200, { 'content-type': type });
    if (isSlow) for (const byte of sent) res.write(Buffer.from([byte]));
    res.end(isSlow ? undefined : sent);
  });
  plane = await startPlane();
  plane.put('example.test', upstream.origin, [
    { path: '/blog', type: 'subdirectory', target: upstream.origin, injection: '<i>1</i>' },
  ]);
});
afterAll(async () => {
  await plane.close();
  await upstream.close();
});

async function changed(as: string, body: string | Buffer): Promise<string> {
  type = as;
  sent = Buffer.from(body);
  isSlow = false;
  const whole = (await request(plane.port, 'GET /blog/x')).body;
  isSlow = true;
  expect((await request(plane.port, 'GET /blog/x')).body).toBe(whole);
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
