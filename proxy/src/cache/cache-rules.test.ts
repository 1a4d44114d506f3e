import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RawAnswer, request } from '../testing/raw-request.ts';
import { startPlane, startUpstream, type TestPlane, type TestUpstream } from '../testing/start-plane.ts';

/**
 * The rules of RFC 9111, 9211, 9213 and 5861 that a shared cache is held to, one case each. A website answers as the case says; what is
 * told is whether a second visitor costs a second request.
 */

type Line = readonly [name: string, value: string];
type Told = { status?: number; headers: readonly Line[]; body?: string };

let upstream: TestUpstream;
let plane: TestPlane;
let told: readonly Told[] = [];
let path = '/';
let count = 0;

beforeAll(async () => {
  upstream = await startUpstream((req, res) => {
    const nth = upstream.seen.length - 1;
    const {
      status = 200,
      headers,
      body = `body ${nth}`,
    } = told[Math.min(nth, told.length - 1)] ?? { headers: [] };
    res.sendDate = !headers.some(([name]) => name.toLowerCase() === 'date');
    const asked = req.headers['if-none-match'] ?? req.headers['if-modified-since'];
    const isSame = asked !== undefined && headers.some(([, value]) => value === asked);
    res.writeHead(isSame ? 304 : status, headers.flat());
    res.end(isSame || req.method === 'HEAD' || status === 204 ? '' : body);
  });
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
afterEach(() => void vi.restoreAllMocks());

/** Lets this much time pass for what is kept, in seconds. */
function pass(seconds: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + seconds * 1_000);
}
const ask = (headers: readonly string[] = [], method = 'GET', at = path): Promise<RawAnswer> =>
  request(plane.port, `${method} ${at}`, headers);
const asked = () => upstream.seen.length;
const date = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString();
const control = (value: string): Line => ['Cache-Control', value];
const always: Line = control('max-age=3600');

/** Whether a second visitor gets what the first one got. */
async function isKept(
  headers: readonly Line[],
  { status = 200, first = [], second = [] }: { status?: number; first?: string[]; second?: string[] } = {},
): Promise<boolean> {
  told = [{ status, headers }];
  const one = await ask(first);
  expect(one.status).toBe(status);
  const two = await ask(second);
  expect(two.status).toBe(status);
  const kept = asked() === 1;
  expect(two.body === one.body).toBe(kept || status === 204);
  return kept;
}

describe('the lifetime of an answer', () => {
  it.each<[string, boolean, readonly Line[]]>([
    ['max-age', true, [always]],
    ['max-age in any case', true, [control('MaX-aGe=3600')]],
    ['max-age with leading zeros', true, [control('max-age=003600')]],
    ['max-age of 2,147,483,647', true, [control('max-age=2147483647')]],
    ['max-age of 2,147,483,648', true, [control('max-age=2147483648')]],
    ['max-age of 99,999,999,999', true, [control('max-age=99999999999')]],
    ['max-age beside an extension', true, [control('foobar, max-age=3600')]],
    ['max-age beside an Expires that has passed', true, [always, ['Expires', date(-7_200)]]],
    ['max-age beside an Expires that is no date', true, [always, ['Expires', '0']]],
    ['max-age of 0', false, [control('max-age=0')]],
    ['max-age of 0 beside an Expires in the future', false, [control('max-age=0'), ['Expires', date(3_600)]]],
    ['a negative max-age', false, [control('max-age=-3600')]],
    ['a max-age in single quotes', false, [control("max-age='3600'")]],
    ['a max-age that begins with a letter', false, [control('max-age=a100')]],
    ['a max-age with a space after its sign', false, [control('max-age= 3600')]],
    [
      'a max-age inside of another value, before the own one',
      false,
      [control('extension="max-age=3600", max-age=0')],
    ],
    [
      'a max-age inside of another value, after the own one',
      false,
      [control('max-age=0, extension="max-age=3600"')],
    ],
    ['two that differ, the shorter first', false, [control('max-age=0, max-age=3600')]],
    ['two that differ, the longer first', false, [control('max-age=3600, max-age=0')]],
    ['two that differ on two lines', false, [always, control('max-age=0')]],
    ['s-maxage', true, [control('s-maxage=3600')]],
    ['a longer s-maxage', true, [control('max-age=0, s-maxage=3600')]],
    [
      'a longer s-maxage beside a passed Expires',
      true,
      [['Expires', date(-10)], control('max-age=0, s-maxage=3600')],
    ],
    ['a shorter s-maxage', false, [control('max-age=3600, s-maxage=0')]],
    ['a shorter s-maxage in front', false, [control('s-maxage=0, max-age=3600')]],
    ['a shorter s-maxage on a line of its own', false, [always, control('s-maxage=0')]],
    ['an Expires in the future', true, [['Expires', date(3_600)]]],
    [
      'an Expires in the future beside a Date that is none',
      true,
      [
        ['Expires', date(3_600)],
        ['Date', 'foo'],
      ],
    ],
    ['an Expires far in the future', true, [['Expires', 'Sun, 21 Nov 2286 04:46:39 GMT']]],
    ['an Expires that has passed', false, [['Expires', date(-7_200)]]],
    [
      'an Expires of now',
      false,
      [
        ['Date', date(0)],
        ['Expires', date(0)],
      ],
    ],
    [
      'an Expires before a Date that is fast',
      false,
      [
        ['Date', date(7_200)],
        ['Expires', date(3_600)],
      ],
    ],
    ['an Expires of 0', false, [['Expires', '0']]],
    ['an Expires in UTC', false, [['Expires', date(3_600).replace('GMT', 'UTC')]]],
    ['an Expires of another zone', false, [['Expires', date(3_600).replace('GMT', 'AEST')]]],
    ['an Expires without its comma', false, [['Expires', date(3_600).replace(',', '')]]],
    ['an Expires with two spaces', false, [['Expires', date(3_600).replaceAll(' ', '  ')]]],
    ['an Expires with dashes', false, [['Expires', date(3_600).replace(/(\d+) (\w+) (\d+)/, '$1-$2-$3')]]],
    ['an Expires with dots in its time', false, [['Expires', date(3_600).replaceAll(':', '.')]]],
    [
      'an Expires on two lines',
      false,
      [
        ['Expires', date(-3_600)],
        ['Expires', date(3_600)],
      ],
    ],
    ['nothing explicit', false, [['Last-Modified', date(-1_000_000)]]],
  ])('by %s: kept is %s', async (_what, expected, headers) => {
    expect(await isKept(headers)).toBe(expected);
  });

  it('ends', async () => {
    for (const headers of [
      [control('max-age=2')],
      [control('s-maxage=2')],
      [['Expires', date(2)]],
    ] as Line[][]) {
      told = [{ headers }];
      path += 'x';
      upstream.seen.length = 0;
      await ask();
      pass(3);
      await ask();
      expect(asked()).toBe(2);
      vi.restoreAllMocks();
    }
  });
});

describe('the age that an answer came with', () => {
  it.each<[string, boolean, readonly Line[]]>([
    ['above its max-age', false, [always, ['Age', '7200']]],
    [
      'above what Expires leaves',
      false,
      [
        ['Expires', date(3_600)],
        ['Age', '7200'],
      ],
    ],
    ['below its max-age', true, [always, ['Age', '60']]],
    ['of 0', true, [always, ['Age', '0']]],
    ['of 2,147,483,647', false, [always, ['Age', '2147483647']]],
    ['of 2,147,483,649', false, [always, ['Age', '2147483649']]],
    ['with a parameter', false, [always, ['Age', '7200;foo=bar']]],
    ['told twice, old first', false, [always, ['Age', '7200, 0']]],
    ['told twice, old last', true, [always, ['Age', '0, 7200']]],
    ['told twice on two lines, old first', false, [always, ['Age', '7200'], ['Age', '0']]],
    ['told twice on two lines, old last', true, [always, ['Age', '0'], ['Age', '7200']]],
    ['told twice alike', true, [always, ['Age', '60, 60']]],
    ['that is no number', false, [always, ['Age', 'abc']]],
    ['below 0', false, [always, ['Age', '-7200']]],
    ['with a point', false, [always, ['Age', '7200.0']]],
  ])('%s: kept is %s', async (_what, expected, headers) => {
    expect(await isKept(headers)).toBe(expected);
  });

  it('is told on, and grows', async () => {
    told = [{ headers: [always, ['Age', '60'], ['Date', date(0)], ['Expires', date(3_600)]] }];
    const first = await ask();
    pass(5);
    const second = await ask();
    expect(second.headers.get('age')).toEqual(['65']);
    for (const name of ['date', 'expires']) expect(second.headers.get(name)).toEqual(first.headers.get(name));
  });
});

describe('a directive of an answer', () => {
  it.each<[string, boolean, readonly Line[]]>([
    ['private', false, [control('private, max-age=3600')]],
    ['no-store', false, [control('no-store')]],
    ['No-StOrE', false, [control('No-StOrE, max-age=3600')]],
    [
      'no-store beside max-age and Expires',
      false,
      [control('max-age=3600, no-store'), ['Expires', date(3_600)]],
    ],
    [
      'no-cache beside max-age and Expires',
      false,
      [control('max-age=3600, no-cache'), ['Expires', date(3_600)]],
    ],
    ['No-CaChE', false, [control('max-age=3600, No-CaChE')]],
    ['no-cache on another line', false, [always, control('no-cache')]],
    ['must-revalidate', true, [control('max-age=3600, must-revalidate')]],
    ['immutable', true, [control('max-age=3600, immutable')]],
    ['Pragma: no-cache, which only requests have', true, [always, ['Pragma', 'no-cache']]],
    ['an unknown Pragma', true, [always, ['Pragma', 'foo']]],
    ['Set-Cookie', false, [always, ['Set-Cookie', 'a=1']]],
    ['Content-Disposition', true, [always, ['Content-Disposition', 'attachment']]],
  ])('%s: kept is %s', async (_what, expected, headers) => {
    expect(await isKept(headers)).toBe(expected);
  });
});

describe('CDN-Cache-Control', () => {
  const cdn = (value: string): Line => ['CDN-Cache-Control', value];
  it.each<[string, boolean, readonly Line[]]>([
    ['max-age', true, [cdn('max-age=3600')]],
    ['max-age of 99,999,999,999', true, [cdn('max-age=99999999999')]],
    ['max-age beside an extension', true, [cdn('foobar, max-age=3600')]],
    ['max-age beside a passed Expires', true, [cdn('max-age=3600'), ['Expires', date(-10)]]],
    ['max-age over no-store for others', true, [control('no-store'), cdn('max-age=3600')]],
    ['a long max-age over a short one for others', true, [control('max-age=0'), cdn('max-age=3600')]],
    ['max-age of 0', false, [cdn('max-age=0')]],
    ['max-age of 0 beside an Expires in the future', false, [cdn('max-age=0'), ['Expires', date(3_600)]]],
    ['a short max-age under a long one for others', false, [always, cdn('max-age=0')]],
    ['an Age above its max-age', false, [cdn('max-age=3600'), ['Age', '7200']]],
    ['private', false, [always, cdn('private')]],
    ['no-cache', false, [always, cdn('no-cache')]],
    ['no-store', false, [always, cdn('no-store')]],
    ['what is no structured field', false, [control('no-store'), cdn('max-age=3600, &&&&&')]],
    ['a max-age of another type', false, [control('no-store'), cdn('max-age="3600"')]],
    ['a space before the sign of its max-age', false, [control('no-store'), cdn('max-age =3600')]],
  ])('%s: kept is %s', async (_what, expected, headers) => {
    expect(await isKept(headers)).toBe(expected);
  });
});

describe('a request', () => {
  it.each<[string, boolean, string[]]>([
    ['no-cache', false, ['Cache-Control: no-cache']],
    ['no-store', false, ['Cache-Control: no-store']],
    ['max-age=0', false, ['Cache-Control: max-age=0']],
    ['Pragma: no-cache', false, ['Pragma: no-cache']],
    ['an unknown Pragma', true, ['Pragma: foo']],
    ['a Cookie', false, ['Cookie: a=1']],
  ])('with %s: gets what is kept is %s', async (_what, expected, second) => {
    expect(await isKept([always], { second })).toBe(expected);
  });

  it('with only-if-cached gets 504 where nothing is kept', async () => {
    told = [{ headers: [always] }];
    expect((await ask(['Cache-Control: only-if-cached'])).status).toBe(504);
    expect(asked()).toBe(0);
  });

  it('with Authorization is answered for others only where the website allows it', async () => {
    const first = ['Authorization: Bearer x'];
    expect(await isKept([always], { first })).toBe(false);
    for (const [more, expected] of [
      ['public', true],
      ['s-maxage=3600', true],
      ['must-revalidate', false],
      ['x="public"', false],
      ['publicly', false],
    ] as const) {
      path += 'a';
      upstream.seen.length = 0;
      expect(await isKept([control(`max-age=3600, ${more}`)], { first }), more).toBe(expected);
    }
  });

  it('with another query is for another answer, and with the same one for the same', async () => {
    told = [{ headers: [always] }];
    await ask([], 'GET', `${path}?a=1`);
    await ask([], 'GET', `${path}?a=2`);
    await ask([], 'GET', `${path}?a=1`);
    expect(asked()).toBe(2);
  });
});

describe('a status', () => {
  it.each([200, 203, 204, 299, 301, 302, 303, 307, 308, 400, 404, 410, 499, 500, 502, 503, 504, 599])(
    'of %s is never given when it is too old',
    async (status) => {
      told = [{ status, headers: [control('max-age=2')] }];
      await ask();
      pass(3);
      await ask();
      expect(asked()).toBe(2);
    },
  );

  it.each([200, 203, 204, 301, 302, 307, 308, 404, 410])('of %s is kept with a lifetime', async (status) => {
    expect(await isKept([always], { status })).toBe(true);
  });

  it('that nobody knows is not kept with must-understand', async () => {
    expect(await isKept([control('max-age=3600, no-store, must-understand')], { status: 599 })).toBe(false);
  });

  it('before the last one is not kept and has no headers in what is', async () => {
    const early = await startUpstream((_req, res) => {
      res.writeEarlyHints({ link: '</a.css>; rel=preload', 'x-early': '1' });
      res.writeHead(200, { 'cache-control': 'max-age=60' }).end('final');
    });
    plane.put('early.test', early.origin);
    for (let left = 2; left > 0; left -= 1) {
      const { body, text } = await ask(['Host: early.test']);
      expect(body).toBe('final');
      expect(text).not.toMatch(/x-early/);
    }
    expect(early.seen).toHaveLength(1);
    await early.close();
  });
});

describe('Vary', () => {
  const vary = (...values: string[]): Line[] => [always, ...values.map((value) => ['Vary', value] as const)];
  it.each([['*'], ['*, *'], [', *'], ['*, Foo'], ['Foo, *'], ['*', '*'], ['', '*']])(
    'of %s %s keeps nothing',
    async (...values) => {
      expect(await isKept(vary(...values))).toBe(false);
    },
  );

  it.each<[boolean, string, string[], string[]]>([
    [true, 'Foo', ['Foo: 1'], ['Foo: 1']],
    [true, 'Foo', ['Foo: 1', 'Other: 2'], ['Foo: 1', 'Other: 3']],
    [false, 'Foo', ['Foo: 1'], ['Foo: 2']],
    [false, 'Foo', [], ['Foo: 1']],
    [false, 'Foo', ['Foo: 1'], []],
    [true, 'Foo, Bar', ['Foo: 1', 'Bar: a'], ['Bar: a', 'Foo: 1']],
    [false, 'Foo, Bar', ['Foo: 1', 'Bar: a'], ['Foo: 2', 'Bar: a']],
    [false, 'Foo, Bar', ['Foo: 1', 'Bar: a'], ['Foo: 1']],
    [true, 'Foo, Bar, Baz', ['Foo: 1', 'Bar: a'], ['Foo: 1', 'Bar: a']],
    [false, 'Foo, Bar, Baz', ['Foo: 1', 'Bar: a', 'Baz: z'], ['Foo: 2', 'Bar: a', 'Baz: z']],
    [false, 'Foo, Bar, Baz', ['Foo: 1', 'Bar: a', 'Baz: z'], ['Bar: abcde', 'Foo: 1', 'Baz: z']],
    [true, 'Foo', ['Foo: 1', 'Foo: 2'], ['Foo: 1, 2']],
  ])('kept is %s: %s, first %j, then %j', async (expected, value, first, second) => {
    expect(await isKept(vary(value), { first, second })).toBe(expected);
  });

  it('asks again with the headers that the answer varies on', async () => {
    told = [{ headers: [control('max-age=2'), ['Vary', 'Foo'], ['ETag', '"a"']] }];
    await ask(['Foo: 1']);
    pass(3);
    await ask(['Foo: 1']);
    expect(upstream.seen.at(-1)?.headers).toMatchObject({ foo: '1', 'if-none-match': '"a"' });
  });

  it('on several lines still counts after a 304 that leaves it out', async () => {
    const tag: Line = ['ETag', '"a"'];
    const varied: Line[] = [control('max-age=2'), ['Vary', 'Foo'], ['Vary', 'Bar'], tag];
    told = [{ headers: varied }, { headers: [always, tag] }, { headers: varied }];
    await ask(['Foo: 1', 'Bar: a']);
    pass(3);
    await ask(['Foo: 1', 'Bar: a']);
    expect((await ask(['Foo: 1', 'Bar: a'])).body).toBe('body 0');
    expect((await ask(['Foo: 2', 'Bar: a'])).body).toBe('body 2');
  });
});

describe('a condition', () => {
  const tagged = (tag: string): Line[] => [always, ['ETag', tag]];
  it.each<[string, string, string, number]>([
    ['the same tag', '"a"', '"a"', 304],
    ['a weak form of the tag', '"a"', 'W/"a"', 304],
    ['the tag of a weak one', 'W/"a"', '"a"', 304],
    ['several tags, the right one first', '"a"', '"a", "b", "c"', 304],
    ['several tags, the right one in the middle', '"a"', '"b", "a", "c"', 304],
    ['several tags, the right one last', '"a"', '"b", "c", "a"', 304],
    ['*', '"a"', '*', 304],
    ['another tag', '"a"', '"b"', 200],
  ])('of %s is answered from what is kept', async (_what, tag, condition, status) => {
    told = [{ headers: tagged(tag) }];
    await ask();
    const answer = await ask([`If-None-Match: ${condition}`]);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('etag')).toEqual([tag]);
    expect(asked()).toBe(1);
  });

  it('of a tag goes before one of a time', async () => {
    told = [{ headers: [...tagged('"a"'), ['Last-Modified', date(-10_000)]] }];
    await ask();
    const answer = await ask(['If-None-Match: "b"', `If-Modified-Since: ${date(0)}`]);
    expect(answer.status).toBe(200);
  });

  it.each([0, 3_000])(
    'of a time is answered from what is kept: %i s after its last change',
    async (after) => {
      told = [{ headers: [always, ['Last-Modified', date(-10_000)]] }];
      await ask();
      expect((await ask([`If-Modified-Since: ${date(-10_000 + after)}`])).status).toBe(304);
      expect(asked()).toBe(1);
    },
  );

  it('of a visitor about what is kept here makes the cache ask, so that others gain', async () => {
    told = [{ headers: [control('max-age=10'), ['ETag', '"a"'], ['Test', '1']] }];
    await ask();
    pass(12);
    told = [{ headers: [control('max-age=100'), ['ETag', '"a"'], ['Test', '2']] }];
    expect((await ask(['If-None-Match: "a"'])).status).toBe(304);
    const third = await ask();
    expect(third).toMatchObject({ status: 200, body: 'body 0' });
    expect(third.headers.get('test')).toEqual(['2']);
    expect(asked()).toBe(2);
  });

  it('of a visitor about something else passes as it is', async () => {
    told = [{ headers: [control('max-age=10'), ['ETag', '"a"']] }];
    await ask();
    pass(12);
    told = [{ headers: [control('max-age=10'), ['ETag', '"b"']] }];
    expect((await ask(['If-None-Match: "b"'])).status).toBe(304);
    expect(upstream.seen.at(-1)?.headers['if-none-match']).toBe('"b"');
  });

  it('passes where nothing is kept, and its 304 is kept by nobody', async () => {
    told = [{ headers: tagged('"a"') }];
    expect((await ask(['If-None-Match: "a"'])).status).toBe(304);
    expect(await ask()).toMatchObject({ status: 200, body: 'body 1' });
  });
});

