import { chartMarksAtMost } from '@homeport/contract/charts/facts';
import type { ChartMarks } from '@homeport/contract/charts/schema';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { plantOneOfEach } from '../testing/plant.ts';

const hour = 3_600_000;
const now = Date.UTC(2026, 5, 15, 12);

let api: TestApi;
let ines: TestPerson;
beforeAll(async () => {
  api = await startTestApi();
  ines = await api.signUp('ines');
});
afterAll(() => api?.[Symbol.asyncDispose]());

/** An app and a database on a server, without the work that the planting itself leaves. */
async function plantApp() {
  const { apps, servers, databases } = await plantOneOfEach(api.store.db, ines.userId);
  await api.store.db.deleteFrom('operations').where('server_id', '=', servers).execute();
  return { app: apps, server: servers, database: databases };
}

type Worked = { server: string; app: string | null; database?: string };

const work = ({ server, app, database }: Worked, title: string, at: number) =>
  api.store.pool.query(
    `insert into operations (owner_id, session_id, kind, title, state, lane, server_id, app_id, database_id, steps, input, created_at, started_at, ended_at)
     values ($1, gen_random_uuid(), 'app.restart', $2, 'succeeded', gen_random_uuid()::text, $3, $4, $6, '[]', '{}', $5::bigint, $5::bigint + 1000, $5::bigint + 2000)`,
    [ines.userId, title, server, app, at, database ?? null],
  );

async function incident(app: string, at: number, endedAt: number | null) {
  await api.store.pool.query(
    `with watched as (
       insert into checks (app_id, domain, created_at) values ($1, 'shop.example.com', 0)
       on conflict (app_id) do update set domain = excluded.domain returning id)
     insert into incidents (check_id, started_at, ended_at, cause, reason)
     select id, $2, $3, 'status', 'It answered 502.' from watched`,
    [app, at, endedAt],
  );
}

const marksOf = async (path: string) =>
  bodyOf<ChartMarks>(await ines.call(`GET /api/${path}/marks?spanSeconds=86400&to=${now}`), 200);

it('shows what the console did and what broke in the range, oldest first', async () => {
  const { database: _, ...things } = await plantApp();
  await work(things, 'Restart Shop', now - 2 * hour);
  await work(things, 'Restart Shop, long ago', now - 25 * hour);
  await work(things, 'Restart Shop, later', now + hour);
  await work({ ...things, app: null }, 'Update the plugin', now - 3 * hour);
  // This incident began before the range and reaches into it.
  await incident(things.app, now - 26 * hour, now - 23 * hour);
  await incident(things.app, now - hour, null);
  const said = ({ marks }: ChartMarks) =>
    marks.map((mark) => (mark.kind === 'work' ? mark.title : mark.endedAt === null ? 'down' : 'was down'));
  expect(said(await marksOf(`apps/${things.app}`))).toEqual(['was down', 'Restart Shop', 'down']);
  expect(said(await marksOf(`servers/${things.server}`))).toEqual([
    'was down',
    'Update the plugin',
    'Restart Shop',
    'down',
  ]);
  expect((await marksOf(`apps/${things.app}`)).marks[1]).toMatchObject({
    work: 'app.restart',
    state: 'succeeded',
    at: now - 2 * hour + 1_000,
  });
});

it('a database has the work on it, and no incident of an app', async () => {
  const { app, server, database } = await plantApp();
  await work({ server, app: null, database }, 'Back up Ledger', now - 2 * hour);
  await work({ server, app }, 'Restart Shop', now - hour);
  await incident(app, now - hour, null);
  const { marks } = await marksOf(`databases/${database}`);
  expect(marks).toMatchObject([{ kind: 'work', title: 'Back up Ledger' }]);
  const eve = await api.signUp('eve');
  bodyOf(await eve.call(`GET /api/databases/${database}/marks`), 404);
});

it('shows a bounded number, the newest, and counts the others', async () => {
  const things = await plantApp();
  for (let index = 0; index < chartMarksAtMost + 3; index += 1)
    await incident(things.app, now - (index + 1) * 60_000, now - index * 60_000 - 1);
  const { marks, more } = await marksOf(`apps/${things.app}`);
  expect(marks).toHaveLength(chartMarksAtMost);
  expect(more).toBe(3);
  expect(marks.at(-1)?.at).toBe(now - 60_000);
});
