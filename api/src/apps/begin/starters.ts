import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StarterName } from '@homeport/contract/apps/facts';
import { tarGz } from './tar-gz.ts';

const folder = fileURLToPath(new URL('../../../starters/', import.meta.url));

/** The archive of a starter, with its files in one folder as Dokku takes them. */
export function starterArchive(starter: StarterName): Buffer {
  const top = `${folder}${starter}`;
  const files = readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
  return tarGz(
    starter,
    files.map((file) => ({ path: relative(top, file), bytes: readFileSync(file) })),
  );
}