describe('an answer that is too old', () => {
  it.each<[string, Line, string, string]>([
    ['a strong tag', ['ETag', '"a"'], 'if-none-match', '"a"'],
    ['a weak tag', ['ETag', 'W/"a"'], 'if-none-match', 'W/"a"'],
    [
      'a time',
      ['Last-Modified', 'Wed, 01 Jan 2020 00:00:00 GMT'],
      'if-modified-since',
      'Wed, 01 Jan 2020 00:00:00 GMT',
    ],
  ])('is asked for again by %s, and given again', async (_what, validator, name, value) => {
    told = [{ headers: [control('max-age=2'), validator] }];
    await ask();
    pass(3);
    const again = await ask();
    expect(again).toMatchObject({ status: 200, body: 'body 0' });
    expect(again.headers.get('cache-status')).toEqual(['Homeport; hit; detail=revalidated']);
    expect(upstream.seen.at(-1)?.headers[name]).toBe(value);
  });

  it('gets the headers of the 304, and keeps those that the 304 leaves out', async () => {
    const before: Line[] = [
      ['Test', '1'],
      ['X-Test', '1'],
      ['Content-Foo', '1'],
      ['Left', 'out'],
      ['Content-Type', 'text/plain'],
      ['Content-Security-Policy', "default-src 'self'"],
      ['Link', '</a>; rel=next'],
      ['Link', '</b>; rel=prev'],
    ];
    const after: Line[] = [
      ['Test', '2'],
      ['X-Test', '2'],
      ['Content-Foo', '2'],
      ['Content-Length', '10'],
      ['Content-Encoding', 'gzip'],
      ['Content-Security-Policy', "default-src 'none'"],
      ['Link', '</c>; rel=next'],
      ['Connection', 'x-hop'],
      ['X-Hop', '1'],
    ];
    told = [
      { headers: [...before, control('max-age=2'), ['ETag', '"a"']] },
      { headers: [...after, control('max-age=3600'), ['ETag', '"a"']] },
    ];
    await ask();
    pass(3);
    // What the 304 said holds for the visitor who caused it, and for the next one.
    for (let left = 2; left > 0; left -= 1) {
      const { headers, body } = await ask();
      expect(body).toBe('body 0');
      for (const name of ['test', 'x-test', 'content-foo']) expect(headers.get(name)).toEqual(['2']);
      expect(headers.get('content-security-policy')).toEqual(["default-src 'none'"]);
      expect(headers.get('link')).toEqual(['</c>; rel=next']);
      expect(headers.get('left')).toEqual(['out']);
      expect(headers.get('content-length')).toEqual(['6']);
      expect(headers.has('content-encoding')).toBe(false);
      expect(headers.has('x-hop')).toBe(false);
    }
    expect(asked()).toBe(2);
  });

  it('goes when the 304 says that it may not be kept, and a cookie of the 304 is for one visitor', async () => {
    told = [
      { headers: [control('max-age=2'), ['ETag', '"a"']] },
      { headers: [control('max-age=60'), ['ETag', '"a"'], ['Set-Cookie', 's=1']] },
      { headers: [control('max-age=60'), ['ETag', '"a"']] },
    ];
    await ask();
    pass(3);
    expect((await ask()).headers.get('set-cookie')).toEqual(['s=1']);
    const next = await ask();
    expect(next.headers.has('set-cookie')).toBe(false);
    expect(next.body).toBe('body 2');
  });

  it.each(['must-revalidate', 'proxy-revalidate'])('is never given with %s', async (directive) => {
    told = [
      { headers: [control(`max-age=2, stale-if-error=60, stale-while-revalidate=60, ${directive}`)] },
      { status: 503, headers: [] },
    ];
    await ask();
    pass(3);
    expect((await ask()).status).toBe(503);
  });

  it('has its new headers in the form of the merged domain', async () => {
    plane.put('merged.test', upstream.origin, [
      { path: '/blog', type: 'subdirectory', target: upstream.origin, injection: '<i>1</i>' },
    ]);
    const at = ['Host: merged.test'];
    const html: Line[] = [
      ['Content-Type', 'text/html'],
      ['ETag', '"a"'],
    ];
    told = [
      { headers: [...html, control('max-age=2')], body: '<head></head>' },
      {
        headers: [
          ...html,
          control('max-age=60'),
          ['Link', '</next>; rel=next'],
          ['Last-Modified', date(0)],
          ['Accept-Ranges', 'bytes'],
        ],
      },
    ];
    const first = await ask(at, 'GET', '/blog/');
    pass(3);
    const { headers, body } = await ask(at, 'GET', '/blog/');
    expect(body).toBe('<head><i>1</i></head>');
    expect(headers.get('link')).toEqual(['</blog/next>; rel=next']);
    expect(headers.get('etag')).toEqual(first.headers.get('etag'));
    expect(headers.get('content-length')).toEqual([String(body.length)]);
    for (const name of ['last-modified', 'accept-ranges']) expect(headers.has(name)).toBe(false);
  });
});

