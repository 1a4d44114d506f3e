import { once } from 'node:events';
import { createConnection, createServer, type Socket } from 'node:net';

export type TransactionPooler = {
  /** The address of the same database, through the pooler. */
  url: string;
  [Symbol.asyncDispose](): Promise<void>;
};

/** How many sessions it lends. */
const sessionCount = 4;

/**
 * A pooler in transaction mode, as PgBouncer is by `pool_mode = transaction`: each transaction gets the session that rested longest, so never the
 * one of before. What a session says while nobody has it is lost. It speaks as much of PostgreSQL's protocol as that takes
 * (https://www.postgresql.org/docs/18/protocol-message-formats.html): no TLS, no passwords, no cancelling.
 *
 * @param url of a database at a unix socket, without a password
 */
export async function startTransactionPooler(url: string): Promise<TransactionPooler> {
  const { username, hostname, pathname } = new URL(url);
  const database = pathname.slice(1);
  const sessions: Session[] = [];
  for (let count = 0; count < sessionCount; count += 1)
    sessions.push(await openSession(decodeURIComponent(hostname), username, database));
  const idle = [...sessions];
  const waiting: ((session: Session) => void)[] = [];
  const clients = new Set<Socket>();
  const take = async (): Promise<Session> =>
    idle.shift() ?? new Promise<Session>((resolve) => waiting.push(resolve));
  const giveBack = (session: Session) => {
    const next = waiting.shift();
    if (next) next(session);
    else idle.push(session);
  };
  const server = createServer((socket) => {
    clients.add(socket);
    socket.once('close', () => clients.delete(socket));
    socket.on('error', () => {});
    serve(socket, take, giveBack);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `postgresql://${username}@127.0.0.1:${port}/${database}`,
    async [Symbol.asyncDispose]() {
      for (const socket of clients) socket.destroy();
      for (const { socket } of sessions) socket.end(message('X', Buffer.alloc(0)));
      await Promise.all(sessions.map(({ ended }) => ended));
      server.close();
      await once(server, 'close');
    },
  };
}

type Message = { type: string; whole: Buffer };

type Session = {
  socket: Socket;
  ended: Promise<unknown>;
  /** Takes what the session says. Without anybody it is lost. */
  heard: ((said: Message) => void) | undefined;
};

async function openSession(folder: string, user: string, database: string): Promise<Session> {
  const socket = createConnection(`${folder}/.s.PGSQL.5432`);
  const session: Session = { socket, ended: once(socket, 'close'), heard: undefined };
  socket.on('error', () => {});
  const ready = new Promise<void>((resolve, reject) => {
    session.heard = ({ type, whole }) => {
      if (type === 'Z') resolve();
      else if (type === 'E') reject(new Error(whole.toString('utf8')));
    };
  });
  const read = messages((said) => session.heard?.(said));
  socket.on('data', read);
  const words = Buffer.from(`user\0${user}\0database\0${database}\0\0`);
  socket.write(framed(Buffer.concat([int32(3 << 16), words])));
  await ready;
  session.heard = undefined;
  return session;
}

/** A statement, or what goes with it up to its end, begins a transaction unless one is open. */
function serve(socket: Socket, take: () => Promise<Session>, giveBack: (session: Session) => void): void {
  let session: Session | undefined;
  let isGreeted = false;
  let isEnded = false;
  let order: Promise<void> = Promise.resolve();

  const release = () => {
    if (!session) return;
    session.heard = undefined;
    giveBack(session);
    session = undefined;
  };
  async function pass({ type, whole }: Message): Promise<void> {
    if (type === 'X' || isEnded) return;
    if (!session) {
      session = await take();
      session.heard = (said) => {
        socket.write(said.whole);
        // “I”: no transaction is open.
        if (said.type === 'Z' && said.whole[5] === 'I'.charCodeAt(0)) release();
      };
    }
    session.socket.write(whole);
  }
  const read = messages((said) => {
    order = order.then(() => pass(said));
  });
  socket.on('data', (chunk: Buffer) => {
    if (isGreeted) return read(chunk);
    // The first message has no type. The driver sends nothing behind it before it is answered.
    isGreeted = true;
    socket.write(
      Buffer.concat([message('R', int32(0)), message('K', Buffer.alloc(8)), message('Z', Buffer.from('I'))]),
    );
  });
  socket.once('close', () => {
    isEnded = true;
    // A transaction of a client that is gone is rolled back, and its session lent again.
    order = order.then(() => {
      if (!session) return;
      session.heard = ({ type, whole }) => {
        if (type === 'Z' && whole[5] === 'I'.charCodeAt(0)) release();
      };
      session.socket.write(message('Q', Buffer.from('rollback\0')));
    });
  });
}

/** Puts messages together again: a letter, then the length of what follows, itself included. */
function messages(heard: (said: Message) => void): (chunk: Buffer) => void {
  let held: Buffer = Buffer.alloc(0);
  return (chunk) => {
    held = Buffer.concat([held, chunk]);
    while (held.length >= 5) {
      const length = 1 + held.readInt32BE(1);
      if (held.length < length) return;
      heard({ type: String.fromCharCode(held[0] ?? 0), whole: Buffer.from(held.subarray(0, length)) });
      held = held.subarray(length);
    }
  };
}

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const framed = (content: Buffer): Buffer => Buffer.concat([int32(content.length + 4), content]);
const message = (type: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(type, 'latin1'), framed(content)]);
