import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Outcome } from '../src/command.ts';

const rowsSchema = z.array(
  z.object({
    title: z.string(),
    as: z.string(),
    argv: z.array(z.string()),
    stdin: z.string().nullable(),
    stdout: z.string(),
    stderr: z.string(),
    exit: z.number(),
    note: z.string().nullish(),
    /** The name of the key, if the command came over `dokku@host`. */
    key: z.string().nullish(),
    tty: z.boolean().nullish(),
    pty: z.boolean().nullish(),
  }),
);
export type Row = z.output<typeof rowsSchema>[number];

/** The recorded rows of one file under transcripts/. */
export function rowsOf(file: string): Row[] {
  return rowsSchema.parse(
    JSON.parse(readFileSync(new URL(`../transcripts/${file}.json`, import.meta.url), 'utf8')),
  );
}

/** The real server's answer in the row with this title. */
export function recorded(file: string, title: string): Outcome {
  const row = rowsOf(file).find((candidate) => candidate.title === title);
  if (!row) throw new Error(`There is no row "${title}" in ${file}.json.`);
  return { exitCode: row.exit, stdout: row.stdout, stderr: row.stderr };
}
