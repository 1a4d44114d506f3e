import { connect } from 'node:net';

/** An answer as it came over the wire, with a chunked body put together. */
export type RawAnswer = {
  head: string;
  status: number;
  body: string;
  headers: Map<string, string[]>;
  text: string;
};

/** Sends bytes over one connection and reads until the other side ends it, or until `until` is satisfied. */
export function sendRaw(
  port: number,
  bytes: string | readonly string[],
  until?: (text: string) => boolean,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const late = setTimeout(
      () => socket.destroy(new Error(`no end of the answer; so far: ${text.slice(0, 300)}`)),
      10_000,
    );
    const settle = () => {
      clearTimeout(late);
      socket.destroy();
      resolve(text);
    };
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (until?.(text)) settle();
    });
    socket.once('end', settle);
    socket.once('close', settle);
    socket.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(late);
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve(text);
      else reject(error);
    });
    for (const part of typeof bytes === 'string' ? [bytes] : bytes) socket.write(part, 'latin1');
  });
}

/** One request on a connection of its own. */
export async function request(
  port: number,
  line: string,
  headers: readonly string[] = [],
  body = '',
): Promise<RawAnswer> {
  const host = headers.some((header) => /^host:/i.test(header)) ? [] : ['Host: example.test'];
  const head = [`${line} HTTP/1.1`, ...host, 'Connection: close', ...headers].join('\r\n');
  return readAnswer(await sendRaw(port, `${head}\r\n\r\n${body}`));
}

export function readAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const head = end < 0 ? text : text.slice(0, end);
  const [line = '', ...lines] = head.split('\r\n');
  const headers = new Map<string, string[]>();
  for (const one of lines) {
    const colon = one.indexOf(':');
    const name = one.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), one.slice(colon + 1).trim()]);
  }
  const raw = end < 0 ? '' : text.slice(end + 4);
  const body = headers.get('transfer-encoding')?.includes('chunked') ? joinChunks(raw) : raw;
  return { head, status: Number(line.split(' ')[1]), body, headers, text };
}

function joinChunks(raw: string): string {
  let out = '';
  let at = 0;
  for (;;) {
    const end = raw.indexOf('\r\n', at);
    if (end < 0) return out;
    const size = Number.parseInt(raw.slice(at, end), 16);
    if (!(size > 0)) return out;
    out += raw.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
}
