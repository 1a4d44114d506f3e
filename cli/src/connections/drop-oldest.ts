import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** So many files more, and the oldest go. */
const slack = 100;

/** Keeps the newest files of a folder. Another command may drop the same ones. */
export async function dropOldest(folder: string, most: number): Promise<void> {
  const names = await readdir(folder);
  if (names.length < most + slack) return;
  const times = await Promise.all(
    names.map(async (name) => ({
      name,
      at: (await stat(join(folder, name)).catch(() => null))?.mtimeMs ?? 0,
    })),
  );
  const oldest = times.toSorted((a, b) => b.at - a.at).slice(most);
  for (const { name } of oldest) await rm(join(folder, name), { force: true });
}
