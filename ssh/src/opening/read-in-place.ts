import type { OnReadOpts, Socket } from 'node:net';

/** As much as a server sends while this process does something else. A connection that carries little touches little of it. */
const sharedBytes = 128 * 1024;
/** A handshake comes in a few kilobytes. */
const ownBytes = 16 * 1024;

export type ReadMemory = {
  /** For `net.connect`. */
  onread: OnReadOpts;
  /** Hands what arrives to the listeners of `data` of this socket. Reading begins when somebody resumes it. */
  handTo(socket: Socket): void;
  /** From now on all reads share one piece of memory. Only while no listener keeps bytes beyond its call. */
  share(isSafe: boolean): void;
};

/**
 * Memory for the bytes of one socket. By itself Node allocates 64 KiB for each read, which then wait for the garbage collector: a
 * third of the processor time of a fast download.
 */
export function readMemory(): ReadMemory {
  let socket: Socket | null = null;
  let shared: Uint8Array | null = null;
  return {
    onread: {
      buffer: () => shared ?? Buffer.allocUnsafeSlow(ownBytes),
      callback(bytes, memory) {
        socket?.emit('data', Buffer.from(memory.buffer, memory.byteOffset, bytes));
        return true;
      },
    },
    handTo(reader) {
      socket = reader.pause();
    },
    share(isSafe) {
      shared = isSafe ? (shared ?? Buffer.allocUnsafeSlow(sharedBytes)) : null;
    },
  };
}
