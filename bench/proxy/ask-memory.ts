import { readFile, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';

const heldSchema = z.object({ rss: z.number(), heapUsed: z.number() });
export type Held = z.infer<typeof heldSchema>;

/** What the plane's process holds, in bytes: all of it, and what of its heap is in use after a collection. */
export async function askMemory(pid: number | undefined, file: string): Promise<Held> {
  await rm(file, { force: true });
  if (pid !== undefined) process.kill(pid, 'SIGUSR2');
  for (let tries = 0; tries < 600; tries += 1) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null) return heldSchema.parse(JSON.parse(text));
    await pause(50);
  }
  throw new Error('The plane did not say what it holds.');
}
