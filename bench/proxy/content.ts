import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What is asked for: the file's name under `/` and under `/kept/`, where an answer may be kept for an hour. */
export const contents = [
  { name: 'small.bin', what: '1 KiB' },
  { name: 'page.html', what: 'a page of 16 KiB' },
  { name: 'large.bin', what: '64 KiB' },
] as const;

export const snippet = '<script src="/stats.js" defer></script>';

/** Writes the website that every proxy of the bench stands before. */
export async function writeSite(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'small.bin'), Buffer.alloc(1_024, 's'));
  await writeFile(join(folder, 'large.bin'), Buffer.alloc(64 * 1_024, 'l'));
  await writeFile(join(folder, 'page.html'), page());
}

/** 16 KiB of ordinary markup: 60 links and images among paragraphs. */
function page(): string {
  const head =
    '<!doctype html><html><head><title>A page</title><link rel="stylesheet" href="/site.css"></head>';
  const lines = Array.from(
    { length: 60 },
    (_, index) => `<p class="entry">Words of entry ${index}. <a href="/entries/${index}">Read on</a>
<img src="/images/${index}.png" alt=""></p>`,
  ).join('\n');
  const rest = 16 * 1_024 - head.length - lines.length - '<body></body></html>'.length;
  return `${head}<body>${lines}${'words '.repeat(rest / 6 + 1).slice(0, rest)}</body></html>`;
}
