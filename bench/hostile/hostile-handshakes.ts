import { randomBytes } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** Listeners that begin SSH in ways that a client must refuse early and cheaply. */
export type HostileListeners = AsyncDisposable & { ports: readonly number[] };

/** RFC 4253, section 6: length, padding length, payload, padding, without a MAC before the first key exchange. */
function packet(payload: Buffer): Buffer {
  const padding = 8 - ((payload.length + 5) % 8) + 8;
  const head = Buffer.alloc(5);
  head.writeUInt32BE(payload.length + padding + 1, 0);
  head.writeUInt8(padding, 4);
  return Buffer.concat([head, payload, Buffer.alloc(padding)]);
}

function nameList(names: string): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(names.length);
  return Buffer.concat([head, Buffer.from(names)]);
}

/** SSH_MSG_KEXINIT (RFC 4253, section 7.1) with these key exchanges and this compression. */
function keyExchangeInit(exchanges: string, compression: string): Buffer {
  const ciphers = nameList('aes256-ctr,aes128-ctr');
  const macs = nameList('hmac-sha2-256');
  return packet(
    Buffer.concat([
      Buffer.from([20]),
      randomBytes(16),
      nameList(exchanges),
      nameList('ssh-ed25519'),
      ...[ciphers, ciphers, macs, macs, nameList(compression), nameList(compression)],
      ...[nameList(''), nameList('')],
      Buffer.alloc(5),
    ]),
  );
}

const version = 'SSH-2.0-Harbour\r\n';

/** The bytes that each listener sends after a client connected. */
const greetings: readonly ((socket: Socket) => void)[] = [
  // Lines before the version string, without an end (RFC 4253, section 4.2, allows some).
  (socket) => {
    const line = `${'x'.repeat(200)}\r\n`.repeat(300);
    const pour = () => {
      while (!socket.destroyed && socket.write(line));
      socket.once('drain', pour);
    };
    pour();
  },
  // One line that never ends.
  (socket) => {
    const text = 'x'.repeat(64 * 1024);
    const pour = () => {
      while (!socket.destroyed && socket.write(text));
      socket.once('drain', pour);
    };
    pour();
  },
  // A group exchange only, whose prime the server would choose.
  (socket) => {
    socket.write(version);
    socket.write(keyExchangeInit('diffie-hellman-group-exchange-sha256', 'none'));
    // SSH_MSG_KEX_DH_GEX_GROUP with 10,000 bits (RFC 4419, section 3).
    socket.write(packet(Buffer.concat([Buffer.from([31, 0, 0, 4, 0xe3, 0]), randomBytes(1250)])));
  },
  // Compression only.
  (socket) => {
    socket.write(version);
    socket.write(keyExchangeInit('curve25519-sha256', 'zlib,zlib@openssh.com'));
  },
  // A list of names as long as a packet may be.
  (socket) => {
    socket.write(version);
    socket.write(keyExchangeInit(`${'a,'.repeat(15_000)}curve25519-sha256`, 'none'));
  },
  // Nothing at all.
  () => {},
];

export async function startHostileListeners(): Promise<HostileListeners> {
  const sockets = new Set<Socket>();
  const servers = await Promise.all(
    greetings.map(async (greet) => {
      const server = createServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => sockets.delete(socket));
        socket.resume();
        greet(socket);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  return {
    ports: servers.map((server) => (server.address() as AddressInfo).port),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}
