import { connect } from 'node:net';
import { compileSite, type RuleDefinition, resolvePath, sourceRuleId } from '@homeport/rules';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { request } from './testing/raw-request.ts';
import { type Recorded, type RecordingUpstream, startRawRecorder } from './testing/recording-upstreams.ts';
import { type Nginx, runNginx } from './testing/run-nginx.ts';
import { startPlane, startUpstream, type TestPlane } from './testing/start-plane.ts';

// Two programs that read one request in two ways are how requests are smuggled. So random requests, well-formed and spoiled, go to the
// plane and to Debian's nginx, each in front of the same recording website. What the plane passes on, nginx reads in the same way.

const seed = 20_251_125;
const host = 'example.test';
const answeredWithinMs = 4_000;

type Asked = {
  method: string;
  path: string;
  query: string;
  hosts: string[];
  absolute: boolean;
  framing: string[];
  body: string;
  more: string[];
};

let plane: TestPlane;
let behindPlane: RecordingUpstream;
let behindNginx: RecordingUpstream;
let nginx: Nginx;
beforeAll(async () => {
  [behindPlane, behindNginx] = [await startRawRecorder(), await startRawRecorder()];
  plane = await startPlane({ requestStallMs: 500, headMs: 500, keepAliveMs: 200 });
  plane.put(host, behindPlane.origin);
  nginx = await runNginx(
    {},
    `merge_slashes off; client_body_timeout 1s; client_header_timeout 1s; keepalive_timeout 1s; client_max_body_size 0;
    location / { proxy_pass ${behindNginx.origin}; proxy_http_version 1.1; proxy_set_header X-Seen-Uri "<$uri>";
      proxy_set_header X-Seen-Host $host; }`,
  );
});
afterAll(async () => {
  await nginx[Symbol.asyncDispose]();
  await plane.close();
  behindPlane.close();
  behindNginx.close();
});

/** Mostly what is usual, so that most requests are spoiled in one place at most. */
const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: odd });

const segment = fc.constantFrom(
  ...[
    'a',
    'b',
    'A',
    '',
    '.',
    '..',
    '...',
    '%61',
    '%2e',
    '%2E%2e',
    '%2f',
    'a%2Fb',
    '%C3%A9',
    '%20',
    'x;y',
    'a:b',
  ],
  ...['a\\b', '%5c', '%25', '%252e', '%23', '%3f', '~', '@', '!$&', 'a=b', '*'],
);
const oddSegment = fc.constantFrom(
  '%',
  '%zz',
  '%00',
  'é',
  '"',
  '<>',
  '{}',
  '^',
  '`',
  '|',
  '#',
  'a b',
  '\u0001',
);
const path = fc
  .array(mostly(segment, oddSegment), { maxLength: 5 })
  .map((names) => (names.length === 0 ? '/' : names.map((name) => `/${name}`).join('')));
const query = fc.constantFrom('', '&', '&q=%2F', '&a=b&c', '&%', '&x=/../y', '&é', '&?', '&#f', '&"');

type Framed = { framing: string[]; body: string };

/** A body, and the headers that frame it. Texts within bodies are requests where somebody loses count. */
const framed = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Framed>({ framing: [], body: '' }) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          'abc',
          '',
          'x'.repeat(3_000),
          'GET /?mark=stray HTTP/1.1\r\nHost: example.test\r\n\r\n',
        ),
        fc.constantFrom('length', 'chunked', 'chunks'),
        mostly(
          fc.constant(''),
          fc.constantFrom(
            ...[
              'both',
              'twice',
              'differs',
              'plus',
              'zero',
              'list',
              'negative',
              'hex',
              'space',
              'tab',
              'case',
              'gzip',
            ],
            ...['xchunked', 'quoted', 'vertical', 'short', 'long', 'extension', 'size', 'bare'],
          ),
        ),
      )
      .map(([text, how, spoil]) => frame(text, how, spoil)),
  },
);

