import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { listen } from './start-plane.ts';
import { readStrictly, type StrictMessage } from './strict-messages.ts';

/** A whole request that arrived. */
export type Recorded = {
  mark: string;
  address: string;
  method: string;
  body: string;
  headers: StrictMessage['headers'];
};

export type RecordingUpstream = {
  origin: string;
  arrived: Recorded[];
  /** What was no request. */
  violations: string[];
  /** Connections that were opened. */
  readonly connections: number;
  close(): void;
};

export function markOf(address: string): string {
  return /[?&]mark=([a-z0-9-]+)/.exec(address)?.[1] ?? 'none';
}
const modeOf = (address: string): string => /^\/([a-z-]+)/.exec(address)?.[1] ?? 'length';

/** An upstream that reads raw bytes strictly, and answers in the way that the first part of the address names. */
export async function startRawRecorder(): Promise<RecordingUpstream> {
  const arrived: Recorded[] = [];
  const violations: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    const reader = readStrictly('requests');
    let hasAnswered = false;
    let isTunnel = false;
    const read = () => {
      while (!isTunnel) {
        const begun = reader.begun();
        if (begun !== null && !hasAnswered) hasAnswered = answersEarly(socket, begun);
        isTunnel = begun !== null && opensTunnel(socket, begun);
        const message = isTunnel ? null : reader.next();
        if (message === null) return;
        const [method = '', address = ''] = message.line.split(' ');
        arrived.push({
          mark: markOf(address),
          address,
          method,
          body: message.body,
          headers: message.headers,
        });
        if (!hasAnswered) answerWhole(socket, message);
        hasAnswered = false;
      }
    };
    socket.setEncoding('latin1').on('error', () => undefined);
    socket.once('end', () => socket.end()).once('close', () => sockets.delete(socket));
    socket.on('data', (text: string) => {
      if (isTunnel) return;
      reader.take(text);
      try {
        read();
      } catch (error) {
        violations.push(`${String(error)} in ${JSON.stringify(reader.rest.slice(0, 300))}`);
        socket.destroy();
      }
    });
  });
  const port = await listen(server);
  return {
    ...{ origin: `http://127.0.0.1:${port}`, arrived, violations },
    get connections() {
      return connections;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Node's own server as an upstream. */
export async function startNodeRecorder(): Promise<RecordingUpstream> {
  const arrived: Recorded[] = [];
  const violations: string[] = [];
  let connections = 0;
  const server = createHttpServer((req, res) => {
    const [method, mark] = [req.method ?? '', markOf(req.url ?? '')];
    let body = '';
    req.setEncoding('latin1').on('data', (text: string) => {
      body += text;
    });
    req.once('end', () => {
      const headers = req.rawHeaders.flatMap((name, index): [string, string][] =>
        index % 2 === 0 ? [[name.toLowerCase(), req.rawHeaders[index + 1] ?? '']] : [],
      );
      arrived.push({ mark, address: req.url ?? '', method, body, headers });
      res.setHeader('X-Mark', mark);
      if (modeOf(req.url ?? '') === 'chunked') res.write('in ');
      res.end(`answer to ${mark}`);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.on('clientError', (error, socket) => {
    // A visitor who leaves in the middle takes the connection to the website with it.
    if ('code' in error && error.code !== 'ECONNRESET' && error.code !== 'HPE_INVALID_EOF_STATE')
      violations.push(String(error));
    socket.destroy();
  });
  const port = await listen(server);
  return {
    ...{ origin: `http://127.0.0.1:${port}`, arrived, violations },
    get connections() {
      return connections;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Begun = Pick<StrictMessage, 'line' | 'headers'>;

/** True when the answer went out before the body came. */
function answersEarly(socket: Socket, { line }: Begun): boolean {
  const [method = '', address = ''] = line.split(' ');
  switch (modeOf(address)) {
    case 'early':
      socket.write(withLength(method, markOf(address)), 'latin1');
      return true;
    case 'early-close':
      socket.end(withLength(method, markOf(address), 'Connection: close\r\n'), 'latin1');
      return true;
    case 'reset':
      socket.resetAndDestroy();
      return true;
    default:
      return false;
  }
}

function opensTunnel(socket: Socket, { headers }: Begun): boolean {
  if (!headers.some(([name, value]) => name === 'sec-websocket-key' && value === 'T')) return false;
  if (!headers.some(([name]) => name === 'upgrade')) return false;
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  return true;
}

function withLength(method: string, mark: string, more = ''): string {
  const body = `answer to ${mark}`;
  const head = `HTTP/1.1 200 OK\r\nX-Mark: ${mark}\r\n${more}Content-Length: ${body.length}\r\n\r\n`;
  return method === 'HEAD' ? head : head + body;
}

function answerWhole(socket: Socket, { line }: StrictMessage): void {
  const [method = '', address = ''] = line.split(' ');
  const mark = markOf(address);
  const isHead = method === 'HEAD';
  const begin = (status: string) => `HTTP/1.1 ${status}\r\nX-Mark: ${mark}\r\n`;
  const whole = withLength(method, mark);
  const put = (text: string) => void socket.write(text, 'latin1');
  switch (modeOf(address)) {
    case 'chunked': {
      const body = isHead
        ? ''
        : `9\r\nanswer to\r\n${(mark.length + 1).toString(16)}\r\n ${mark}\r\n0\r\nX-Sum: 7\r\n\r\n`;
      put(`${begin('200 OK')}Transfer-Encoding: chunked\r\n\r\n${body}`);
      return;
    }
    case 'eof':
      socket.end(`${begin('200 OK')}Connection: close\r\n\r\n${isHead ? '' : `answer to ${mark}`}`, 'latin1');
      return;
    case 'interim':
      put(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nX-Mark: wrong\r\n\r\n${whole}`);
      return;
    case 'empty':
      put(`${begin('204 No Content')}\r\n`);
      return;
    case 'unchanged':
      put(`${begin('304 Not Modified')}Content-Length: 9\r\n\r\n`);
      return;
    case 'slow':
      setImmediate(() => {
        put(whole.slice(0, 20));
        setImmediate(() => put(whole.slice(20)));
      });
      return;
    case 'reset-late':
      socket.write(whole.slice(0, -3), 'latin1', () => socket.resetAndDestroy());
      return;
    case 'trailing':
      put(`${whole}HTTP/1.1 200 OK\r\nX-Mark: stray\r\nContent-Length: 5\r\n\r\nstray`);
      return;
    case 'bad':
      put(`${begin('200 OK')}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`);
      return;
    default:
      put(whole);
  }
}
