import { open, rename, rm } from 'node:fs/promises';

/** The whole text or the file of before, also after a power cut. A link under the path is replaced, not followed. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const written = `${path}.${process.pid}`;
  await rm(written, { force: true });
  const file = await open(written, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(written, path);
}

/** The names in a folder, after a power cut too. */
export async function makeDurable(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
