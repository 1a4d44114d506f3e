import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What stands in front of several consoles. */
export type Front = {
  /** The port of the replica that the front leads a browser with these cookies to. Undefined before its first request. */
  replicaOf(cookies: string): number | undefined;
  stop(): Promise<void>;
};

export type FrontPlan = { port: number; replicas: readonly number[]; folder: string; guide: string };

const cookieName = 'replica';

/**
 * A balancer that keeps a browser at one replica by a cookie, and leads it to another one where that does not answer `/readyz`: the
 * least that the operator's guide asks of a front. It repeats a request whose replica took no connection, and a GET without an answer.
 * What a browser says of its connection holds for the one to the balancer alone (RFC 9110, section 7.6.1).
 */
export async function startBalancer({
  port,
  replicas,
}: Pick<FrontPlan, 'port' | 'replicas'>): Promise<Front> {
  const agent = new Agent({ keepAlive: true });
  const sockets = new Set<Socket>();
  const down = new Set<number>();
  let turn = 0;

  async function choose(cookies: string): Promise<number> {
    const own = replicaIn(cookies, replicas);
    const first = own ?? replicas[turn++ % replicas.length] ?? 0;
    for (const each of [first, ...replicas.filter((other) => other !== first)]) {
      if (down.has(each) && (await isReady(each))) down.delete(each);
      if (!down.has(each)) return each;
    }
    throw new Error('no replica answers');
  }

  /** Passes the request on. Rejects where it may be repeated: no connection, or no answer to a GET. */
  function pass(req: IncomingMessage, body: Buffer, res: ServerResponse, replica: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const { url, method = 'GET', headers } = req;
      const from = { 'x-forwarded-for': req.socket.remoteAddress ?? '' };
      const onward = request({
        ...{ agent, host: '127.0.0.1', port: replica, path: url, method },
        headers: { ...headers, ...from, connection: 'keep-alive' },
      });
      onward.once('error', (error: NodeJS.ErrnoException) => {
        if (res.headersSent) res.destroy();
        else if (error.code === 'ECONNREFUSED' || method === 'GET') return reject(error);
        else res.writeHead(502).end();
        resolve();
      });
      onward.once('response', (answer) => {
        const { connection: _hop, 'keep-alive': _time, ...fields } = answer.headers;
        const cookies = [fields['set-cookie'] ?? [], `${cookieName}=${replica}; Path=/`].flat();
        res.writeHead(answer.statusCode ?? 502, { ...fields, 'set-cookie': cookies });
        answer.pipe(res);
        answer.once('error', () => res.destroy());
        answer.once('close', resolve);
      });
      res.once('close', () => onward.destroy());
      onward.end(body);
    });
  }

  const server = createServer(async (req, res) => {
    try {
      const body = await buffer(req);
      for (;;) {
        const replica = await choose(req.headers.cookie ?? '');
        try {
          return await pass(req, body, res, replica);
        } catch {
          down.add(replica);
        }
      }
    } catch {
      if (!res.headersSent) res.writeHead(502);
      res.end();
    }
  });
  server.on('upgrade', async (req, socket: Socket, head) => {
    socket.on('error', () => socket.destroy());
    const replica = await choose(req.headers.cookie ?? '').catch(() => 0);
    const onward = connect(replica, '127.0.0.1');
    onward.on('error', () => socket.destroy());
    onward.once('close', () => socket.destroy());
    socket.once('close', () => onward.destroy());
    const fields = Array.from({ length: req.rawHeaders.length / 2 }, (_, at) =>
      req.rawHeaders.slice(2 * at, 2 * at + 2).join(': '),
    );
    onward.write(`${req.method} ${req.url} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`);
    onward.write(head);
    onward.pipe(socket).pipe(onward);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    replicaOf: (cookies) => replicaIn(cookies, replicas),
    async stop() {
      agent.destroy();
      for (const socket of sockets) socket.destroy();
      server.close();
      if ((server.address() as AddressInfo | null) !== null) await once(server, 'close');
    },
  };
}

const replicaIn = (cookies: string, replicas: readonly number[]): number | undefined =>
  replicas.find((each) => cookies.split('; ').includes(`${cookieName}=${each}`));

const isReady = (replica: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${replica}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
