import type { z } from 'zod';
import { damaged, newerArchive } from './archive-error.ts';
import {
  type ArchiveHead,
  type ArchiveManifest,
  archiveFormat,
  headName,
  headSchema,
  manifestName,
  manifestSchema,
  secretName,
  type TableProof,
  tableOfPiece,
} from './format.ts';
import { tableProof } from './prove-table.ts';
import { type Entry, readTar } from './tar.ts';
import { sha256 } from './write-archive.ts';

/** Who gets the parts of an archive while it is read. What it gets is proven only when `readArchive` has resolved. */
export type ArchiveTarget = {
  head(head: ArchiveHead): Promise<void>;
  piece(table: string, bytes: Buffer): Promise<void>;
};

export type ReadArchive = { head: ArchiveHead; manifest: ArchiveManifest; secret: string };

/** Reads an archive to its end and compares every part with its manifest. Throws `StoreError`. */
export async function readArchive(
  source: AsyncIterable<Uint8Array>,
  target: ArchiveTarget,
): Promise<ReadArchive> {
  let head: ArchiveHead | undefined;
  let secret: string | undefined;
  let manifest: ArchiveManifest | undefined;
  let open: { table: string; proof: ReturnType<typeof tableProof> } | undefined;
  const proofs = new Map<string, TableProof>();
  const endTable = () => {
    if (open) proofs.set(open.table, open.proof.end());
    open = undefined;
  };
  for await (const { name, content } of readTar(source)) {
    if (manifest) throw damaged('Something stands behind its end.');
    if (head === undefined) {
      head = readHead({ name, content });
      await target.head(head);
      continue;
    }
    const table = tableOfPiece(name);
    if (table === undefined) {
      endTable();
      if (name === secretName) secret = content.toString('utf8');
      else if (name === manifestName) manifest = readPart(manifestSchema, content);
      else throw damaged(`It holds ${printable(name)}, which no backup holds.`);
      continue;
    }
    if (open?.table !== table) {
      endTable();
      if (proofs.has(table) || !head.tables.some((each) => each.name === table))
        throw damaged(`It holds ${printable(name)}, which does not belong there.`);
      open = { table, proof: tableProof() };
    }
    open.proof.add(content);
    await target.piece(table, content);
  }
  if (!head || secret === undefined || !manifest) throw damaged('It ends too early.');
  compare(head, manifest, proofs);
  if (sha256(secret) !== manifest.secretSha256) throw damaged('Its secret is not the one that was saved.');
  return { head, manifest, secret };
}

/** A newer format may have another head, so the number alone is read first. */
function readHead({ name, content }: Entry): ArchiveHead {
  if (name !== headName) throw damaged('It does not begin like a backup of Homeport.');
  const written = parse(content);
  const { format, madeBy } = written as { format?: unknown; madeBy?: unknown };
  if (typeof format === 'number' && format > archiveFormat) throw newerArchive(printable(String(madeBy)));
  return readPart(headSchema, content);
}

function compare(head: ArchiveHead, manifest: ArchiveManifest, proofs: Map<string, TableProof>): void {
  const empty = tableProof().end();
  const names = head.tables.map(({ name }) => name);
  if (Object.keys(manifest.tables).sort().join() !== [...names].sort().join())
    throw damaged('Its list of tables and its tables differ.');
  for (const name of names) {
    const found = proofs.get(name) ?? empty;
    const saved = manifest.tables[name];
    if (saved?.rows !== found.rows || saved.bytes !== found.bytes || saved.sha256 !== found.sha256)
      throw damaged(`The rows of ${name} are not those that were saved.`);
  }
}

function readPart<T>(schema: z.ZodType<T>, content: Buffer): T {
  const read = schema.safeParse(parse(content));
  if (!read.success) throw damaged('Its description is not readable.', read.error);
  return read.data;
}

function parse(content: Buffer): object {
  try {
    const value: unknown = JSON.parse(content.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch (error) {
    throw damaged('Its description is not readable.', error);
  }
}

/** A name out of a file that somebody else may have made, for a terminal. */
const printable = (name: string): string => name.slice(0, 100).replace(/[^ -~]/g, '?');
