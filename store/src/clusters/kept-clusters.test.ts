import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keptForDays, listKept, nameForKept, pruneKept } from './kept-clusters.ts';
import { controlOf, dropKeptMark, writeKeptMark } from './kept-mark.ts';

const dayMs = 86_400_000;
const movedAt = Date.UTC(2027, 0, 1);

let data: string;
const inData = (name: string) => join(data, name);
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'homeport-kept-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

/** As much of a cluster as tells one from another. */
async function makeCluster(name: string, control = 'control'): Promise<void> {
  await mkdir(inData(`${name}/global`), { recursive: true });
  await writeFile(inData(`${name}/PG_VERSION`), '17\n');
  await writeFile(inData(`${name}/global/pg_control`), control);
}

async function keep(name: string, since = movedAt): Promise<void> {
  await makeCluster(name);
  const controlSha256 = await controlOf(inData(name));
  await writeKeptMark(inData(name), { name, controlSha256, since, days: 0, countedAt: since });
}

/** A console that runs on each of these days, and looks more than once. */
async function runDays(days: number, from = movedAt): Promise<string[]> {
  const removed: string[] = [];
  for (let day = 1; day <= days; day += 1)
    for (const hour of [0, 1, 23])
      await pruneKept(data, from + day * dayMs + (hour * dayMs) / 24, (name) => removed.push(name));
  return removed;
}

test('what a move put aside goes after so many days on which the console ran, and each removal is told', async () => {
  await keep('postgres.17');
  expect(await listKept(data)).toEqual([
    { name: 'postgres.17', major: 17, bytes: expect.any(Number), goesAt: movedAt + keptForDays * dayMs },
  ]);
  expect(await runDays(keptForDays - 1)).toEqual([]);
  expect(await listKept(data)).toMatchObject([{ goesAt: movedAt + keptForDays * dayMs }]);
  expect(await runDays(1, movedAt + (keptForDays - 1) * dayMs)).toEqual(['postgres.17']);
  expect(await readdir(data)).toEqual([]);
});

test('folders that Homeport did not make stay, whatever their names and times', async () => {
  await keep('postgres.17');
  // A copy of the live cluster, one of the way back, and what was called so since.
  await makeCluster('postgres.1');
  await cp(inData('postgres.17'), inData('postgres.16'), { recursive: true });
  await rename(inData('postgres.17'), inData('postgres.17.2'));
  await utimes(inData('postgres.1'), 0, 0);
  expect(await listKept(data)).toHaveLength(3);
  for (const { goesAt } of await listKept(data)) expect(goesAt).toBeNull();
  expect(await runDays(3 * keptForDays)).toEqual([]);
  expect(await readdir(data)).toEqual(['postgres.1', 'postgres.16', 'postgres.17.2']);
});

test('a way back that was used is somebody’s own, also where the Homeport of before ran on it', async () => {
  await keep('postgres.17');
  await writeFile(inData('postgres.17/global/pg_control'), 'written by a start');
  await keep('postgres.16');
  await dropKeptMark(inData('postgres.16'));
  expect(await runDays(2 * keptForDays)).toEqual([]);
  expect(await readdir(data)).toEqual(['postgres.16', 'postgres.17']);
});

test('no wrong clock removes the way back: neither one at the move, nor one that jumps', async () => {
  await keep('postgres.17', 0);
  await pruneKept(data, movedAt);
  await pruneKept(data, movedAt + 4000 * dayMs);
  await pruneKept(data, movedAt + 4000 * dayMs + 1);
  await pruneKept(data, movedAt + dayMs);
  expect(await runDays(keptForDays - 4, movedAt + dayMs)).toEqual([]);
  expect(existsSync(inData('postgres.17'))).toBe(true);
  expect((await runDays(10, movedAt + (keptForDays - 3) * dayMs)).length).toBe(1);
});

test('a file, a link and an unreadable mark of such a name break no list', async () => {
  await writeFile(inData('postgres.17'), 'no folder');
  await mkdir(inData('postgres.18'));
  await keep('postgres.16');
  await writeFile(inData('postgres.16/homeport-kept.json'), '{');
  expect(await listKept(data)).toMatchObject([{ name: 'postgres.16', goesAt: null }]);
  expect(await runDays(2 * keptForDays)).toEqual([]);
  expect(await nameForKept(data, 17)).toBe('postgres.17.2');
});

test('the rest of a removal that a kill ended goes at the next look', async () => {
  await makeCluster('homeport-removed.postgres.17.4711');
  await makeCluster('removed.postgres.17');
  await pruneKept(data, movedAt);
  expect(await readdir(data)).toEqual(['removed.postgres.17']);
});
