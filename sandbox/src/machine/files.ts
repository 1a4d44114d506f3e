import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The text of a file. Undefined when the file does not exist. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reads a state file. Only this program writes these files, so their shape is known. */
export function readState<T>(path: string): T | undefined {
  const text = readText(path);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/** Writes the file elsewhere and renames it into place, so that a reader never sees half of it. */
export function writeState(path: string, value: unknown): void {
  writeText(path, `${JSON.stringify(value, null, 1)}\n`);
}

export function writeText(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  const fresh = `${path}.${process.pid}.new`;
  writeFileSync(fresh, text, { mode });
  renameSync(fresh, path);
}
