import { createReadStream } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { SiteText } from './site-table.ts';

/** What a plane served last: it starts from this while the store is away. One JSON text a line; the first line is the head. */
export type Snapshot = { version: number; writtenAt: number; sites: SiteText[] };

const headSchema = z.object({ homeport: z.literal('proxies'), version: z.number(), writtenAt: z.number() });
const siteSchema = z.object({
  ...{ id: z.string(), domain: z.string(), version: z.number(), text: z.string() },
  /** Snapshots of earlier versions do not name it. */
  owner: z.string().default(''),
});

/** How much becomes text in one turn of the event loop, so that no request waits longer for it, and no text grows without end. */
const sitesAtOnce = 50;
const charactersAtOnce = 1024 * 1024;

/** Writes a snapshot that only this account can read. A reader sees the old file or the new one, never half a file. */
export async function writeSnapshot(
  file: string,
  { version, writtenAt, sites }: { version: number; writtenAt: number; sites: Iterable<SiteText> },
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    let lines = `${JSON.stringify({ homeport: 'proxies', version, writtenAt })}\n`;
    let held = 0;
    for (const site of sites) {
      lines += `${JSON.stringify(site)}\n`;
      held += 1;
      if (held < sitesAtOnce && lines.length < charactersAtOnce) continue;
      await handle.write(lines);
      lines = '';
      held = 0;
    }
    await handle.write(lines);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
}

/** Reads a snapshot. Null where there is none, or where its head is not one. A broken line is left out. */
export async function readSnapshot(file: string): Promise<Snapshot | null> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  let head: z.infer<typeof headSchema> | null = null;
  const sites: SiteText[] = [];
  try {
    for await (const line of lines) {
      const value = parse(line);
      if (head === null) {
        const read = headSchema.safeParse(value);
        if (!read.success) return null;
        head = read.data;
        continue;
      }
      const site = siteSchema.safeParse(value);
      if (site.success) sites.push(site.data);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  return head && { version: head.version, writtenAt: head.writtenAt, sites };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
