import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore, readArchive, type Store } from '@homeport/store';
import { testDatabase } from '@homeport/store/testing';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../testing/console-process.ts';
import { version } from '../version.ts';
import { copyBeforeUpgrade } from './copy-before-upgrade.ts';
import { unseal } from './seal.ts';

vi.setConfig({ testTimeout: 60_000 });

const secret = 'the secret of a console that is upgraded';
let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
let database: { store: Store; url: string; [Symbol.asyncDispose](): Promise<void> };
beforeAll(async () => {
  temporary = await temporaryFolder();
  database = await testDatabase();
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await temporary?.[Symbol.asyncDispose]();
});

const order = (name: string, clock = Date.now) => ({
  ...{ folder: join(temporary.path, name), secret, recipient: null, clock },
});
const nothing = { head: async () => {}, piece: async () => {} };

test('an older program’s data are copied before the first step, and data of this program are not', async () => {
  const { store, url } = database;
  const opened = async () => {
    const files: string[] = [];
    const again = await openStore({
      url,
      beforeUpgrade: async (data) => {
        const { rows } = await store.pool.query('select max(number)::integer as last from migration');
        expect(data).toEqual({ url, bytes: expect.any(Number) });
        expect(rows).toEqual([{ last: expect.any(Number) }]);
        files.push(await copyBeforeUpgrade(order('upgrades'), data));
      },
    });
    await again.close();
    return files;
  };
  expect(await opened()).toEqual([]);

  // As before step 76, which can run again once its column is gone.
  const {
    rows: [last],
  } = await store.pool.query<{ number: number }>('delete from migration where number = 76 returning number');
  expect(last?.number).toBe(76);
  await store.pool.query('alter table console_backup_plan drop column daily_since');
  const [file = ''] = await opened();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const read = await readArchive(await unseal(file, undefined), nothing);
  expect(read.secret).toBe(secret);
  expect(read.head.migrations.map(({ number }) => number)).not.toContain(76);
  expect(await opened()).toEqual([]);
});

test('the copy is encrypted where there is a key; the first copy of this version and the newest three stay', async () => {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const data = { url: database.url, bytes: 1 };
  const folder = join(temporary.path, 'sealed');
  await mkdir(folder);
  const older = 'before-2025-12-31T000000000Z-0.0.9.age';
  const killed = `before-2025-12-31T010000000Z-${version}.age.part`;
  for (const name of [older, killed, 'not-a-copy']) await writeFile(join(folder, name), '');
  const made: string[] = [];
  for (let day = 1; day <= 5; day += 1)
    made.push(await copyBeforeUpgrade({ ...order('sealed', () => Date.UTC(2026, 0, day)), recipient }, data));
  const [first = '', , ...newest] = made;
  expect((await readdir(folder)).sort()).toEqual(
    [first, ...newest, 'not-a-copy'].map((file) => file.split('/').at(-1)),
  );
  expect((await readFile(first)).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
});

test('without room nothing is upgraded, and the operator reads what to do', async () => {
  const found = copyBeforeUpgrade(order('full'), { url: database.url, bytes: Number.MAX_SAFE_INTEGER });
  await expect(found).rejects.toMatchObject({
    message: expect.stringMatching(/^The data could not be copied before the upgrade. They take \d+ MiB/),
    remedy: expect.stringContaining('Nothing was upgraded.'),
  });
  await writeFile(join(temporary.path, 'a-file'), '');
  await expect(copyBeforeUpgrade(order('a-file'), { url: database.url, bytes: 1 })).rejects.toThrow(
    'cannot be made',
  );
});
