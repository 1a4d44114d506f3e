import type { Socket } from 'node:net';

/**
 * Lets a connected socket send in one go what is written to it in one turn of the event loop. ssh2 writes a packet in up
 * to three pieces (with AES-GCM its length, its ciphertext and its tag), and without Nagle's delay each would be a system
 * call and a TCP segment of its own, for which the server wakes up.
 */
export function gatherWrites(socket: Socket): Socket {
  const write = socket.write;
  // On the object and not in a class of its own: `connect` puts Socket's own `write` back.
  socket.write = (...args: unknown[]): boolean => {
    if (socket.writableCorked === 0) {
      socket.cork();
      setImmediate(() => socket.uncork());
    }
    return Reflect.apply(write, socket, args);
  };
  return socket;
}