function frame(text: string, how: string, spoil: string): Framed {
  const pieces = how === 'chunks' ? [text.slice(0, 2), text.slice(2)] : [text];
  const extension = spoil === 'extension' ? ';a=b' : '';
  const line = spoil === 'bare' ? '\n' : '\r\n';
  const size = (piece: string) =>
    spoil === 'size' ? `0x${piece.length.toString(16)}` : piece.length.toString(16);
  const chunks = pieces
    .filter((piece) => piece !== '')
    .map((piece) => `${size(piece)}${extension}${line}${piece}\r\n`)
    .join('');
  const chunkedBody = `${chunks}0\r\n\r\n`;
  const length = `Content-Length: ${text.length}`;
  const coding = 'Transfer-Encoding: chunked';
  const spoiled: Record<string, string[]> = {
    both: [length, coding],
    twice: [length, length],
    differs: [length, `Content-Length: ${text.length + 1}`],
    plus: [`Content-Length: +${text.length}`],
    zero: [`Content-Length: 00${text.length}`],
    list: [`Content-Length: ${text.length}, ${text.length}`],
    negative: ['Content-Length: -1'],
    hex: [`Content-Length: 0x${text.length.toString(16)}`],
    space: ['Transfer-Encoding : chunked'],
    tab: ['Transfer-Encoding:\tchunked'],
    case: ['TRANSFER-ENCODING: CHUNKED'],
    gzip: ['Transfer-Encoding: gzip, chunked'],
    xchunked: ['Transfer-Encoding: xchunked'],
    quoted: ['Transfer-Encoding: "chunked"'],
    vertical: ['Transfer-Encoding: \u000bchunked'],
    short: [`Content-Length: ${Math.max(0, text.length - 1)}`],
    long: [`Content-Length: ${text.length + 1}`],
  };
  const isChunked = how !== 'length';
  return { framing: spoiled[spoil] ?? [isChunked ? coding : length], body: isChunked ? chunkedBody : text };
}

const asked: fc.Arbitrary<Asked> = fc
  .record({
    method: mostly(
      fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'),
      fc.constantFrom('HEAD', 'PROPFIND', 'get', 'G ET', 'TRACE', 'FOO'),
    ),
    path,
    query,
    hosts: mostly(
      fc.constantFrom<string[][]>(
        [host],
        ['EXAMPLE.test'],
        ['example.test:80'],
        ['example.test.'],
        ['example.test:8080'],
      ),
      fc.constantFrom<string[][]>(
        [],
        [host, host],
        [host, 'other.test'],
        ['other.test'],
        [`a@${host}`],
        [`${host}/x`],
        [`${host} `],
      ),
    ),
    absolute: mostly(fc.constant(false), fc.constant(true)),
    more: mostly(
      fc.constant<string[]>([]),
      fc.constantFrom<string[][]>(
        ['X-A: 1', ' folded'],
        ['X-A : 1'],
        ['X_A: 1', 'X-A: 2'],
        [': empty'],
        ['X-A: a\u0000b'],
        ['X-A: \u00e9'],
        ['Connection: content-length'],
        ['Connection: transfer-encoding, host'],
        ['Expect: 100-continue'],
        ['X-HTTP-Method-Override: DELETE', 'X-Original-URL: /admin'],
        ['Content_Length: 7', 'Transfer_Encoding: chunked'],
      ),
    ),
    framed,
  })
  .map(({ framed: { framing, body }, ...rest }) => ({ ...rest, framing, body }));

function bytesOf(one: Asked, mark: string): string {
  const target = `${one.path}?mark=${mark}${one.query}`;
  return [
    `${one.method} ${one.absolute ? `http://${host}${target}` : target} HTTP/1.1`,
    ...one.hosts.map((each) => `Host: ${each}`),
    ...one.framing,
    ...one.more,
    'Connection: close',
    '',
    one.body,
  ].join('\r\n');
}

