import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Undefined where there is no such file. */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The state files are this program's own, so their shape is what was written. */
export function readState<T>(path: string): T | undefined {
  const text = readText(path);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/** Renamed into place: a reader sees the old or the new one, never half of it. */
export function writeState(path: string, value: unknown): void {
  writeText(path, `${JSON.stringify(value, null, 1)}\n`);
}

export function writeText(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  const fresh = `${path}.${process.pid}.new`;
  writeFileSync(fresh, text, { mode });
  renameSync(fresh, path);
}
