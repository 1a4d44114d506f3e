import type { Uptime } from '@homeport/contract/uptime/schema';
import { claimChecks } from '@homeport/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { notifyChange } from '../live/notify-change.ts';
import { plantApp, plantServer } from '../testing/plant.ts';

let api: TestApi;
let ines: TestPerson;
let appId: string;

beforeAll(async () => {
  api = await startTestApi();
  ines = await api.signUp('ines');
  const { db } = api.store;
  const server = await plantServer(db, ines.userId);
  const app = await plantApp(db, ines.userId, server.id, {
    monitor_id: 'nq-shop',
    domains: ['shop.example.com', 'www.example.com'],
  });
  appId = app.id;
});
afterAll(() => api[Symbol.asyncDispose]());

const setUp = (body: object) => ines.call(`PUT /api/apps/${appId}/uptime`, body);
const due = async () =>
  (await claimChecks(api.store.pool, { until: Date.now(), endsAt: Date.now(), atMost: 10 })).map(
    ({ url }) => url,
  );

test('a check needs one of the app’s domains', async () => {
  expect(await setUp({ domain: 'other.example.com' })).toMatchObject({
    status: 400,
    body: { code: 'invalid_input', fields: { domain: 'Choose one of the app’s domains.' } },
  });
  expect((await setUp({})).status).toBe(400);
  expect(await due()).toEqual([]);
});

test.each(['health', '//', '/a b', '/#top', '/\\', '/é', `/${'x'.repeat(200)}`])(
  'takes the path %j unchanged or refuses it',
  async (path) => {
    const { status, body } = await setUp({ domain: 'shop.example.com', path });
    if (status === 200) expect((body as Uptime).url).toBe(`http://shop.example.com${path}`);
    else expect(body).toMatchObject({ code: 'invalid_input', fields: { path: expect.any(String) } });
  },
);

test('a new check is due at once, and another check replaces it', async () => {
  const { status, body } = await setUp({ domain: 'shop.example.com' });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      appId,
      key: 'nq-shop',
      url: 'http://shop.example.com/',
      everyMs: 60_000,
      state: 'pending',
      online: null,
      latest: null,
    },
  });
  expect(await due()).toEqual(['http://shop.example.com/']);
  await api.store.db.updateTable('apps').set({ https: true }).execute();
  expect((await setUp({ domain: 'www.example.com', path: '/health?full=1' })).body).toMatchObject({
    url: 'https://www.example.com/health?full=1',
  });
  expect(await due()).toEqual(['https://www.example.com/health?full=1']);
});

test('setting a check up and removing it notifies other pages, and a second removal succeeds', async () => {
  const told: (string | null)[] = [];
  const stop = await api.store.listener.on('changed', ({ topic, id }) => told.push(`${topic} ${id}`));
  // Notifications arrive in order: after this one, none of the earlier tests is left.
  await notifyChange(api.store.db, ines.userId, 'profile', null);
  await expect.poll(() => told.splice(0)).toContain('profile null');
  await setUp({ domain: 'shop.example.com' });
  for (let i = 0; i < 2; i += 1)
    expect(await ines.call(`DELETE /api/apps/${appId}/uptime`)).toMatchObject({
      status: 200,
      body: { removed: true },
    });
  await expect.poll(() => told).toEqual([`apps ${appId}`, `apps ${appId}`]);
  expect(await due()).toEqual([]);
  stop();
});

test('a deploy is checked at once, and not at the check’s next due time', async () => {
  const set = (values: { deployed_at: number; deploy_status: 'succeeded' }) =>
    api.store.db.updateTable('apps').set(values).where('id', '=', appId).execute();
  await setUp({ domain: 'shop.example.com' });
  await due();
  await api.store.db
    .updateTable('checks')
    .set({ due_at: Date.now() + 60_000 })
    .where('app_id', '=', appId)
    .execute();
  expect(await due()).toEqual([]);
  await set({ deployed_at: 5, deploy_status: 'succeeded' });
  expect(await due()).toHaveLength(1);
});
