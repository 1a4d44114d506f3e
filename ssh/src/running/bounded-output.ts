import { StringDecoder } from 'node:string_decoder';

/** A Buffer costs more than a hundred bytes by itself, so small parts are gathered in blocks of this size. */
const blockBytes = 256;
/** Where the two streams alternate byte by byte, each byte takes a block of its own. */
const blocksAtMost = 8_192;

/** The output of one command on both streams, within one bound. */
export class BoundedOutput {
  readonly #atMostBytes: number;
  readonly #chunks: { stream: 'stdout' | 'stderr'; bytes: Buffer; room: Buffer | null }[] = [];
  #total = 0;
  truncated = false;

  constructor(atMostBytes: number) {
    this.#atMostBytes = atMostBytes;
  }

  /** Keeps the newest bytes. Returns false once it dropped older ones. */
  add(stream: 'stdout' | 'stderr', bytes: Buffer): boolean {
    this.#append(stream, bytes);
    this.#total += bytes.length;
    while (this.#total > this.#atMostBytes || this.#chunks.length > blocksAtMost) {
      const oldest = this.#chunks[0];
      if (!oldest) break;
      const excess = this.#total - this.#atMostBytes;
      const dropped = excess > 0 ? Math.min(excess, oldest.bytes.length) : oldest.bytes.length;
      if (dropped === oldest.bytes.length) this.#chunks.shift();
      else oldest.bytes = oldest.bytes.subarray(dropped);
      this.#total -= dropped;
      this.truncated = true;
    }
    return !this.truncated;
  }

  #append(stream: 'stdout' | 'stderr', bytes: Buffer): void {
    const last = this.#chunks.at(-1);
    if (last?.stream === stream && last.room && bytes.length <= last.room.length) {
      bytes.copy(last.room);
      const { buffer, byteOffset, length } = last.bytes;
      last.bytes = Buffer.from(buffer, byteOffset, length + bytes.length);
      last.room = last.room.subarray(bytes.length);
    } else if (bytes.length < blockBytes) {
      const block = Buffer.allocUnsafeSlow(blockBytes);
      bytes.copy(block);
      this.#chunks.push({
        stream,
        bytes: block.subarray(0, bytes.length),
        room: block.subarray(bytes.length),
      });
    } else this.#chunks.push({ stream, bytes, room: null });
  }

  text(stream: 'stdout' | 'stderr'): string {
    return decode(this.#chunks.filter((chunk) => chunk.stream === stream).map((chunk) => chunk.bytes));
  }

  /** The last `bytes` of both streams, in their order of arrival. */
  tail(bytes = 4_096): string {
    const all = Buffer.concat(this.#chunks.slice(-1_000).map((chunk) => chunk.bytes));
    return decode([all.subarray(Math.max(0, all.length - bytes))]);
  }
}

const decode = (chunks: Buffer[]) => Buffer.concat(chunks).toString('utf8');

/** A returned promise resolves when the reader has taken the text. */
export type OnText = (text: string) => void | Promise<void>;

/** Calls `onText` with whole characters only, wherever the bytes were cut. */
export function textStream(onText: OnText | undefined) {
  const decoder = new StringDecoder('utf8');
  const pass = (text: string) => (text === '' ? undefined : onText?.(text));
  return {
    write: (bytes: Buffer) => pass(decoder.write(bytes)),
    end: () => pass(decoder.end()),
  };
}