describe('HEAD', () => {
  const tagged = (...more: Line[]): Line[] => [['ETag', '"a"'], ...more];
  it('of an answer that is too old asks the website, and what it says holds for the kept answer', async () => {
    told = [{ headers: tagged(control('max-age=2'), ['Test', '1'], ['Left', 'out']) }];
    const { body } = await ask();
    pass(3);
    told = [{ headers: tagged(control('max-age=1000'), ['Test', '2']) }];
    expect((await ask([], 'HEAD')).status).toBe(200);
    expect(upstream.seen.at(-1)?.method).toBe('HEAD');
    const next = await ask();
    expect(next).toMatchObject({ status: 200, body });
    expect(next.headers.get('test')).toEqual(['2']);
    expect(next.headers.get('left')).toEqual(['out']);
    expect(asked()).toBe(2);
  });

  it.each<[string, Line[]]>([
    ['another tag', [['ETag', '"b"']]],
    [
      'another length',
      [
        ['ETag', '"a"'],
        ['Content-Length', '7'],
      ],
    ],
    [
      'another time',
      [
        ['ETag', '"a"'],
        ['Last-Modified', date(0)],
      ],
    ],
    ['no-store', [['ETag', '"a"'], control('no-store')]],
  ])('that tells of %s makes the kept answer go', async (_what, headers) => {
    told = [{ headers: tagged(always) }];
    await ask();
    told = [{ headers: [always, ...headers] }];
    await ask(['Cache-Control: no-cache'], 'HEAD');
    expect(asked()).toBe(2);
    told = [{ headers: tagged(always) }];
    expect((await ask()).body).toBe('body 2');
  });

  it('keeps nothing by itself, and its 404 changes nothing', async () => {
    told = [{ headers: tagged(always) }];
    await ask([], 'HEAD');
    expect((await ask()).body).toBe('body 1');
    told = [{ status: 404, headers: [control('max-age=1'), ['Test', '2']] }];
    await ask(['Cache-Control: no-cache'], 'HEAD');
    const next = await ask();
    expect(next).toMatchObject({ status: 200, body: 'body 1' });
    expect(next.headers.has('test')).toBe(false);
  });

  it('gets the older answer in place of a failure, where its website allows it', async () => {
    told = [{ headers: tagged(control('max-age=2, stale-if-error=60')) }, { status: 503, headers: [] }];
    await ask();
    pass(3);
    expect((await ask([], 'HEAD')).status).toBe(200);
    expect(await ask(['Range: bytes=0-3'])).toMatchObject({ status: 206, body: 'body' });
  });
});

