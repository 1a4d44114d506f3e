import { Readable } from 'node:stream';
import type { AvatarType } from '@homeport/contract/account/facts';

/** A file that a route answers with. */
export type FileAnswer = {
  /** Letters, digits, `.`, `_` and `-` only: the name under which a browser saves it. */
  name: string;
  /** Its length; null if nobody knows it before the last byte. */
  bytes: number | null;
  /** Default: bytes that no browser shows. */
  type?: 'application/json' | AvatarType;
  /** Default: no browser keeps it. */
  cacheControl?: string;
  /**
   * Hands the bytes over in order, and waits for each returned promise. Rejects if the file cannot be completed: the last bytes
   * must not be handed over before the whole file is known to be right.
   */
  pour(take: (bytes: Uint8Array) => void | Promise<void>): Promise<void>;
};

/** What waits in this process for a slow reader. */
const heldBytes = 256 * 1024;

/**
 * The file as a stream, once its first bytes are there: a file that cannot be read at all is refused like any other request. A
 * failure after that destroys the stream, so that the answer breaks off before its announced length, or before its last chunk.
 */
export async function openFile(file: FileAnswer): Promise<Readable> {
  // A server sends several pieces before the first one is taken. Each of them waits for the reader.
  let waiting: (() => void)[] = [];
  const wake = () => {
    const now = waiting;
    waiting = [];
    for (const taken of now) taken();
  };
  const stream = new Readable({ highWaterMark: heldBytes, read: wake });
  // A reader who leaves pulls no more.
  stream.once('close', wake);
  await new Promise<void>((begun, refused) => {
    const take = (bytes: Uint8Array) => {
      begun();
      if (stream.push(bytes) || stream.destroyed) return;
      return new Promise<void>((taken) => waiting.push(taken));
    };
    file.pour(take).then(
      () => {
        begun();
        stream.push(null);
      },
      (error: Error) => {
        refused(error);
        // Without a listener an error of a stream that nobody reads yet would end the process.
        stream.on('error', () => {});
        stream.destroy(error);
      },
    );
  });
  return stream;
}

const safeName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/;

export function headersOf({ name, bytes, type, cacheControl }: FileAnswer): Record<string, string> {
  if (!safeName.test(name)) throw new Error('A file is offered under a name that is not safe in a header.');
  return {
    'content-type': type ?? 'application/octet-stream',
    ...(bytes !== null && { 'content-length': String(bytes) }),
    ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
    'content-disposition': `attachment; filename="${name}"`,
  };
}
