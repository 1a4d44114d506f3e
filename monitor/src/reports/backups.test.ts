import { randomUUID } from 'node:crypto';
import { runsKept } from '@homeport/contract/backups/facts';
import { expect, test } from 'vitest';
import { makeReport, testMonitor } from '../testing.ts';

type Monitor = Awaited<ReturnType<typeof testMonitor>>;
type Server = Awaited<ReturnType<Monitor['addServer']>>;

const sha256 = 'ab'.repeat(32);
const step = 180_000;

async function addDatabase({ database }: Monitor, server: Server, longname = 'orders-x'): Promise<string> {
  const { rows } = await database.store.pool.query<{ id: string }>(
    `insert into databases (owner_id, server_id, name, longname, type, created_at)
     values ($1, $2, 'orders', $3, 'postgres', 0) returning id`,
    [server.owner, server.id, longname],
  );
  return rows[0]?.id ?? '';
}
async function runs({ database }: Monitor, databaseId: string) {
  const { rows } = await database.store.pool.query(
    'select * from backup_runs where database_id = $1 order by began_at',
    [databaseId],
  );
  return rows;
}
const told = (run: string, more: object = {}) => ({
  ...{ seq: 1, run, type: 'postgres', name: 'orders-x', state: 'succeeded', at: 1_700_000_000, took: 4 },
  ...{ bytes: 13, sha256, target: 'server', reason: null, text: null },
  ...more,
});

test('a run that an agent reports is kept once, with its end, however often it is told', async () => {
  await using monitor = await testMonitor();
  const server = await monitor.addServer('web');
  const id = await addDatabase(monitor, server);
  const run = randomUUID();
  const now = monitor.clock.now;
  const posts = [
    makeReport(now - step, { backups: [told(run, { state: 'running', bytes: null, sha256: null })] }),
    makeReport(now, { backups: [told(run, { took: 9 })] }),
  ];
  for (const report of posts) expect((await monitor.post(server.token, [report])).status).toBe(200);
  // A report whose answer was lost comes again, and so may a line that said less.
  expect((await monitor.post(server.token, [posts[1]])).body).toMatchObject({ repeated: 1 });
  expect((await monitor.post(server.token, [posts[0]])).body).toMatchObject({ repeated: 1 });
  expect(await runs(monitor, id)).toMatchObject([
    {
      id: run,
      owner_id: server.owner,
      state: 'succeeded',
      began_at: 1_700_000_000_000,
      duration_s: 9,
      bytes: 13,
    },
  ]);
});

test('a run of a database that is not on the reporting server is left out', async () => {
  await using monitor = await testMonitor();
  const [mine, other] = [await monitor.addServer('web'), await monitor.addServer('other')];
  const id = await addDatabase(monitor, mine);
  const report = makeReport(monitor.clock.now, { backups: [told(randomUUID())] });
  expect((await monitor.post(other.token, [report])).body).toMatchObject({ accepted: 1 });
  expect(await runs(monitor, id)).toEqual([]);
});

test('of each database the newest runs are kept', async () => {
  await using monitor = await testMonitor();
  const server = await monitor.addServer('web');
  const id = await addDatabase(monitor, server);
  for (let post = 0; post < 6; post += 1) {
    const backups = Array.from({ length: 20 }, (_, at) =>
      told(randomUUID(), { at: 1_700_000_000 + post * 20 + at }),
    );
    await monitor.post(server.token, [makeReport(monitor.clock.now - (6 - post) * step, { backups })]);
  }
  const kept = await runs(monitor, id);
  expect(kept).toHaveLength(runsKept);
  expect(kept[0]).toMatchObject({ began_at: 1_700_000_020_000 });
});

test('a report whose backups are damaged is refused, and words that are not known are left out', async () => {
  await using monitor = await testMonitor();
  const server = await monitor.addServer('web');
  const id = await addDatabase(monitor, server);
  const post = (backups: unknown) => monitor.post(server.token, [makeReport(monitor.clock.now, { backups })]);
  for (const wrong of [
    [told('nobody')],
    [told(randomUUID(), { name: '../etc' })],
    [told(randomUUID(), { text: 'x\0y' })],
    [told(randomUUID(), { text: 'x'.repeat(301) })],
    Array.from({ length: 21 }, () => told(randomUUID())),
  ])
    expect((await post(wrong)).status).toBe(400);
  expect((await post([told(randomUUID(), { target: 'tape' })])).status).toBe(200);
  expect(await runs(monitor, id)).toEqual([]);
});
