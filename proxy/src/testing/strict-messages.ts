/** One message as a program reads it that takes only what RFC 9112 writes. A character is a byte (latin1). */
export type StrictMessage = {
  /** The request line or the status line. */
  line: string;
  /** Names in lower case. */
  headers: [name: string, value: string][];
  body: string;
  trailers: [name: string, value: string][];
};

type StrictReader = {
  /** Takes more bytes. Throws for what is no message. */
  take(text: string): void;
  /** The next whole message, or null while it is not there. `hasNoBody` says of its first line and headers whether no body follows. */
  next(): StrictMessage | null;
  /** Line and headers of the message that has begun, once its head is there. */
  begun(): Pick<StrictMessage, 'line' | 'headers'> | null;
  /** The bytes that belong to no message yet. */
  readonly rest: string;
  /** Everything was sent: a body that ends with its connection ends here. */
  end(): void;
};

type Framing =
  | { kind: 'none' }
  | { kind: 'length'; length: number }
  | { kind: 'chunked' }
  | { kind: 'until_end' };

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Reads requests or answers of one connection. It shares no code with the plane, and refuses what a second program could read in another
 * way: so a request that it finds is one that any program would find.
 *
 * @param hasBody false where the head alone says that no body follows: an answer to HEAD
 */
export function readStrictly(
  kind: 'requests' | 'answers',
  hasBody: (line: string, headers: StrictMessage['headers']) => boolean = () => true,
): StrictReader {
  let rest = '';
  let isEnded = false;
  let head: { line: string; headers: StrictMessage['headers']; framing: Framing; bytes: number } | null =
    null;

  function readHead(): void {
    const end = rest.indexOf('\r\n\r\n');
    if (head !== null || end < 0) return;
    const [line = '', ...lines] = splitLines(rest.slice(0, end));
    const isRequest = /^[A-Z]+(?:-[A-Z]+)? [\x21-\x7e]+ HTTP\/1\.1$/.test(line);
    const isAnswer = /^HTTP\/1\.1 [1-9][0-9]{2} [\t\x20-\x7e\x80-\xff]*$/.test(line);
    if (kind === 'requests' ? !isRequest : !isAnswer) throw new Error(`no first line: ${line}`);
    const headers = lines.map(readField);
    const framing: Framing = hasBody(line, headers) ? framingOf(kind, headers) : { kind: 'none' };
    head = { line, headers, framing, bytes: end + 4 };
  }

  function readBody(): { body: string; trailers: StrictMessage['trailers']; bytes: number } | null {
    if (head === null) return null;
    const { framing, bytes } = head;
    switch (framing.kind) {
      case 'none':
        return { body: '', trailers: [], bytes };
      case 'length': {
        if (rest.length < bytes + framing.length) return null;
        return {
          body: rest.slice(bytes, bytes + framing.length),
          trailers: [],
          bytes: bytes + framing.length,
        };
      }
      case 'until_end':
        return isEnded ? { body: rest.slice(bytes), trailers: [], bytes: rest.length } : null;
      case 'chunked':
        return readChunks(rest, bytes);
    }
  }

  return {
    take(text) {
      rest += text;
    },
    next() {
      readHead();
      const found = readBody();
      if (head === null || found === null) return null;
      const { line, headers } = head;
      head = null;
      rest = rest.slice(found.bytes);
      return { line, headers, body: found.body, trailers: found.trailers };
    },
    begun() {
      readHead();
      return head;
    },
    get rest() {
      return rest;
    },
    end() {
      isEnded = true;
    },
  };
}

function splitLines(text: string): string[] {
  const lines = text.split('\r\n');
  for (const line of lines)
    if (/[^\t\x20-\x7e\x80-\xff]/.test(line)) throw new Error(`a control character: ${JSON.stringify(line)}`);
  return lines;
}

function readField(line: string): [string, string] {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(0, colon));
  if (!token.test(name)) throw new Error(`no header: ${JSON.stringify(line)}`);
  return [name.toLowerCase(), line.slice(colon + 1).trim()];
}

function framingOf(kind: 'requests' | 'answers', headers: StrictMessage['headers']): Framing {
  const told = headers.filter(([name]) => name === 'content-length' || name === 'transfer-encoding');
  const [first, second] = told;
  if (second !== undefined) throw new Error(`framed twice: ${JSON.stringify(told)}`);
  if (first === undefined) return { kind: kind === 'requests' ? 'none' : 'until_end' };
  const [name, value] = first;
  if (name === 'transfer-encoding') {
    if (value !== 'chunked') throw new Error(`framed by ${value}`);
    return { kind: 'chunked' };
  }
  if (!/^(?:0|[1-9][0-9]{0,14})$/.test(value)) throw new Error(`framed by a length of ${value}`);
  return { kind: 'length', length: Number(value) };
}

function readChunks(
  text: string,
  from: number,
): { body: string; trailers: StrictMessage['trailers']; bytes: number } | null {
  let body = '';
  for (let at = from; ; ) {
    const end = text.indexOf('\r\n', at);
    if (end < 0) return null;
    const size = text.slice(at, end);
    if (!/^[0-9a-fA-F]{1,8}$/.test(size)) throw new Error(`a chunk of ${JSON.stringify(size)}`);
    const length = Number.parseInt(size, 16);
    if (length === 0) return readTrailers(text, end + 2, body);
    if (text.length < end + 2 + length + 2) return null;
    body += text.slice(end + 2, end + 2 + length);
    at = end + 2 + length + 2;
    if (text.slice(at - 2, at) !== '\r\n') throw new Error('a chunk is longer than it says');
  }
}

function readTrailers(text: string, from: number, body: string) {
  if (text.startsWith('\r\n', from)) return { body, trailers: [], bytes: from + 2 };
  const end = text.indexOf('\r\n\r\n', from);
  if (end < 0) return null;
  return { body, trailers: splitLines(text.slice(from, end)).map(readField), bytes: end + 4 };
}