/** Resolves when the connection has ended. A program that waits for more ends it by its own deadline. */
function send(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    let text = '';
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no end after ${JSON.stringify(text)} for ${JSON.stringify(bytes)}`));
    }, answeredWithinMs);
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearTimeout(late);
      resolve(text);
    });
  });
}

type Read = { method: string; path: string; query: string; host: string; body: string };

const header = ({ headers }: Recorded, name: string) => headers.find(([one]) => one === name)?.[1] ?? '';
const queryOf = (address: string) => /\?.*/s.exec(address)?.[0] ?? '';
/** Both ways of writing no port mean the same website, and so does the root's dot. */
const plainHost = (text: string) =>
  text
    .toLowerCase()
    .replace(/:[0-9]*$/, '')
    .replace(/\.$/, '');
const decoded = (text: string) =>
  text.replace(/%[0-9a-f]{2}/gi, (one) => String.fromCharCode(Number.parseInt(one.slice(1), 16)));
const oneLeadingSlash = (text: string) => text.replace(/^\/+/, '/');

const readByPlane = (one: Recorded): Read => ({
  method: one.method,
  path: oneLeadingSlash(decoded(one.address.replace(/\?.*/s, ''))),
  query: queryOf(one.address),
  host: plainHost(header(one, 'x-forwarded-host')),
  body: one.body,
});
const readByNginx = (one: Recorded): Read => ({
  method: one.method,
  path: oneLeadingSlash(header(one, 'x-seen-uri').slice(1, -1)),
  query: queryOf(one.address),
  host: plainHost(header(one, 'x-seen-host')),
  body: one.body,
});

/**
 * nginx refuses a path that climbs above the root. The plane stays at the root, as browsers and RFC 3986 (5.2.4) do, and sends a path
 * without dots: nobody behind it reads that in another way.
 */
function climbsAboveRoot(text: string): boolean {
  let depth = 0;
  for (const name of decoded(text).slice(1).split('/')) {
    if (name === '..') depth -= 1;
    else if (name !== '.') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

it('what the plane passes on, nginx reads with the same method, path, query, host and body', async () => {
  const port = Number(new URL(nginx.origin).port);
  let number = 0;
  let [agreed, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { minLength: 24, maxLength: 24 }), async (all) => {
      const sent = all.map((one) => {
        number += 1;
        const mark = `r${number}`;
        return { one, mark, bytes: bytesOf(one, mark) };
      });
      await Promise.all(sent.flatMap(({ bytes }) => [send(plane.port, bytes), send(port, bytes)]));
      for (const { one, mark, bytes } of sent) {
        const passed = behindPlane.arrived.filter((each) => each.mark === mark);
        const byNginx = behindNginx.arrived.filter((each) => each.mark === mark);
        if (passed.length === 0) {
          refused += 1;
          continue;
        }
        agreed += 1;
        if (byNginx.length === 0 && climbsAboveRoot(one.path)) continue;
        const what = JSON.stringify({ one, bytes });
        expect(passed.map(readByPlane), what).toEqual(byNginx.map(readByNginx));
      }
      // What was framed as a body is no request of its own.
      expect(behindPlane.arrived.filter(({ mark }) => mark === 'stray' || mark === 'none')).toEqual([]);
      expect(behindPlane.violations).toEqual([]);
    }),
    { seed, numRuns: 60 },
  );
  // Neither a plane that refuses everything nor a generator that spoils nothing passes.
  expect(agreed).toBeGreaterThan(200);
  expect(refused).toBeGreaterThan(60);
}, 120_000);

const noRule: Omit<RuleDefinition, 'id' | 'path' | 'type' | 'target'> = {
  ...{ xForwardedHost: '', proxyPathPrefix: '', pathRewriteSrc: '', pathRewriteDest: '', injection: '' },
};

it('what a rule takes is what its website gets and what the cache keys by, whatever was asked before', async () => {
  const sites = await Promise.all(
    ['a', 'b', 'source'].map((name) =>
      startUpstream((req, res) => {
        res.setHeader('Cache-Control', 'public, max-age=60');
        res.end(`${name} ${req.url}`);
      }),
    ),
  );
  const [first, second, source] = sites.map(({ origin }) => origin);
  const records = [
    { path: '/a', type: 'subdirectory', target: `${first}/mount` },
    {
      path: '/b',
      type: 'simple',
      target: `${second}`,
      proxyPathPrefix: 'p',
      pathRewriteSrc: '/b',
      pathRewriteDest: '/c',
    },
    { path: '/A/%C3%A9', type: 'simple', target: `${first}` },
  ] as const;
  const domain = 'keyed.test';
  plane.put(domain, source ?? '', records);
  const compiled = compileSite({
    ...{ id: 'p', domain, source: source ?? '' },
    records: records.map((rule, index) => ({ ...noRule, id: `r${index}`, ...rule })),
  });
  if ('problems' in compiled) throw new Error(JSON.stringify(compiled.problems));
  const nameOf: Record<string, string> = { r0: 'a', r1: 'b', r2: 'a', [sourceRuleId]: 'source' };
  let served = 0;
  try {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(path, fc.constantFrom('', '?', '?q=%2F', '?q=/')), {
          minLength: 20,
          maxLength: 20,
        }),
        async (asked) => {
          // Twice, so that the second answers come from the cache.
          for (const [at, search] of [...asked, ...asked.toReversed()]) {
            const url = `${at}${search}`;
            const answer = await request(plane.port, `GET ${url}`, [`Host: ${domain}`]);
            if (answer.status !== 200) continue;
            served += 1;
            const found = resolvePath(compiled.site, url);
            expect(answer.body, url).toBe(found && `${nameOf[found.rule.id]} ${found.upstream}`);
            // The path that was sent falls to the same rule where a visitor writes it.
            for (const same of found === null ? [] : [found.path.sent, found.path.compared])
              expect(resolvePath(compiled.site, same)?.rule.id, url).toBe(found?.rule.id);
          }
        },
      ),
      { seed, numRuns: 20 },
    );
  } finally {
    for (const site of sites) await site.close();
  }
  expect(served).toBeGreaterThan(200);
}, 120_000);