describe('a range of what is kept', () => {
  const body = '0123456789';
  it.each([
    ['bytes=0-1', '01', 'bytes 0-1/10'],
    ['bytes=1-', '123456789', 'bytes 1-9/10'],
    ['bytes=-1', '9', 'bytes 9-9/10'],
    ['bytes=-99', body, 'bytes 0-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
  ])('%s is answered without the website, with the kept headers', async (range, part, told206) => {
    told = [{ headers: [always, ['A', '1']], body }];
    await ask();
    const answer = await ask([`Range: ${range}`]);
    expect(answer).toMatchObject({ status: 206, body: part });
    expect(answer.headers.get('content-range')).toEqual([told206]);
    expect(answer.headers.get('a')).toEqual(['1']);
    expect(asked()).toBe(1);
  });

  it('and a part that the website sends are never taken for the whole', async () => {
    told = [{ status: 206, headers: [always, ['Content-Range', 'bytes 0-3/10']], body: '0123' }];
    await ask(['Range: bytes=0-3']);
    told = [{ headers: [always], body }];
    expect(await ask()).toMatchObject({ status: 200, body });
  });

  it('is the whole answer where the condition of the range does not hold, or the unit is another', async () => {
    told = [{ headers: [always, ['ETag', '"a"']], body }];
    await ask();
    expect((await ask(['Range: bytes=0-1', 'If-Range: "a"'])).status).toBe(206);
    expect((await ask(['Range: bytes=0-1', 'If-Range: "b"'])).status).toBe(200);
    expect((await ask(['Range: bytes=0-1', 'If-Range: W/"a"'])).status).toBe(200);
    expect((await ask(['Range: lines=0-1'])).status).toBe(200);
    expect((await ask(['Range: bytes=5-4'])).status).toBe(200);
  });
});

describe('a change', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'M-SEARCH'])(
    'by %s drops what is kept, and after a failure nothing',
    async (method) => {
      const other = `${path}-other`;
      told = [{ headers: [always] }];
      for (const at of [path, other]) await ask([], 'GET', at);
      told = [{ status: 500, headers: [] }];
      await ask(['Content-Length: 0'], method);
      expect((await ask()).body).toBe('body 0');
      told = [{ headers: [['Location', other]], status: 201 }];
      await ask(['Content-Length: 0'], method);
      told = [{ headers: [always] }];
      expect((await ask()).body).toBe('body 4');
      expect((await ask([], 'GET', other)).body).toBe('body 5');
    },
  );

  it('drops the address in Content-Location on the same host, and none of another host', async () => {
    const [own, foreign] = [`${path}-own`, `${path}-foreign`];
    told = [{ headers: [always] }];
    for (const at of [own, foreign]) await ask([], 'GET', at);
    told = [
      {
        headers: [
          ['Content-Location', own],
          ['Location', `http://else.test${foreign}`],
        ],
      },
    ];
    await ask(['Content-Length: 0'], 'POST');
    told = [{ headers: [always] }];
    expect((await ask([], 'GET', own)).body).toBe('body 3');
    expect((await ask([], 'GET', foreign)).body).toBe('body 1');
  });
});

