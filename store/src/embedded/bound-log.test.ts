import { appendFile, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { boundLog } from './bound-log.ts';

let folder: string;
let log: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-log-'));
  log = join(folder, 'postgres.log');
});
afterEach(() => rm(folder, { recursive: true }));

test('a log over its bound moves to the older file, and whoever holds it open goes on at its beginning', async () => {
  await using writer = await open(log, 'a');
  await writer.write('one\n'.repeat(30));
  await boundLog(log, 100);
  await writer.write('two\n');
  expect(await readFile(log, 'utf8')).toBe('two\n');
  expect(await readFile(`${log}.1`, 'utf8')).toBe('one\n'.repeat(30));
});

test('a log within its bound, and a missing one, stay as they are', async () => {
  await boundLog(log, 100);
  await appendFile(log, 'one\n');
  await boundLog(log, 100);
  expect(await readFile(log, 'utf8')).toBe('one\n');
  await expect(stat(`${log}.1`)).rejects.toThrow('ENOENT');
});

test('of a log that grew far over its bound the end stays', async () => {
  await appendFile(log, `${'x'.repeat(300_000)}the end`);
  await appendFile(`${log}.1`, 'older');
  await boundLog(log, 1_000);
  const kept = await readFile(`${log}.1`, 'utf8');
  expect(kept).toHaveLength(1_000);
  expect(kept).toMatch(/x+the end$/);
  expect((await stat(log)).size).toBe(0);
});
