import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStore } from '../connect.ts';
import { isUnavailable } from '../store-error.ts';
import { takeConsoleLock } from './console-lock.ts';
import { triesInARow } from './keep-running.ts';
import { startWithinMs } from './launch.ts';
import { readPostmaster } from './postmaster-file.ts';
import { startEmbedded } from './server.ts';

vi.setConfig({ testTimeout: 90_000 });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-kept-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const mainPid = async () => (await readPostmaster(join(folder, 'postgres')))?.pid ?? 0;

/** A session that works, does not wait for anything and so does not notice the end of its server. */
async function startBusySession(socketFolder: string): Promise<number> {
  const client = new pg.Client({ host: socketFolder, user: 'postgres', database: 'postgres' });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  client.query('do $$ begin loop end loop; end $$').catch(() => {});
  return rows[0]?.pid ?? 0;
}

/**
 * Kills the main process and resolves with the errors of the questions until the next server answers one. A session of the
 * killed server may answer one more, before it notices.
 */
async function killAndAsk(ask: () => Promise<unknown>): Promise<unknown[]> {
  const failures: unknown[] = [];
  const killed = await mainPid();
  process.kill(killed, 'SIGKILL');
  await expect
    .poll(
      () =>
        ask().then(
          async () => ![killed, 0].includes(await mainPid()),
          (error: unknown) => {
            failures.push(error);
            return false;
          },
        ),
      { timeout: 60_000, interval: 20 },
    )
    .toBe(true);
  return failures;
}

test('a killed server is back with everything saved, although a session of it is still busy', async () => {
  const store = await openStore({ dataFolder: folder });
  try {
    await sql`create table kept (word text)`.execute(store.db);
    await sql`insert into kept values ('before')`.execute(store.db);
    const first = await mainPid();
    const busy = await startBusySession(join(folder, 'run'));
    const failures = await killAndAsk(() => sql`insert into kept values ('after')`.execute(store.db));
    expect(failures.filter((error) => !isUnavailable(error))).toEqual([]);
    expect(
      (await sql<{ word: string }>`select distinct word from kept order by word`.execute(store.db)).rows,
    ).toEqual([{ word: 'after' }, { word: 'before' }]);
    expect(await mainPid()).not.toBe(first);
    expect(await readFile(`/proc/${busy}/cmdline`, 'utf8').catch(() => '')).toBe('');
  } finally {
    await store.close();
  }
});

test('whoever listens hears again after the server was killed, and is asked to read again', async () => {
  const store = await openStore({ dataFolder: folder });
  try {
    const heard: string[] = [];
    let reconnects = 0;
    await store.listener.on('reports', ({ monitorIds }) => heard.push(...monitorIds));
    store.listener.onReconnect(() => {
      throw new Error('a reader that fails');
    });
    store.listener.onReconnect(() => {
      reconnects += 1;
    });
    await killAndAsk(() => sql`select 1`.execute(store.db));
    await expect.poll(() => reconnects, { timeout: 10_000 }).toBe(1);
    await store.notify('reports', { monitorIds: ['m1'] });
    await expect.poll(() => heard).toEqual(['m1']);
  } finally {
    await store.close();
  }
});

test('a server that is killed again and again is given up after a few starts, and says what is kept and what to do', async () => {
  const server = await startEmbedded({ dataFolder: folder });
  let given: Error | undefined;
  void server.lost.then((error) => {
    given = error;
  });
  let kills = 0;
  let last = 0;
  await expect
    .poll(
      async () => {
        const found = await readPostmaster(join(folder, 'postgres'));
        if (found?.ready && found.pid === server.pid && found.pid !== last) {
          last = found.pid;
          kills += 1;
          process.kill(last, 'SIGKILL');
        }
        return given;
      },
      { timeout: 80_000, interval: 10 },
    )
    .toMatchObject({
      code: 'unreachable',
      message: `PostgreSQL was ended by SIGKILL, and did not stay up in ${triesInARow} further starts.`,
      remedy: expect.stringContaining('Everything saved is kept.'),
    });
  expect(kills).toBe(triesInARow + 1);
  await server.stop();
});

test('a stop while the server is brought back ends at once and leaves no process', async () => {
  const server = await startEmbedded({ dataFolder: folder });
  const busy = await startBusySession(server.socketFolder);
  process.kill(busy, 'SIGSTOP');
  const first = server.pid;
  process.kill(first, 'SIGKILL');
  // The stopped session holds every start up.
  await expect
    .poll(() => readFile(join(folder, 'postgres.log'), 'utf8'), { timeout: 10_000, interval: 5 })
    .toContain('is still in use');
  const askedAt = performance.now();
  await server.stop();
  // Not only when the start would have been given up by itself.
  expect(performance.now() - askedAt).toBeLessThan(startWithinMs);
  if ((await readFile(`/proc/${busy}/cmdline`, 'utf8').catch(() => '')) !== '') process.kill(busy, 'SIGKILL');
  await expect.poll(() => processesIn(join(folder, 'postgres')), { timeout: 10_000 }).toEqual([]);
});

test('the data folder stays locked for other consoles after a session was killed', async () => {
  const server = await startEmbedded({ dataFolder: folder });
  try {
    /** The session that holds the lock; 0 while there is none. */
    const holder = () =>
      withSession(server.socketFolder, async (session) => {
        const { rows } = await session.query<{ pid: number }>(
          "select pid from pg_locks where locktype = 'advisory' and objid = 7070 and granted",
        );
        return rows[0]?.pid ?? 0;
      }).catch(() => 0);
    const first = await holder();
    const client = new pg.Client({ host: server.socketFolder, user: 'postgres', database: 'postgres' });
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
    await ended;
    // The first holder may still stand in the list before PostgreSQL ends it with all others.
    await expect.poll(async () => ![0, first].includes(await holder()), { timeout: 60_000 }).toBe(true);
    await expect(takeConsoleLock(server.socketFolder, folder)).rejects.toMatchObject({
      code: 'second_console',
    });
  } finally {
    await server.stop();
  }
});

async function withSession<T>(socketFolder: string, ask: (session: pg.Client) => Promise<T>): Promise<T> {
  const session = new pg.Client({ host: socketFolder, user: 'postgres', database: 'postgres' });
  session.on('error', () => {});
  await session.connect();
  try {
    return await ask(session);
  } finally {
    await session.end();
  }
}

/** The processes of PostgreSQL whose command line or title belongs to this cluster. */
async function processesIn(cluster: string): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.includes(cluster) && line.split('\0')[0]?.endsWith('postgres')) found.push(pid);
  }
  return found;
}
