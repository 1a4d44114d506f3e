import { z } from 'zod';

/**
 * An archive is a tar: `head.json` first; then for each table its rows as COPY text, in pieces `tables/<schema>.<table>/<number>`, which
 * together are one text; then `secret`; and `manifest.json` last, so that a cut archive has none. docs/operator-guide.md describes it.
 */
export const archiveFormat = 1;

/** Bytes after which a piece ends. */
export const pieceBytes = 1024 * 1024;

const identifier = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,62}$/);
const tableName = z.string().regex(/^[a-z]+\.[A-Za-z_][A-Za-z0-9_]{0,62}$/);
const bound = z.string().regex(/^-?\d{1,19}$/);

export const headSchema = z.object({
  /** Grows when an older program can no longer read the archive. */
  format: z.int().min(1),
  madeBy: z.string().max(100),
  /** Epoch milliseconds of the snapshot. */
  at: z.int(),
  postgres: z.string().max(100),
  migrations: z.array(z.object({ number: z.int(), name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(z.object({ name: tableName, columns: z.array(identifier).min(1) })),
  partitions: z.array(
    z.object({
      of: tableName,
      name: identifier,
      from: bound,
      to: bound,
      fillfactor: z.int().min(10).max(100),
    }),
  ),
  sequences: z.array(z.object({ name: tableName, value: bound })),
});

export const manifestSchema = z.object({
  tables: z.record(
    tableName,
    z.object({ rows: z.int(), bytes: z.int(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
  secretSha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export type ArchiveHead = z.output<typeof headSchema>;
export type ArchiveManifest = z.output<typeof manifestSchema>;
export type TableProof = ArchiveManifest['tables'][string];

export const headName = 'head.json';
export const secretName = 'secret';
export const manifestName = 'manifest.json';
export const pieceName = (table: string, number: number): string =>
  `tables/${table}/${String(number).padStart(6, '0')}`;

/** The table of a piece, or undefined where the name is none of a piece. */
export const tableOfPiece = (name: string): string | undefined => /^tables\/([^/]+)\/\d{6,}$/.exec(name)?.[1];
