import { get } from 'node:http';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../testing/start-plane.ts';
import { AnswerReader } from './answer-reader.ts';

type Read = {
  heads: { status: number; flat: readonly string[] }[];
  body: string;
  /** Null while the answer is not over. */
  trailers: readonly string[] | null;
  keepsAlive: boolean;
  /** Bytes behind the answer. */
  left: number;
  upgraded: string | null;
  error: string | null;
};

/** Reads the bytes in pieces of that size, and then the end of the connection. */
function read(bytes: string, { piece = 1_000_000, isHead = false, mayUpgrade = false } = {}): Read {
  const found: Read = {
    ...{ heads: [], body: '', trailers: null, keepsAlive: false, left: 0, upgraded: null, error: null },
  };
  const reader = new AnswerReader(16 * 1_024);
  reader.begin(
    {
      head: ({ status, flat }) => void found.heads.push({ status, flat }),
      data: (chunk) => {
        found.body += chunk.toString('latin1');
      },
      end: (trailers) => {
        found.trailers = trailers;
      },
      upgraded: (_head, rest) => {
        found.upgraded = rest.toString('latin1');
      },
    },
    { isHead, mayUpgrade },
  );
  const all = Buffer.from(bytes, 'latin1');
  try {
    for (let at = 0; at < all.length && found.upgraded === null; at += piece)
      found.left += Math.min(piece, all.length - at) - reader.read(all.subarray(at, at + piece));
    reader.close();
  } catch (error) {
    found.error = error instanceof Error && 'code' in error ? String(error.code) : 'unexpected';
  }
  return { ...found, keepsAlive: reader.keepsAlive };
}

