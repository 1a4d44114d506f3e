import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

/**
 * Counts each text in the memory of another process of ours, in UTF-8 or as V8's two-byte string. Linux only (proc(5): maps and
 * mem).
 */
export function copiesInMemory<Name extends string>(
  pid: number,
  texts: Record<Name, string>,
): Record<Name, number> {
  const names = Object.keys(texts) as Name[];
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').trim().split('\n')) {
      const [, from = '', to = '', rights = ''] = /^([\da-f]+)-([\da-f]+) (\S+)/.exec(line) ?? [];
      if (!rights.startsWith('rw')) continue;
      for (const piece of piecesOf(memory, Number.parseInt(from, 16), Number.parseInt(to, 16))) {
        for (const name of names) counts[name] += countIn(piece, texts[name]);
      }
    }
  } finally {
    closeSync(memory);
  }
  return counts;
}

const pieceBytes = 16 * 1024 * 1024;
const overlap = 256;

function* piecesOf(memory: number, from: number, to: number): Generator<Buffer> {
  const piece = Buffer.alloc(pieceBytes);
  for (let at = from; at < to; at += pieceBytes - overlap) {
    try {
      yield piece.subarray(0, readSync(memory, piece, 0, Math.min(pieceBytes, to - at), at));
    } catch {
      // This mapping cannot be read; the kernel has such mappings.
    }
  }
}

function countIn(bytes: Buffer, text: string): number {
  let count = 0;
  for (const form of [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')]) {
    for (let at = bytes.indexOf(form); at >= 0; at = bytes.indexOf(form, at + 1)) count += 1;
  }
  return count;
}
