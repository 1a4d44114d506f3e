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

/** A piece below this size waits for others, because each one costs some hundred bytes of memory while it waits. */
const smallBytes = 1_024;
const gatheredBytes = 16 * 1024;
/** Small pieces wait no longer than this for a reader who takes them. */
const gatheredMs = 20;

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
  const small = gatherSmall(stream);
  // A reader who leaves pulls no more.
  stream.once('close', () => {
    small.stop();
    wake();
  });
  await new Promise<void>((begun, refused) => {
    const take = (bytes: Uint8Array) => {
      begun();
      if (stream.destroyed || (bytes.length < smallBytes && small.take(bytes))) return;
      small.push();
      if (stream.push(bytes)) return;
      return new Promise<void>((taken) => waiting.push(taken));
    };
    file.pour(take).then(
      () => {
        begun();
        small.push();
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

/** Makes larger pieces of small ones while the stream holds bytes that its reader has not taken. */
function gatherSmall(stream: Readable) {
  let block: Buffer | null = null;
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  const push = () => {
    clearTimeout(timer);
    timer = undefined;
    if (block === null || length === 0) return;
    const bytes = block.subarray(0, length);
    block = null;
    length = 0;
    stream.push(bytes);
  };
  const look = () => {
    if (stream.readableLength === 0) push();
    else timer = setTimeout(look, gatheredMs).unref();
  };
  return {
    push,
    /** False: nothing was taken, and the bytes are to be pushed behind what was gathered. */
    take(bytes: Uint8Array): boolean {
      if (stream.readableLength === 0 || length + bytes.length > gatheredBytes) return false;
      block ??= Buffer.allocUnsafeSlow(gatheredBytes);
      block.set(bytes, length);
      length += bytes.length;
      timer ??= setTimeout(look, gatheredMs).unref();
      return true;
    },
    stop: () => clearTimeout(timer),
  };
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
