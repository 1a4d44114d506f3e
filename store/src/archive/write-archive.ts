import { createHash } from 'node:crypto';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { refuseUnknownTables } from '../migrate.ts';
import type { Migration } from '../read-migrations.ts';
import { backupLockKey } from '../series/partitions.ts';
import {
  type ArchivedRows,
  copyOut,
  readKeptTables,
  readPartitions,
  readSequences,
  sameText,
} from './catalogue.ts';
import {
  type ArchiveHead,
  type ArchiveManifest,
  archiveFormat,
  headName,
  manifestName,
  pieceBytes,
  pieceName,
  secretName,
} from './format.ts';
import { tableProof } from './prove-table.ts';
import { tarEnd, tarEntry } from './tar.ts';

export type ArchiveFacts = {
  madeBy: string;
  secret: string;
  migrations: Migration[];
  now: number;
  which?: ArchivedRows | undefined;
};

/**
 * The archive of everything that a restore needs, as of one moment, while others read and write. The last value is its manifest.
 * Throws `StoreError` where the data are not of this program's schema.
 */
export async function* writeArchive(
  client: pg.Client,
  { madeBy, secret, migrations, now, which }: ArchiveFacts,
): AsyncGenerator<Buffer, ArchiveManifest> {
  // Whoever tends partitions would lock their tables, wait for this transaction, and make all reports wait behind.
  await client.query('select pg_advisory_lock_shared($1)', [backupLockKey]);
  await client.query('begin isolation level repeatable read, read only');
  await client.query(sameText);
  await refuseUnknownTables(client, migrations);
  const head = await readHead(client, { madeBy, now, which });
  yield* tarEntry(headName, json(head), now);
  const manifest: ArchiveManifest = { tables: {}, secretSha256: sha256(secret) };
  for (const table of head.tables) {
    const proof = tableProof();
    let number = 0;
    for await (const piece of pieces(client.query(copyTo(copyOut(table))))) {
      proof.add(piece);
      number += 1;
      yield* tarEntry(pieceName(table.name, number), piece, now);
    }
    manifest.tables[table.name] = proof.end();
  }
  yield* tarEntry(secretName, Buffer.from(secret), now);
  yield* tarEntry(manifestName, json(manifest), now);
  yield tarEnd();
  await client.query('commit');
  return manifest;
}

async function readHead(
  client: pg.Client,
  { madeBy, now, which }: Pick<ArchiveFacts, 'madeBy' | 'now' | 'which'>,
): Promise<ArchiveHead> {
  const { rows: applied } = await client.query<ArchiveHead['migrations'][number]>(
    'select number, name, checksum from migration order by number',
  );
  const { rows: version } = await client.query<{ server_version: string }>('show server_version');
  return {
    ...{ format: archiveFormat, madeBy, at: now, postgres: version[0]?.server_version ?? '' },
    migrations: applied,
    tables: await readKeptTables(client, which),
    partitions: await readPartitions(client),
    sequences: await readSequences(client),
  };
}

async function* pieces(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of rows) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < pieceBytes) continue;
    yield Buffer.concat(held);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held);
}

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`);
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
