import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listKept } from './kept-clusters.ts';
import { controlOf, writeKeptMark } from './kept-mark.ts';
import { finishSwitch, switchClusters } from './switch-clusters.ts';

let data: string;
const inData = (name: string) => join(data, name);
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'homeport-switch-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

const options = { now: 1, programsMajor: 18 };
const finish = () => finishSwitch({ data, cluster: inData('postgres') }, options);

/** As much of a cluster as tells one from another. Its rows are its control file. */
async function makeCluster(name: string, major: number, rows: string): Promise<void> {
  await mkdir(inData(`${name}/global`), { recursive: true });
  await writeFile(inData(`${name}/PG_VERSION`), `${major}\n`);
  await writeFile(inData(`${name}/global/pg_control`), rows);
}
const rowsOf = (name: string) => readFile(inData(`${name}/global/pg_control`), 'utf8');

/** A new cluster that waits, made of the data in this folder. */
async function makeMoved(name: string, of: string, major = 18): Promise<void> {
  await makeCluster(name, major, 'moved');
  const mark = { from: 15, controlSha256: await controlOf(inData(of)) };
  await writeFile(inData(`${name}/homeport-moved.json`), JSON.stringify(mark));
}

/** An old cluster that has its new name. */
async function makeKept(name: string, rows: string): Promise<void> {
  await makeCluster(name, 15, rows);
  const controlSha256 = await controlOf(inData(name));
  await writeKeptMark(inData(name), { name, controlSha256, since: 1, days: 0, countedAt: 1 });
}

/** A process that lives as long as the tests do. */
const living = process.ppid;
/** Above what Linux and macOS give. */
const dead = 99_999_999;

test('the new cluster takes the place of the old one, which stays with its mark', async () => {
  await makeCluster('postgres', 15, 'old');
  await makeCluster('made', 18, 'moved');
  await switchClusters({ data, cluster: inData('postgres') }, inData('made'), 15, options);
  expect(await readdir(data)).toEqual(['postgres', 'postgres.15']);
  expect(await rowsOf('postgres')).toBe('moved');
  expect(await listKept(data)).toMatchObject([{ name: 'postgres.15', goesAt: expect.any(Number) }]);
});

test('a removal of the new cluster that was killed half way ends no start', async () => {
  await makeCluster('postgres', 15, 'old');
  await mkdir(inData('postgres.moved/base'), { recursive: true });
  await finish();
  expect(await readdir(data)).toEqual(['postgres']);
});

test('a new cluster without a mark stays where no other one stands, and both places are named', async () => {
  await makeCluster('postgres.15', 15, 'old');
  await makeCluster('postgres.moved', 18, 'moved');
  await expect(finish()).rejects.toMatchObject({
    code: 'folder_unusable',
    message: expect.stringContaining(inData('postgres.moved')),
    remedy: expect.stringContaining(inData('postgres.15')),
  });
  expect(await readdir(data)).toEqual(['postgres.15', 'postgres.moved']);
});

test('a cluster that some program made between the two names is set aside, never the moved data', async () => {
  await makeKept('postgres.15', 'old');
  await makeMoved('postgres.moved', 'postgres.15');
  await makeCluster('postgres', 18, 'empty');
  await finish();
  expect(await rowsOf('postgres')).toBe('moved');
  expect(await rowsOf('postgres.15')).toBe('old');
  expect(await rowsOf('postgres.18')).toBe('empty');
});

test('where the older program went on, the new cluster is out of date and goes', async () => {
  await makeCluster('postgres', 15, 'old');
  await makeMoved('postgres.moved', 'postgres');
  await writeFile(inData('postgres/global/pg_control'), 'written since');
  await finish();
  expect(await readdir(data)).toEqual(['postgres']);
  expect(await rowsOf('postgres')).toBe('written since');
});

test('a copy that somebody made before does not make an out-of-date cluster the one in use', async () => {
  await makeCluster('postgres', 15, 'old');
  await makeCluster('postgres.1', 15, 'old');
  await makeMoved('postgres.moved', 'postgres');
  await writeFile(inData('postgres/global/pg_control'), 'written since');
  await finish();
  expect(await readdir(data)).toEqual(['postgres', 'postgres.1']);
  expect(await rowsOf('postgres')).toBe('written since');
});

test('where somebody went on with a copy of the old cluster, all of them stay and a person chooses', async () => {
  await makeKept('postgres.15', 'system 1, old');
  await makeMoved('postgres.moved', 'postgres.15');
  await makeCluster('postgres', 15, 'system 1, written since');
  await expect(finish()).rejects.toMatchObject({ code: 'folder_unusable' });
  expect(await readdir(data)).toEqual(['postgres', 'postgres.15', 'postgres.moved']);
});

test('a cluster of another version that fits nothing is no reason to remove the moved data', async () => {
  await makeCluster('elsewhere', 15, 'old');
  await makeMoved('postgres.moved', 'elsewhere');
  await makeCluster('postgres', 18, 'empty');
  await expect(finish()).rejects.toMatchObject({ code: 'folder_unusable' });
  expect(await rowsOf('postgres.moved')).toBe('moved');
  expect(await rowsOf('postgres')).toBe('empty');
});

test('one process alone switches: what a living one holds is refused, and what a dead one held is taken over', async () => {
  await makeCluster('postgres', 15, 'old');
  await makeMoved(`postgres.moved.${living}`, 'postgres');
  await expect(finish()).rejects.toMatchObject({
    code: 'second_console',
    message: expect.stringContaining(`Process ${living} `),
  });
  expect(await rowsOf('postgres')).toBe('old');
  await rename(inData(`postgres.moved.${living}`), inData(`postgres.moved.${dead}`));
  await finish();
  expect(await readdir(data)).toEqual(['postgres', 'postgres.15']);
  expect(await rowsOf('postgres')).toBe('moved');
});

test('two starts at once leave the moved data in their place, and the old ones once', async () => {
  for (let round = 0; round < 20; round += 1) {
    await makeCluster('postgres', 15, 'old');
    await makeMoved('postgres.moved', 'postgres');
    await Promise.allSettled([finish(), finish(), finish()]);
    await finish();
    expect(await rowsOf('postgres')).toBe('moved');
    expect(await rowsOf('postgres.15')).toBe('old');
    expect(await readdir(data)).toEqual(['postgres', 'postgres.15']);
    for (const name of await readdir(data)) await rm(inData(name), { recursive: true });
  }
});

test('a switch whose new cluster another process took away says so, and touches nothing', async () => {
  await makeCluster('postgres', 15, 'old');
  const folders = { data, cluster: inData('postgres') };
  await expect(switchClusters(folders, inData('made'), 15, options)).rejects.toMatchObject({
    code: 'second_console',
  });
  await makeCluster('made', 18, 'late');
  await expect(switchClusters(folders, inData('made'), 16, options)).rejects.toMatchObject({
    code: 'second_console',
  });
  expect(await rowsOf('postgres')).toBe('old');
  expect(existsSync(inData('postgres.15'))).toBe(false);
});

test('a new cluster that the programs of now cannot read does not take the place of the old one', async () => {
  await makeCluster('postgres', 15, 'old');
  await makeMoved('postgres.moved', 'postgres', 19);
  await finish();
  expect(await readdir(data)).toEqual(['postgres']);
  expect(await rowsOf('postgres')).toBe('old');
});
