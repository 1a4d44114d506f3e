import { randomBytes } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { wireString } from '../src/opening/wire.ts';
import { listen } from './listen.ts';

export type RawServer = AsyncDisposable & { host: string; port: number };

/** A server that speaks SSH by hand: `speak` gets the socket of each client right after it connected. */
export async function startRawServer(speak: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    speak(socket);
  });
  const port = await listen(server);
  return {
    host: '127.0.0.1',
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** An unencrypted packet (RFC 4253, section 6). */
export function packetOf(payload: Buffer): Buffer {
  const padding = 8 - ((payload.length + 5) % 8) + 8;
  const header = Buffer.alloc(5);
  header.writeUInt32BE(1 + payload.length + padding);
  header.writeUInt8(padding, 4);
  return Buffer.concat([header, payload, Buffer.alloc(padding)]);
}

/** The KEXINIT (RFC 4253, section 7.1) of an ordinary server, except for `lists`. */
export function offering(lists: { kex?: string; cipher?: string; mac?: string; compress?: string }): Buffer {
  const {
    kex = 'curve25519-sha256',
    cipher = 'aes128-ctr',
    mac = 'hmac-sha2-256',
    compress = 'none',
  } = lists;
  const names = [kex, 'ssh-ed25519', cipher, cipher, mac, mac, compress, compress, '', ''];
  return Buffer.concat([
    Buffer.of(20),
    randomBytes(16),
    ...names.map((name) => wireString(name)),
    Buffer.alloc(5),
  ]);
}
