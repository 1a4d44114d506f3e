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

const lotBytes = 256 * 1024;
const lotsAtMost = 8;

type Lot = { at: number; bytes: Uint8Array<SharedArrayBuffer>; filled: number };

/**
 * Starts a thread that computes a checksum. SHA-256 of a GiB takes most of a second, during which the thread of all requests would
 * read nothing from a server. The bytes are copied into lots in memory that both threads see: a buffer that changes hands would cost
 * the garbage collectors of both as much as the checksum itself.
 */
export function startChecksum(): Checksum {
  const lots = Array.from({ length: lotsAtMost }, () => new Uint8Array(new SharedArrayBuffer(lotBytes)));
  // Flags of the process may say how a text is read: with `--input-type=module` the program would not run.
  const worker = new Worker(program, { eval: true, workerData: lots, execArgv: [] });
  const free: Lot[] = lots.map((bytes, at) => ({ at, bytes, filled: 0 }));
  const full = new Map<number, Lot>();
  const held: Uint8Array[] = [];
  const waiting: (() => void)[] = [];

  const wake = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  const send = () => {
    const lot = free[0];
    if (!lot || lot.filled === 0) return;
    free.shift();
    full.set(lot.at, lot);
    worker.postMessage([lot.at, lot.filled]);
  };
  const fill = () => {
    for (let [piece] = held; piece; [piece] = held) {
      const lot = free[0];
      if (!lot) return;
      const fits = piece.subarray(0, lot.bytes.length - lot.filled);
      lot.bytes.set(fits, lot.filled);
      lot.filled += fits.length;
      if (fits.length === piece.length) held.shift();
      else held[0] = piece.subarray(fits.length);
      if (lot.filled === lot.bytes.length) send();
    }
    wake();
  };
  const ended = new Promise<string>((resolve, reject) => {
    worker.on('message', (told: number | string) => {
      if (typeof told === 'string') return resolve(told);
      const lot = full.get(told);
      full.delete(told);
      if (lot) free.push({ ...lot, filled: 0 });
      fill();
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('The thread of a checksum ended early.')));
  });
  let isGone = false;
  // Without a listener its failure would end the process when nobody asks for the checksum any more.
  ended.catch(() => {
    isGone = true;
    held.length = 0;
    wake();
  });
  const keptUp = () => new Promise<void>((resolve) => waiting.push(resolve));

  return {
    update(bytes) {
      if (isGone) return;
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
const { parentPort, workerData: lots } = require('node:worker_threads');
const checksum = createHash('sha256');
parentPort.on('message', (told) => {
  if (told === null) return parentPort.postMessage(checksum.digest('hex'));
  const [at, filled] = told;
  checksum.update(lots[at].subarray(0, filled));
  parentPort.postMessage(at);
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
