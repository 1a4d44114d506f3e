import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { type DataPlace, openForBackup, readMigrations, writeArchive } from '@homeport/store';
import type { Cleanup } from '../shutdown.ts';
import { version } from '../version.ts';
import { newFile } from './new-file.ts';
import { seal } from './seal.ts';

export type BackupOrder = {
  place: DataPlace;
  /** The console's. The backup holds it. */
  secret: string;
  /** A path, or “-” for standard output. */
  file: string;
  /** Public keys of age. None: the file is in clear. */
  recipients: readonly string[];
};

export type MadeFile = {
  rows: number;
  tables: number;
  bytes: number;
  /** Of the file, in hex. */
  sha256: string;
  /** What the archive takes before it is compressed. */
  archiveBytes: number;
};

/** Writes a backup of a console that runs or not. Its file is whole or absent. Throws `StartError` and `StoreError`. */
export async function makeBackup(
  { place, secret, file, recipients }: BackupOrder,
  cleanup: Cleanup,
): Promise<MadeFile> {
  const migrations = await readMigrations();
  const target = file === '-' ? undefined : await newFile(file);
  if (target) cleanup.add('the unfinished backup', () => target.discard());
  const { client, close } = await openForBackup(place);
  cleanup.add('PostgreSQL', close);
  let rows = 0;
  let tables = 0;
  let archiveBytes = 0;
  async function* archive() {
    const facts = { madeBy: version, secret, migrations, now: Date.now() };
    const { tables: proofs } = yield* counting(writeArchive(client, facts), (chunk) => {
      archiveBytes += chunk.length;
    });
    tables = Object.keys(proofs).length;
    rows = Object.values(proofs).reduce((sum, proof) => sum + proof.rows, 0);
  }
  const sum = createHash('sha256');
  let bytes = 0;
  const sealed = counting(seal(archive(), recipients), (chunk) => {
    bytes += chunk.length;
    sum.update(chunk);
  });
  if (target) await target.write(sealed);
  else await pipeline(sealed, process.stdout, { end: false });
  return { rows, tables, bytes, sha256: sum.digest('hex'), archiveBytes };
}

/** Passes every chunk on, and the last value too. */
async function* counting<Chunk, Last>(
  chunks: AsyncIterable<Chunk, Last>,
  count: (chunk: Chunk) => void,
): AsyncGenerator<Chunk, Last> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await source.next();
      if (done) return value;
      count(value);
      yield value;
    }
  } finally {
    await source.return?.();
  }
}
