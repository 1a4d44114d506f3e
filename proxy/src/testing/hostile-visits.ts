/** A request that a visitor sends, as bytes (latin1). */
type HostileRequest = {
  /** Stands in its address, and in nothing else. */
  mark: string;
  bytes: string;
  /** Any program reads it as one request, and the plane serves such requests. */
  isPlain: boolean;
};

/** What one visitor sends over one connection. */
export type HostileVisit = {
  requests: HostileRequest[];
  /** Sizes of the pieces in which the bytes go out. */
  piece: number;
  /** After so many bytes the visitor goes without a word; null: it stays. */
  goesAfter: number | null;
};

/** How the website answers: the first part of the address. */
const plainModes = ['length', 'chunked', 'eof', 'interim', 'empty', 'unchanged', 'slow'] as const;
const roughModes = ['early', 'early-close', 'reset', 'reset-late', 'trailing', 'bad'] as const;

const plainHeaders = [
  ...[
    'Cookie: a=1',
    'Accept-Language: de',
    'TE: trailers',
    'X-Forwarded-For: 6.6.6.6',
    'X_Forwarded_Host: e.test',
  ],
  ...[
    'Connection: keep-alive',
    'Connection: Cookie, Te, Trailer',
    'Connection: Content-Length',
    'Via: 1.0 x',
  ],
  ...[
    'Connection: Transfer-Encoding',
    'Connection: Host, X-Forwarded-For, X-Forwarded-Proto, Via',
    'Trailer: X-Sum',
  ],
  ...['Content_Length: 5', 'Transfer_Encoding: chunked', 'Authorization: Basic eDp4', 'Range: bytes=0-1'],
  ...[
    'Keep-Alive: timeout=1',
    'Proxy-Connection: keep-alive',
    'Forwarded: for=6.6.6.6',
    'Cache-Control: no-cache',
  ],
  ...['X-HTTP-Method-Override: DELETE', 'Expect: 100-continue', 'X-Homeport-Front: guess', 'CDN-Loop: other'],
];
const oddHeaders = [
  ...[
    'Content-Length: 5',
    'Content-Length: +5',
    'Content-Length: 5, 5',
    'Content-Length: 0x5',
    'Content-Length:',
  ],
  ...[
    'Content-Length: 18446744073709551616',
    'Content-Length: -1',
    'Content-Length : 5',
    'Content-Length: 5 5',
  ],
  ...['Transfer-Encoding: chunked', 'Transfer-Encoding: identity', 'Transfer-Encoding: chunked, identity'],
  ...['Transfer-Encoding: \x0bchunked', 'Transfer-Encoding : chunked', 'Transfer-Encoding: gzip, chunked'],
  ...[
    'Transfer-Encoding:\r\n chunked',
    'X: a\r\n b',
    'X: a\r\n\tContent-Length: 5',
    'X: a\nContent-Length: 5',
  ],
  ...[
    'X: a\rContent-Length: 5',
    'X: \0',
    ' X: a',
    'X',
    ': a',
    'X\tY: a',
    'Host: other.test',
    'Host : x',
    'Expect: y',
  ],
  ...[
    'Connection: Upgrade\r\nUpgrade: h2c',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: A',
  ],
  ...[
    'Connection: Upgrade\r\nUpgrade: websocket',
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: T',
  ],
];
const lineEnds = ['\r\n', '\n', '\r', '\r\n\r\n', ' \r\n'];