describe('a kept answer', () => {
  it('of status 204 tells no length, as the first one did not', async () => {
    told = [{ status: 204, headers: [always] }];
    for (const nth of ['first', 'kept']) {
      const { status, headers } = await ask();
      expect([nth, status, headers.get('content-length')]).toEqual([nth, 204, undefined]);
    }
    expect(asked()).toBe(1);
  });

  it('has the headers that its website sent, and none of its connection', async () => {
    const own: Line[] = [
      ['Test', '1'],
      ['Content-Foo', '2'],
      ['Content-Language', 'de'],
      ['Content-Security-Policy', "default-src 'self'"],
      ['Referrer-Policy', 'no-referrer'],
      ['X-Frame-Options', 'deny'],
      ['Server-Timing', 'a;dur=1'],
    ];
    told = [
      {
        headers: [
          ...own,
          always,
          ['Connection', 'a, b'],
          ['A', '1'],
          ['B', '2'],
          ['Keep-Alive', 'timeout=9'],
        ],
      },
    ];
    await ask();
    const { headers } = await ask();
    for (const [name, value] of own) expect(headers.get(name.toLowerCase())).toEqual([value]);
    for (const name of ['a', 'b', 'keep-alive']) expect(headers.has(name)).toBe(false);
    expect(asked()).toBe(1);
  });
});
