import { gzipSync } from 'node:zlib';

const blockBytes = 512;

/** Files beneath one folder at the top, in the form `ustar` of POSIX.1-1988, compressed. Equal files make equal bytes. */
export function tarGz(folder: string, files: readonly { path: string; bytes: Buffer }[]): Buffer {
  const blocks = files.flatMap(({ path, bytes }) => [
    headerOf(`${folder}/${path}`, bytes.length),
    bytes,
    Buffer.alloc((blockBytes - (bytes.length % blockBytes)) % blockBytes),
  ]);
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]));
}

function headerOf(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new RangeError(`${name} is too long a name for a tar file.`);
  const header = Buffer.alloc(blockBytes);
  const put = (at: number, text: string) => header.write(text, at, 'utf8');
  const octal = (at: number, digits: number, value: number) =>
    put(at, value.toString(8).padStart(digits, '0'));
  put(0, name);
  octal(100, 7, 0o644);
  octal(108, 7, 0);
  octal(116, 7, 0);
  octal(124, 11, size);
  octal(136, 11, 0);
  // The sum counts its own field as blanks.
  put(148, ' '.repeat(8));
  put(156, '0');
  put(257, 'ustar');
  put(263, '00');
  const sum = header.reduce((total, byte) => total + byte, 0);
  octal(148, 6, sum);
  header.writeUInt8(0, 154);
  return header;
}