/** Makes visits from a number, always the same ones. */
export function createHostileVisits(seed: number, host: string): () => HostileVisit {
  let state = seed;
  let marks = 0;
  const below = (most: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
  const oneOf = <T>(of: readonly T[], otherwise: T): T => of[below(of.length)] ?? otherwise;
  const some = <T>(of: readonly T[], most: number): T[] =>
    Array.from({ length: below(most + 1) }, () => of[below(of.length)]).filter((one) => one !== undefined);

  /** A text that would be a request of its own where somebody loses count of the body. */
  const bodyOf = (mark: string): string => {
    const inner = `GET /length?mark=inner-${mark} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    return oneOf(
      [inner, `${'x'.repeat(below(40))}${inner}`, `0\r\n\r\n${inner}`, 'y'.repeat(below(30_000))],
      '',
    );
  };
  function plainRequest(isLast: boolean): HostileRequest {
    marks += 1;
    const mark = `m${seed}x${marks}`;
    const method = oneOf(
      ['GET', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'],
      'GET',
    );
    // After an answer that came before its body the connection ends, so nothing may follow.
    const isRough = isLast && below(4) === 0;
    const mode = isRough ? oneOf(roughModes, 'early') : oneOf(plainModes, 'length');
    const address = `/${mode}?mark=${mark}`;
    const line = `${method} ${oneOf([address, address, `http://${host}${address}`], address)} HTTP/1.1`;
    const headers = [`Host: ${host}`, ...some(plainHeaders, 3), ...(isLast ? ['Connection: close'] : [])];
    const body = bodyOf(mark);
    const framed = oneOf(
      [
        { header: [], body: '' },
        { header: [`Content-Length: ${body.length}`], body },
        { header: ['Transfer-Encoding: chunked'], body: chunksOf(body, { below, oneOf }) },
      ],
      { header: [], body: '' },
    );
    const bytes = `${[line, ...headers, ...framed.header].join('\r\n')}\r\n\r\n${framed.body}`;
    return { mark, bytes, isPlain: !isRough };
  }

  /** A request with a spoiled place: in its head, in its framing, or anywhere. */
  function oddRequest(): HostileRequest {
    const { mark, bytes } = plainRequest(true);
    const end = bytes.indexOf('\r\n\r\n');
    const lines = bytes.slice(0, end).split('\r\n');
    const rest = bytes.slice(end);
    switch (below(5)) {
      case 0:
        lines.splice(1 + below(lines.length), 0, oneOf(oddHeaders, ''));
        return { mark, isPlain: false, bytes: lines.join('\r\n') + rest };
      case 1: {
        lines[0] = `${lines[0]?.slice(0, -8)}${oneOf(['HTTP/1.0', 'HTTP/2.0', 'HTTP/1.2', 'http/1.1', ''], '')}`;
        return { mark, isPlain: false, bytes: lines.join('\r\n') + rest };
      }
      case 2: {
        const at = below(lines.length);
        const spoiled =
          lines.slice(0, at).join('\r\n') + oneOf(lineEnds, '\n') + lines.slice(at).join('\r\n');
        return { mark, isPlain: false, bytes: spoiled + rest };
      }
      case 3: {
        const trailers = oneOf(
          ['Content-Length: 5', 'Transfer-Encoding: chunked', 'X: a\nY: b', ' X: a', 'X'],
          'X',
        );
        return { mark, isPlain: false, bytes: bytes.replace('0\r\n\r\n', `0\r\n${trailers}\r\n\r\n`) };
      }
      default: {
        const at = below(bytes.length);
        const put = oneOf(['\r\n', '\n', '0', ' ', ':', ',', ';', '\0', '5\r\n', 'chunked'], '0');
        return { mark, isPlain: false, bytes: bytes.slice(0, at) + put + bytes.slice(at + below(3)) };
      }
    }
  }

  return () => {
    const isOdd = below(2) === 0;
    const before = Array.from({ length: below(3) }, () => plainRequest(false));
    const requests = [...before, isOdd ? oddRequest() : plainRequest(true)];
    const length = requests.reduce((sum, { bytes }) => sum + bytes.length, 0);
    return {
      requests,
      piece: oneOf([length, length, 1 + below(700), 1 + below(length)], length),
      goesAfter: below(6) === 0 ? below(length) : null,
    };
  };
}

type Choice = { below(most: number): number; oneOf<T>(of: readonly T[], otherwise: T): T };

function chunksOf(body: string, { below, oneOf }: Choice): string {
  let text = '';
  for (let at = 0; at < body.length; ) {
    const size = 1 + below(Math.max(1, body.length - at));
    text += `${size.toString(16)}${oneOf(['', '', ';x=1'], '')}\r\n${body.slice(at, at + size)}\r\n`;
    at += size;
  }
  return `${text}0\r\n${oneOf(['', 'X-Sum: 7\r\n', 'Host: other.test\r\n'], '')}\r\n`;
}
