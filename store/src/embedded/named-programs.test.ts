import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../connect.ts';
import { unprivilegedAccount } from './account.ts';
import { findBinaries } from './binaries.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-programs-'));
  await chmod(folder, 0o711);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A folder with programs that say this version. */
async function programsOf(version: string): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  for (const name of ['postgres', 'initdb'])
    await writeFile(join(bin, name), `#!/bin/sh\necho '${name} (PostgreSQL) ${version}'\n`, { mode: 0o755 });
  return bin;
}
const open = (programs: string) => openStore({ dataFolder: join(folder, 'data'), programs });

test('named programs run in place of those that Homeport brings', async () => {
  const { postgres } = await findBinaries(join(folder, 'copies'), await unprivilegedAccount());
  const store = await open(dirname(postgres));
  try {
    const { rows } = await store.pool.query('show data_directory');
    expect(rows).toEqual([{ data_directory: join(folder, 'data/postgres') }]);
  } finally {
    await store.close();
  }
}, 60_000);

test('programs of an older major version are refused with both versions, and nothing is made', async () => {
  const refused = open(await programsOf('15.20 (Debian 15.20-1.pgdg120+1)'));
  await expect(refused).rejects.toMatchObject({
    code: 'no_binaries',
    message: expect.stringMatching(/^HOMEPORT_POSTGRES names PostgreSQL 15\.20; .* 18 or later\.$/),
  });
  expect(existsSync(join(folder, 'data/postgres'))).toBe(false);
});

test.skipIf(process.getuid?.() !== 0)('named programs never run as root', async () => {
  const bin = await programsOf('18.4');
  await chmod(bin, 0o755);
  await writeFile(
    join(bin, 'postgres'),
    '#!/bin/sh\n[ "$(id -u)" != 0 ] && echo "postgres (PostgreSQL) 18.4"\n',
  );
  const programs = await findBinaries(join(folder, 'copies'), await unprivilegedAccount(), bin);
  expect(programs.version).toBe('18.4');
});

test('a newer major version is taken', async () => {
  const programs = await findBinaries(join(folder, 'copies'), undefined, await programsOf('19.1'));
  expect(programs).toMatchObject({ version: '19.1', major: 19 });
});

test('a version before its release is refused, because the release may not read what it writes', async () => {
  await expect(open(await programsOf('19beta2'))).rejects.toMatchObject({
    code: 'no_binaries',
    message: expect.stringContaining('19beta2, which is not released yet'),
  });
  expect(existsSync(join(folder, 'data/postgres'))).toBe(false);
});

test('a folder without programs, one with another program, and one that does not start are named', async () => {
  await expect(open(join(folder, 'nothing'))).rejects.toThrow(
    `HOMEPORT_POSTGRES names ${join(folder, 'nothing')}, where ${join(folder, 'nothing/postgres')} is not.`,
  );
  const bin = await programsOf('18.4');
  await writeFile(join(bin, 'postgres'), '#!/bin/sh\necho hello\n');
  await expect(open(bin)).rejects.toThrow('is no PostgreSQL');
  await writeFile(join(bin, 'postgres'), '#!/bin/sh\necho "GLIBC_9 not found" >&2; exit 1\n');
  await expect(open(bin)).rejects.toThrow('does not start: GLIBC_9 not found');
});
