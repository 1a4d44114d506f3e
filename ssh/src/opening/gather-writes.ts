import type { Socket } from 'node:net';

/**
 * Lets a connected socket send all writes of one turn of the event loop at once. ssh2 writes a packet in up to three pieces
 * (with AES-GCM its length, its ciphertext and its tag). Without Nagle's delay each piece would be a system call and a TCP
 * segment of its own, and would wake the server up.
 */
export function gatherWrites(socket: Socket): Socket {
  const write = socket.write;
  // Set on the object, not in a subclass: `connect` puts Socket's own `write` back.
  socket.write = (...args: unknown[]): boolean => {
    if (socket.writableCorked === 0) {
      socket.cork();
      setImmediate(() => socket.uncork());
    }
    return Reflect.apply(write, socket, args);
  };
  return socket;
}
