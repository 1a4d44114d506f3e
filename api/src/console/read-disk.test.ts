import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readDisk } from './read-disk.ts';

it('a folder that is still to come has the disk of the folder above', async () => {
  const disk = await readDisk(join(tmpdir(), 'no-such-folder'));
  expect(disk?.freeBytes).toBeGreaterThan(0);
  expect(disk?.freeBytes).toBeLessThanOrEqual(disk?.bytes ?? 0);
  expect((await readDisk(tmpdir()))?.bytes).toBe(disk?.bytes);
});

it('a folder that nobody can read has no disk', async () => {
  expect(await readDisk('/nowhere/at/all')).toBeNull();
});
