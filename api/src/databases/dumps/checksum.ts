import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';

/** SHA-256 of bytes that pass, computed in a thread of its own. */
export type Checksum = AsyncDisposable & {
  /**
   * Takes the bytes in, in the order of the calls. A returned promise resolves when the thread has kept up; bytes of calls before
   * that are held.
   */
  update(bytes: Uint8Array): void | Promise<void>;
  /** In lower-case hexadecimal digits. Call it last. Rejects if the thread failed. */
  digest(): Promise<string>;
};

const lotBytes = 1024 * 1024;
const lotsAtMost = 4;

/**
 * Starts a thread that computes a checksum. SHA-256 of a GiB takes most of a second, during which the thread of all requests would
 * read nothing from a server. The bytes are copied into lots, which go to the thread and come back to be filled again.
 */
export function startChecksum(): Checksum {
  const worker = new Worker(program, { eval: true });
  const free: ArrayBuffer[] = Array.from({ length: lotsAtMost }, () => new ArrayBuffer(lotBytes));
  const held: Uint8Array[] = [];
  let lot: Uint8Array<ArrayBuffer> | null = null;
  let filled = 0;
  const waiting: (() => void)[] = [];

  const wake = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  const send = () => {
    if (!lot) return;
    worker.postMessage({ lot: lot.buffer, bytes: filled }, [lot.buffer]);
    lot = null;
    filled = 0;
  };
  const fill = () => {
    for (let [piece] = held; piece; [piece] = held) {
      const next = free.at(-1);
      if (!lot && !next) return;
      lot ??= new Uint8Array(free.pop() ?? new ArrayBuffer(0));
      const fits = piece.subarray(0, lot.length - filled);
      lot.set(fits, filled);
      filled += fits.length;
      if (fits.length === piece.length) held.shift();
      else held[0] = piece.subarray(fits.length);
      if (filled === lot.length) send();
    }
    wake();
  };
  const ended = new Promise<string>((resolve, reject) => {
    worker.on('message', (told: ArrayBuffer | string) => {
      if (typeof told === 'string') return resolve(told);
      free.push(told);
      fill();
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('The thread of a checksum ended early.')));
  });
  // Without a listener its failure would end the process when nobody asks for the checksum any more.
  ended.catch(() => {
    held.length = 0;
    wake();
  });
  const keptUp = () => new Promise<void>((resolve) => waiting.push(resolve));

  return {
    update(bytes) {
      if (bytes.length > 0) held.push(bytes);
      fill();
      return held.length === 0 ? undefined : keptUp();
    },
    async digest() {
      if (held.length > 0) await keptUp();
      send();
      worker.postMessage(null);
      return ended;
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}

/** As text, because the console is one bundled file. */
const program = `
const { createHash } = require('node:crypto');
const { parentPort } = require('node:worker_threads');
const checksum = createHash('sha256');
parentPort.on('message', (told) => {
  if (told === null) return parentPort.postMessage(checksum.digest('hex'));
  checksum.update(new Uint8Array(told.lot, 0, told.bytes));
  parentPort.postMessage(told.lot, [told.lot]);
});
`;

/** The same for a few bytes, for which no thread is worth its start. */
export function checksumHere(): Checksum {
  const checksum = createHash('sha256');
  return {
    update: (bytes) => void checksum.update(bytes),
    digest: async () => checksum.digest('hex'),
    async [Symbol.asyncDispose]() {},
  };
}
