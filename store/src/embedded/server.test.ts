import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../connect.ts';
import { ownerFromSession } from '../owner.ts';
import { StoreError } from '../store-error.ts';
import { parseAccounts, unprivilegedAccount } from './account.ts';
import { parsePostmaster } from './postmaster-file.ts';
import { type EmbeddedServer, startEmbedded } from './server.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-embedded-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('of two consoles that start at once on a new folder, one gets it and the other is refused with the reason', async () => {
  const outcomes = await Promise.allSettled([0, 1].map(() => startEmbedded({ dataFolder: folder })));
  const servers = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const refusals = outcomes.flatMap((each) =>
    each.status === 'rejected' ? [each.reason as StoreError] : [],
  );
  for (const server of servers) await server.stop();
  expect(servers).toHaveLength(1);
  expect(refusals).toHaveLength(1);
  expect(refusals[0]).toBeInstanceOf(StoreError);
}, 60_000);

test('a data folder with a long path has its socket in another folder, closed to other users', async () => {
  await chmod(folder, 0o711);
  const deep = join(folder, 'a-folder-with-a-long-name'.repeat(5));
  const server: EmbeddedServer = await startEmbedded({ dataFolder: deep });
  try {
    expect(server.socketFolder.startsWith(deep)).toBe(false);
    expect((await stat(server.socketFolder)).mode & 0o777).toBe(0o700);
  } finally {
    await server.stop();
    await rm(server.socketFolder, { recursive: true });
  }
}, 60_000);

test('names a file that stands in place of the data folder', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  await expect(startEmbedded({ dataFolder: file })).rejects.toMatchObject({ code: 'folder_unusable' });
});

test.skipIf(process.getuid?.() !== 0)(
  'names a folder that PostgreSQL’s account may not enter, and makes nothing (needs root)',
  async () => {
    const closed = join(folder, 'closed');
    await mkdir(join(closed, 'data'), { recursive: true });
    await chmod(closed, 0o700);
    await chmod(folder, 0o711);
    const account = await unprivilegedAccount();
    await expect(startEmbedded({ dataFolder: join(closed, 'data') })).rejects.toMatchObject({
      code: 'folder_unusable',
      message: `PostgreSQL refuses to run as root, so it runs as "${account?.name}", who may not enter ${closed}.`,
    });
  },
);

test('a closed store holds nothing open, and its rows are there after the next start', async () => {
  const owner = ownerFromSession('00000000-0000-4000-8000-000000000000');
  const first = await openStore({ dataFolder: folder });
  await first.transact(owner, ({ db }) =>
    db
      .insertInto('outbox_messages')
      .values({ recipient: 'a', subject: 's', body: 'b', created_at: 1 })
      .execute(),
  );
  await first.close();
  const second = await openStore({ dataFolder: folder });
  const rows = await second.read(owner, ({ db }) =>
    db.selectFrom('outbox_messages').select('recipient').execute(),
  );
  await second.close();
  expect(rows).toEqual([{ recipient: 'a' }]);
}, 60_000);

test('refuses an address where no PostgreSQL answers, and does not repeat the password', async () => {
  const opening = openStore({ url: 'postgresql://ada:hunter2@127.0.0.1:9/homeport' });
  await expect(opening).rejects.toMatchObject({ code: 'unreachable' });
  await expect(opening).rejects.not.toThrow('hunter2');
});

test('reads the accounts of a passwd file', () => {
  const accounts = parseAccounts('root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534::/:/bin/false\n');
  expect(accounts.get('nobody')).toEqual({ name: 'nobody', uid: 65534, gid: 65534 });
});

test('a server is ready when its file says so, and a half-written file names no server', () => {
  const lines = ['4711', '/data', '1763000000', '5432', '/data/run', '', ' 1 2', 'ready   '];
  expect(parsePostmaster(lines.join('\n'))).toEqual({ pid: 4711, ready: true });
  expect(parsePostmaster(lines.slice(0, 3).join('\n'))).toEqual({ pid: 4711, ready: false });
  expect(parsePostmaster('')).toBeUndefined();
});
