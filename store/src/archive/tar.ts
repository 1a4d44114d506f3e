import { damaged } from './archive-error.ts';

/** POSIX.1-1988 tar (ustar): https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06 */

const blockBytes = 512;
/** More than the largest piece that a backup writes. A reader holds one entry in memory. */
const mostEntryBytes = 8 * 1024 * 1024;
const nameBytes = 100;

export type Entry = { name: string; content: Buffer };

/** The header, the content and the padding of one file. `at` is in epoch milliseconds. */
export function tarEntry(name: string, content: Uint8Array, at: number): Buffer[] {
  if (Buffer.byteLength(name) > nameBytes) throw new Error(`${name} is too long for an archive`);
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0, 'utf8');
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${octal(content.length, 11)}\0`, 124);
  header.write(`${octal(Math.floor(at / 1000), 11)}\0`, 136);
  header.write('0', 156);
  header.write('ustar\u000000', 257);
  header.write(`${octal(checksumOf(header), 6)}\0 `, 148);
  return [header, Buffer.from(content), Buffer.alloc(padding(content.length))];
}

export const tarEnd = (): Buffer => Buffer.alloc(2 * blockBytes);

/** The files of a tar, each whole. Throws `StoreError` where it is cut or is none. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  const take = byteReader(source);
  for (;;) {
    const header = await take(blockBytes);
    if (header === null) throw damaged('It ends too early.');
    if (header.every((byte) => byte === 0)) break;
    const name = header.toString('utf8', 0, nameBytes).split('\0')[0] ?? '';
    const size = Number.parseInt(header.toString('latin1', 124, 136), 8);
    const checksum = Number.parseInt(header.toString('latin1', 148, 156), 8);
    if (checksum !== checksumOf(header) || !(size >= 0))
      throw damaged('It is not what a backup consists of.');
    if (size > mostEntryBytes) throw damaged(`${name} is larger than a backup writes it.`);
    const content = await take(size);
    if (content === null || (await take(padding(size))) === null) throw damaged('It ends too early.');
    yield { name, content };
  }
  if ((await take(blockBytes)) === null) throw damaged('It ends too early.');
  if ((await take(1)) !== null) throw damaged('Something stands behind its end.');
}

/** Takes exactly so many bytes; null where fewer are left. */
function byteReader(source: AsyncIterable<Uint8Array>): (bytes: number) => Promise<Buffer | null> {
  const chunks = source[Symbol.asyncIterator]();
  let held: Buffer[] = [];
  let heldBytes = 0;
  return async (bytes) => {
    while (heldBytes < bytes) {
      const { done, value } = await chunks.next();
      if (done) return null;
      held.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      heldBytes += value.byteLength;
    }
    const all = held.length === 1 && held[0] ? held[0] : Buffer.concat(held);
    held = [all.subarray(bytes)];
    heldBytes -= bytes;
    return all.subarray(0, bytes);
  };
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
const padding = (bytes: number): number => (blockBytes - (bytes % blockBytes)) % blockBytes;

/** The sum of the header's bytes, with blanks in place of the sum itself. */
function checksumOf(header: Buffer): number {
  let sum = 0;
  for (let index = 0; index < blockBytes; index += 1)
    sum += index >= 148 && index < 156 ? 0x20 : (header[index] ?? 0);
  return sum;
}
