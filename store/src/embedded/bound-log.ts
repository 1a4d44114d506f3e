import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, rm, stat, truncate } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

export const logKeptBytes = 4 * 1024 * 1024;

/**
 * Keeps PostgreSQL's log within twice `keptBytes`: what is older moves to `<log>.1`, which replaces the file of the time before. The
 * log is emptied in its place, because the server holds it open, and appends. A line that is written in the same moment may be lost.
 */
export async function boundLog(log: string, keptBytes = logKeptBytes): Promise<void> {
  const size = await stat(log).then(
    (found) => found.size,
    () => 0,
  );
  if (size < keptBytes) return;
  const older = `${log}.1`;
  if (size <= 2 * keptBytes) await copyFile(log, older);
  else await copyEnd(log, older, size - keptBytes);
  await truncate(log);
}

/** For a log that grew by much more than its bound since the last look. */
async function copyEnd(from: string, to: string, position: number): Promise<void> {
  await rm(to, { force: true });
  const source = createReadStream(from, { start: position });
  await pipeline(source, createWriteStream(to, { flags: 'wx', mode: 0o600 }));
}
