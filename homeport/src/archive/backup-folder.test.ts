import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
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
  // The account of PostgreSQL passes through it, as through a data folder.
  await chmod(temporary.path, 0o711);
  database = await testDatabase();
  identity = await generateX25519Identity();
  await writeFile(join(temporary.path, 'identity'), `${identity}\n`);
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  await temporary?.[Symbol.asyncDispose]();
});

const scratch = () => join(temporary.path, 'proof');
const folderAt = (name: string, storeUrl = database.url) =>
  openBackupFolder({
    ...{ path: join(temporary.path, name), usualRecipient: null, storeUrl, secret, copyTo: null },
    scratch: scratch(),
  });

const unproven = { prove: false };

const nothing = { head: async () => {}, piece: async () => {} };

test('makes a backup in a process of its own, for the key alone, and knows its file again', async () => {
  const folder = folderAt('good');
  const made = await folder.make('homeport-a.age', await identityToRecipient(identity), unproven);
  const file = join(folder.path, 'homeport-a.age');
  const bytes = await readFile(file);
  expect(made).toEqual({
    rows: expect.any(Number),
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    proof: null,
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
  await folder.make('homeport-b.tar.gz', null, unproven);
  const archive = await unseal(join(folder.path, 'homeport-b.tar.gz'), undefined);
  expect((await readArchive(archive, nothing)).secret).toBe(secret);
});

test('restores the very file into a PostgreSQL that goes again, encrypted and in clear', async () => {
  const folder = folderAt('proven');
  const recipient = await identityToRecipient(identity);
  const encrypted = await folder.make('homeport-f.age', recipient, { prove: true });
  expect(encrypted.proof).toEqual({ state: 'proven' });
  const plain = await folder.make('homeport-f.tar.gz', null, { prove: true });
  expect(plain.proof).toEqual({ state: 'proven' });
  expect(existsSync(scratch())).toBe(false);
  // Only the owner's key is left for it: the key of the proof went with its process.
  const archive = await unseal(join(folder.path, 'homeport-f.age'), join(temporary.path, 'identity'));
  expect((await readArchive(archive, nothing)).secret).toBe(secret);
});

test('a backup whose rows no PostgreSQL takes is made, and its test restore says what is wrong', async () => {
  const folder = folderAt('broken');
  const { pool } = database.store;
  // A reference that nothing checks: so a damaged index or disk leaves rows.
  await pool.query('alter table notice_mutes disable trigger all');
  try {
    await pool.query('insert into notice_mutes (server_id) values (gen_random_uuid())');
    const made = await folder.make('homeport-g.tar.gz', null, { prove: true });
    expect(made.proof).toEqual({
      state: 'failed',
      note: expect.stringContaining('Rows of public.notice_mutes name others that it does not hold.'),
    });
    expect(await folder.has('homeport-g.tar.gz')).toBe(true);
  } finally {
    await pool.query('delete from notice_mutes');
    await pool.query('alter table notice_mutes enable trigger all');
  }
});

test('a machine that cannot try says so, and the backup stays', async () => {
  const folder = openBackupFolder({
    copyTo: null,
    ...{ path: join(temporary.path, 'untried'), usualRecipient: null, storeUrl: database.url, secret },
    scratch: join(temporary.path, 'identity', 'proof'),
  });
  const made = await folder.make('homeport-h.tar.gz', null, { prove: true });
  expect(made.proof).toMatchObject({ state: 'skipped', note: expect.stringContaining('did not begin') });
  expect(await folder.has('homeport-h.tar.gz')).toBe(true);
});

test('a console that ends in the middle of a test restore keeps the backup and leaves no folder of it', async () => {
  const folder = folderAt('proof-ended');
  const made = folder.make('homeport-i.tar.gz', null, { prove: true });
  await expect.poll(() => existsSync(join(scratch(), 'postgres')), { timeout: 60_000 }).toBe(true);
  await folder.close();
  expect((await made).proof).toMatchObject({ state: 'skipped' });
  expect(existsSync(scratch())).toBe(false);
  expect(await readdir(folder.path)).toEqual(['homeport-i.tar.gz']);
});

test('says in plain words why it failed, and leaves nothing', async () => {
  const gone = folderAt('gone', 'postgresql://nobody@127.0.0.1:9/nowhere');
  await expect(gone.make('homeport-c.age', null, unproven)).rejects.toThrow('PostgreSQL cannot be reached');
  expect(await readdir(gone.path)).toEqual([]);
  await expect(folderAt('key').make('homeport-c.age', `age1${'q'.repeat(58)}`, unproven)).rejects.toThrow(
    'A recipient is no public key of age',
  );
  await writeFile(join(temporary.path, 'a-file'), '');
  await expect(folderAt('a-file').make('homeport-c.age', null, unproven)).rejects.toThrow(
    'cannot be written',
  );
});

test('ends with the console in the middle of a backup, and the next one removes what a kill left', async () => {
  const folder = folderAt('ended');
  // The backup waits for this table, so that it is under way.
  const client = await database.store.pool.connect();
  try {
    await client.query('begin; lock table servers in access exclusive mode');
    const made = folder.make('homeport-d.age', null, unproven).catch((error: unknown) => error);
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
  await folder.make('homeport-e.age', null, unproven);
  expect(await readdir(folder.path)).toEqual(['homeport-e.age']);
});
