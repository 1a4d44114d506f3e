import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { StoreError } from '@homeport/store';
import { Decrypter, Encrypter } from 'age-encryption';
import { StartError } from '../start-error.ts';
import { command } from '../version.ts';

/** Levels above this one cost more time than they save bytes: most of a backup is numbers. */
const gzipLevel = 3;

/** An archive as a file holds it: compressed, and encrypted to these recipients. Without recipients it is only compressed. */
export function seal(
  archive: AsyncIterable<Buffer>,
  recipients: readonly string[],
): AsyncIterable<Uint8Array> {
  const gzip = createGzip({ level: gzipLevel });
  const compressed = pipeline(Readable.from(archive), gzip, () => {});
  return recipients.length === 0 ? compressed : encrypted(compressed, encrypterTo(recipients));
}

async function* encrypted(source: AsyncIterable<Buffer>, encrypter: Encrypter): AsyncGenerator<Uint8Array> {
  yield* await encrypter.encrypt(webStream(source));
}

function encrypterTo(recipients: readonly string[]): Encrypter {
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new StartError(
        'A recipient is no public key of age: it begins with age1.',
        `age-keygen makes a pair, and so does: ${command} backup key FILE`,
      );
    }
  }
  return encrypter;
}

/** Refuses what is no public key before anything is made. */
export function checkRecipients(recipients: readonly string[]): void {
  encrypterTo(recipients);
}

const ageMagic = 'age-encryption.org/';
const gzipMagic = Buffer.from([0x1f, 0x8b]);

/** Opens a backup's file. Throws `StartError` for a missing or wrong key; a fault further on ends the archive with a `StoreError`. */
export function unseal(file: string, identityFile: string | undefined): Promise<AsyncIterable<Buffer>> {
  return opened(
    file,
    identityFile === undefined
      ? null
      : { from: identityFile, identities: () => readIdentities(identityFile) },
  );
}

/** As `unseal`, with a private key of age that no file holds. */
export function unsealWith(file: string, identity: string | null): Promise<AsyncIterable<Buffer>> {
  return opened(file, identity === null ? null : { from: 'the order', identities: async () => [identity] });
}

type Key = {
  /** Where the private keys are, for an error. */
  from: string;
  identities(): Promise<string[]>;
};

async function opened(file: string, key: Key | null): Promise<AsyncIterable<Buffer>> {
  const bytes = createReadStream(file, { highWaterMark: 256 * 1024 })[Symbol.asyncIterator]();
  const { value: first } = (await bytes.next().catch((error: unknown) => {
    throw unreadable(file, error);
  })) as IteratorResult<Buffer, undefined>;
  const source = withFirst(first ?? Buffer.alloc(0), bytes);
  if (first?.subarray(0, gzipMagic.length).equals(gzipMagic)) return uncompressed(source, file);
  if (!first?.toString('latin1', 0, ageMagic.length).startsWith(ageMagic)) throw noBackup(file);
  if (key === null) throw noKey(file);
  const decrypter = new Decrypter();
  for (const identity of await key.identities()) decrypter.addIdentity(identity);
  const clear = await decrypter.decrypt(webStream(source)).catch((error: unknown) => {
    throw wrongKey(file, key.from, error);
  });
  return uncompressed(clear, file);
}

async function* uncompressed(source: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Buffer> {
  try {
    yield* pipeline(Readable.from(source), createGunzip(), () => {}) as AsyncIterable<Buffer>;
  } catch (error) {
    throw error instanceof StoreError || (error as NodeJS.ErrnoException).syscall
      ? error
      : damagedFile(file, error);
  }
}

async function* withFirst(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return;
    yield value;
  }
}

/** Asks for the next chunk only when the reader wants one. */
function webStream(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The file of age-keygen: one identity a line, and comments. */
async function readIdentities(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unreadable(file, error);
  });
  const identities = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (identities.length === 0 || !identities.every((line) => line.startsWith('AGE-SECRET-KEY-')))
    throw new StartError(
      `${file} holds no private key of age.`,
      'Nothing was changed. Name the file that age-keygen or “backup key” made: a line in it begins with AGE-SECRET-KEY-.',
    );
  return identities;
}

function unreadable(file: string, error: unknown): StartError {
  return new StartError(
    `${file} cannot be read: ${(error as Error).message}.`,
    'Nothing was changed. Name a file that you may read.',
  );
}

function noBackup(file: string): StartError {
  return new StartError(
    `${file} is no backup of Homeport.`,
    'Nothing was changed. Name a file that “backup” made.',
  );
}

function noKey(file: string): StartError {
  return new StartError(
    `${file} is encrypted.`,
    'Nothing was changed. Name the file with the private key: --identity FILE.',
  );
}

function wrongKey(file: string, identityFile: string, error: unknown): StartError {
  const isOther = error instanceof Error && error.message.includes('identity');
  return new StartError(
    isOther
      ? `No private key in ${identityFile} opens ${file}.`
      : `${file} cannot be decrypted: its beginning is damaged.`,
    'Nothing was changed. Name the private key that belongs to the recipient for whom the backup was made.',
  );
}

function damagedFile(file: string, error: unknown): StoreError {
  return new StoreError(
    'archive_damaged',
    `The backup ${file} is damaged: it was cut or changed.`,
    'Nothing was changed. Take another copy of this backup, or an older backup.',
    error,
  );
}
