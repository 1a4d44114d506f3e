import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupFailed } from '@homeport/api';
import { readArchive, type Store } from '@homeport/store';
import { testDatabase } from '@homeport/store/testing';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildServer, temporaryFolder } from '../../testing/console-process.ts';
import { openBackupFolder } from './backup-folder.ts';
import { unseal } from './seal.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const secret = 'the secret of a console that is backed up';
let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
let database: { store: Store; url: string; [Symbol.asyncDispose](): Promise<void> };
let identity: string;
beforeAll(async () => {
  buildServer();
  temporary = await temporaryFolder();
  database = await testDatabase();
  identity = await generateX25519Identity();
  await writeFile(join(temporary.path, 'identity'), `${identity}\n`);
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await temporary?.[Symbol.asyncDispose]();
});

const folderAt = (name: string, storeUrl = database.url) =>
  openBackupFolder({ path: join(temporary.path, name), usualRecipient: null, storeUrl, secret });

const nothing = { head: async () => {}, piece: async () => {} };

test('makes a backup in a process of its own, for the key alone, and knows its file again', async () => {
  const folder = folderAt('good');
  const made = await folder.make('homeport-a.age', await identityToRecipient(identity));
  const file = join(folder.path, 'homeport-a.age');
  const bytes = await readFile(file);
  expect(made).toEqual({
    rows: expect.any(Number),
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await stat(folder.path)).mode & 0o777).toBe(0o700);
  await expect(unseal(file, undefined)).rejects.toThrow('is encrypted');
  const read = await readArchive(await unseal(file, join(temporary.path, 'identity')), nothing);
  expect(read.secret).toBe(secret);

  expect(await folder.isIntact('homeport-a.age', made.sha256)).toBe(true);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  await writeFile(file, bytes);
  expect(await folder.isIntact('homeport-a.age', made.sha256)).toBe(false);
  expect((await folder.open('homeport-a.age'))?.bytes).toBe(bytes.length);
  await folder.remove('homeport-a.age');
  expect(await folder.has('homeport-a.age')).toBe(false);
  expect(await folder.open('homeport-a.age')).toBe(null);
  await expect(folder.isIntact('homeport-a.age', made.sha256)).rejects.toBeInstanceOf(BackupFailed);
});

test('a backup in clear is read without a key', async () => {
  const folder = folderAt('plain');
  await folder.make('homeport-b.tar.gz', null);
  const archive = await unseal(join(folder.path, 'homeport-b.tar.gz'), undefined);
  expect((await readArchive(archive, nothing)).secret).toBe(secret);
});

test('says in plain words why it failed, and leaves nothing', async () => {
  const gone = folderAt('gone', 'postgresql://nobody@127.0.0.1:9/nowhere');
  await expect(gone.make('homeport-c.age', null)).rejects.toThrow('PostgreSQL cannot be reached');
  expect(await readdir(gone.path)).toEqual([]);
  await expect(folderAt('key').make('homeport-c.age', `age1${'q'.repeat(58)}`)).rejects.toThrow(
    'A recipient is no public key of age',
  );
  await writeFile(join(temporary.path, 'a-file'), '');
  await expect(folderAt('a-file').make('homeport-c.age', null)).rejects.toThrow('cannot be written');
});

test('ends with the console in the middle of a backup, and the next one removes what a kill left', async () => {
  const folder = folderAt('ended');
  // The backup waits for this table, so that it is under way.
  const client = await database.store.pool.connect();
  try {
    await client.query('begin; lock table servers in access exclusive mode');
    const made = folder.make('homeport-d.age', null).catch((error: unknown) => error);
    await expect
      .poll(() => readdir(folder.path).catch(() => []), { timeout: 60_000 })
      .toEqual(['homeport-d.age.part']);
    await folder.close();
    expect(await made).toBeInstanceOf(BackupFailed);
    expect(await readdir(folder.path)).toEqual([]);
  } finally {
    await client.query('rollback');
    client.release();
  }
  await mkdir(folder.path, { recursive: true });
  await writeFile(join(folder.path, 'homeport-killed.age.part'), 'half');
  await folder.make('homeport-e.age', null);
  expect(await readdir(folder.path)).toEqual(['homeport-e.age']);
});