const ok = 'HTTP/1.1 200 OK\r\n';
const good: readonly [what: string, bytes: string, body: string, keepsAlive: boolean, trailers?: string[]][] =
  [
    ['a length', `${ok}Content-Length: 3\r\n\r\nabc`, 'abc', true],
    ['a length of zero', `${ok}Content-Length: 0\r\n\r\n`, '', true],
    [
      'chunks',
      `${ok}Transfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\nA;x=1;y\r\n0123456789\r\n0\r\n\r\n`,
      'abc0123456789',
      true,
    ],
    [
      'trailers',
      `${ok}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n000\r\nX-Sum: 7\r\n\r\n`,
      'a',
      true,
      ['x-sum', '7'],
    ],
    ['the end of its connection', `${ok}X: 1\r\n\r\nabc`, 'abc', false],
    ['Connection: close', `${ok}Connection: Close\r\nContent-Length: 1\r\n\r\na`, 'a', false],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na', 'a', false],
    [
      'HTTP/1.0 that stays',
      'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na',
      'a',
      true,
    ],
    ['no reason', 'HTTP/1.1 200\r\nContent-Length: 1\r\n\r\na', 'a', true],
    ['status 204', 'HTTP/1.1 204 No Content\r\n\r\n', '', true],
    ['status 304 and a length', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n', '', true],
    [
      'interim answers before it',
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n${ok}Content-Length: 1\r\n\r\na`,
      'a',
      true,
    ],
  ];

describe('an answer', () => {
  it.each(good)(
    'with %s is read, in one piece and byte by byte',
    (_what, bytes, body, keepsAlive, trailers = []) => {
      const whole = read(bytes);
      expect(whole).toMatchObject({ body, keepsAlive, trailers, error: null });
      expect(read(bytes, { piece: 1 })).toEqual(whole);
      expect(read(bytes, { piece: 7 })).toEqual(whole);
    },
  );

  it('has its names in lower case, its values without blanks around, and each byte as it came', () => {
    const { heads } = read(
      `${ok}ETag:\t "\xe9" \t\r\nconstructor: 1\r\n__proto__:\r\nETag: 2\r\nContent-Length: 0\r\n\r\n`,
    );
    expect(heads.at(-1)?.flat).toEqual([
      ...['etag', '"\xe9"', 'constructor', '1', '__proto__', '', 'etag', '2', 'content-length', '0'],
    ]);
  });

  it('to a HEAD has no body, whatever its head says', () => {
    for (const framing of ['Content-Length: 9', 'Transfer-Encoding: chunked'])
      expect(read(`${ok}${framing}\r\n\r\n`, { isHead: true })).toMatchObject({
        body: '',
        trailers: [],
        error: null,
      });
  });

  it('that changes the protocol hands over the bytes that follow, where somebody asked for that', () => {
    const bytes = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\x81\x00HTTP';
    expect(read(bytes, { mayUpgrade: true })).toMatchObject({ upgraded: '\x81\x00HTTP', error: null });
    expect(read(bytes)).toMatchObject({ upgraded: null, error: 'bad_answer' });
  });

  it('that is cut is not over', () => {
    for (const [, bytes] of good.slice(0, 4)) {
      if (bytes.endsWith('Content-Length: 0\r\n\r\n')) continue;
      expect(read(bytes.slice(0, -1)).trailers, bytes).toBeNull();
    }
  });

  it('ends where it ends, and what stands behind it is told', () => {
    const bytes = `${ok}Content-Length: 1\r\n\r\naHTTP/1.1 200 OK\r\n`;
    expect(read(bytes)).toMatchObject({ body: 'a', left: 17, error: null });
    expect(read(bytes, { piece: 1 })).toMatchObject({ body: 'a', left: 17, error: null });
  });
});

const bad: readonly [what: string, bytes: string][] = [
  ['a length and chunks', `${ok}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['two lengths', `${ok}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`],
  ['two equal lengths', `${ok}Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc`],
  ['a list of lengths', `${ok}Content-Length: 3, 3\r\n\r\nabc`],
  ['a signed length', `${ok}Content-Length: +3\r\n\r\nabc`],
  ['a length of words', `${ok}Content-Length: three\r\n\r\nabc`],
  ['an empty length', `${ok}Content-Length:\r\n\r\nabc`],
  ['another coding than chunked', `${ok}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  ['two codings', `${ok}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['a blank before the colon', `${ok}Content-Length : 3\r\n\r\nabc`],
  ['a folded header', `${ok}X: a\r\n b\r\nContent-Length: 0\r\n\r\n`],
  ['a line without a colon', `${ok}X\r\n\r\n`],
  ['a header without a name', `${ok}: x\r\n\r\n`],
  ['a bare LF', 'HTTP/1.1 200 OK\nContent-Length: 3\n\nabc'],
  ['a bare LF in one line', `${ok}X: a\nSet-Cookie: b=1\r\nContent-Length: 0\r\n\r\n`],
  ['a bare CR', `${ok}X: a\rSet-Cookie: b=1\r\nContent-Length: 0\r\n\r\n`],
  ['a NUL', `${ok}X: a\0b\r\nContent-Length: 0\r\n\r\n`],
  ['a long head', `${ok}X: ${'x'.repeat(20 * 1_024)}\r\n\r\n`],
  ['a long head that does not end', `${ok}X: ${'x'.repeat(20 * 1_024)}`],
  ['another version', 'HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ['a status of four digits', 'HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n'],
  ['a status below 100', 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n'],
  ['no status', 'garbage\r\n\r\n'],
  ['a size in C notation', `${ok}Transfer-Encoding: chunked\r\n\r\n0x3\r\nabc\r\n0\r\n\r\n`],
  ['a negative size', `${ok}Transfer-Encoding: chunked\r\n\r\n-1\r\n`],
  ['a blank before a size', `${ok}Transfer-Encoding: chunked\r\n\r\n 3\r\nabc\r\n0\r\n\r\n`],
  ['no size', `${ok}Transfer-Encoding: chunked\r\n\r\n\r\n`],
  ['a size that no number holds', `${ok}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(16)}\r\n`],
  ['an extension with a bare LF', `${ok}Transfer-Encoding: chunked\r\n\r\n3;a\nb\r\nabc\r\n0\r\n\r\n`],
  [
    'an endless extension',
    `${ok}Transfer-Encoding: chunked\r\n\r\n3;${'a'.repeat(5_000)}\r\nabc\r\n0\r\n\r\n`,
  ],
  ['a chunk that is longer than it says', `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n`],
  ['a chunk that ends with a bare LF', `${ok}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\n0\r\n\r\n`],
  ['trailers with a bare LF', `${ok}Transfer-Encoding: chunked\r\n\r\n0\r\nX: 1\nY: 2\r\n\r\n`],
];

describe('what is no answer', () => {
  it.each(bad)('with %s is refused, in one piece and byte by byte', (_what, bytes) => {
    expect(read(bytes)).toMatchObject({ error: 'bad_answer' });
    expect(read(bytes, { piece: 1 })).toMatchObject({ error: 'bad_answer', trailers: null });
  });
});

describe('beside Node’s own client', () => {
  let answer = '';
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(Buffer.from(answer, 'latin1')));
  });
  let port = 0;
  beforeAll(async () => {
    port = await listen(server);
  });
  afterAll(() => void server.close());

  /** Status and body as Node reads them; null where it refuses, or where the answer is cut. */
  function readByNode(): Promise<string | null> {
    return new Promise((resolve) => {
      get({ port, host: '127.0.0.1', agent: false }, (res) => {
        let body = '';
        res.setEncoding('latin1').on('data', (text: string) => {
          body += text;
        });
        res.once('error', () => resolve(null));
        res.once('close', () => resolve(res.complete ? `${res.statusCode} ${body}` : null));
      }).once('error', () => resolve(null));
    });
  }

  it('takes no answer that Node refuses, and reads every answer that it takes as Node does', async () => {
    let seed = 7;
    const below = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    const parts = [
      '\r\n',
      '\n',
      '\r',
      ' ',
      ':',
      ';',
      ',',
      '0',
      '3',
      'chunked',
      'Content-Length: 3\r\n',
      '\0',
      '\t',
      'x',
    ];
    let taken = 0;
    for (let round = 0; round < 400; round += 1) {
      const [, bytes = ''] = good[below(good.length)] ?? [];
      const at = below(bytes.length);
      answer = bytes.slice(0, at) + (parts[below(parts.length)] ?? '') + bytes.slice(at + below(3));
      const own = read(answer);
      if (own.error !== null || own.trailers === null) continue;
      const shorter = read(answer.slice(0, -1));
      // Node looks at what stands behind an answer before it gives the answer. We end the connection after it.
      if (shorter.trailers !== null && shorter.body === own.body) continue;
      taken += 1;
      expect(await readByNode(), JSON.stringify(answer)).toBe(`${own.heads.at(-1)?.status} ${own.body}`);
    }
    expect(taken).toBeGreaterThan(50);
  });
});
