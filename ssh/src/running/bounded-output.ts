import { StringDecoder } from 'node:string_decoder';

/** What one command printed on both streams, held within one bound. */
export class BoundedOutput {
  readonly #atMostBytes: number;
  readonly #chunks: { stream: 'stdout' | 'stderr'; bytes: Buffer }[] = [];
  #total = 0;
  truncated = false;

  constructor(atMostBytes: number) {
    this.#atMostBytes = atMostBytes;
  }

  /** Keeps the newest bytes. False once older ones had to go. */
  add(stream: 'stdout' | 'stderr', bytes: Buffer): boolean {
    this.#chunks.push({ stream, bytes });
    this.#total += bytes.length;
    while (this.#total > this.#atMostBytes) {
      const oldest = this.#chunks[0];
      if (!oldest) break;
      const excess = this.#total - this.#atMostBytes;
      const dropped = Math.min(excess, oldest.bytes.length);
      if (dropped === oldest.bytes.length) this.#chunks.shift();
      else oldest.bytes = oldest.bytes.subarray(dropped);
      this.#total -= dropped;
      this.truncated = true;
    }
    return !this.truncated;
  }

  text(stream: 'stdout' | 'stderr'): string {
    return decode(this.#chunks.filter((chunk) => chunk.stream === stream).map((chunk) => chunk.bytes));
  }

  /** The last `bytes` of both streams as they came. */
  tail(bytes = 4_096): string {
    const all = Buffer.concat(this.#chunks.slice(-1_000).map((chunk) => chunk.bytes));
    return decode([all.subarray(Math.max(0, all.length - bytes))]);
  }
}

const decode = (chunks: Buffer[]) => Buffer.concat(chunks).toString('utf8');

/** Calls `onText` with whole characters only, however the bytes were cut on their way. */
export function textStream(onText: ((text: string) => void) | undefined) {
  const decoder = new StringDecoder('utf8');
  const pass = (text: string) => {
    if (text !== '') onText?.(text);
  };
  return {
    write: (bytes: Buffer) => pass(decoder.write(bytes)),
    end: () => pass(decoder.end()),
  };
}
