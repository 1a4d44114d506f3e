import { appGoneText } from '@homeport/contract/apps/health';
import type { App, AppLogEvent } from '@homeport/contract/apps/schema';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bodyOf } from '../../http/testing.ts';
import { deployApp } from '../../testing/deploy-app.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { openLivePage, runToEnd, succeeded } from '../../testing/page.ts';
import { plantDatabase } from '../../testing/plant.ts';

// The machine may be busy, and each test waits for other programs.
vi.setConfig({ testTimeout: 60_000 });

// An app that somebody destroys on its server, and not through Homeport.

let linked: LinkedConsole;
let app: App;
beforeAll(async () => {
  linked = await startLinkedConsole();
  app = await deployApp(linked.ines, linked, { 'index.html': 'ahoy' });
}, 180_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const destroyThere = () => linked.host.dokku('--force', 'apps:destroy', app.longname);
const makeThere = () => linked.host.dokku('apps:create', app.longname);
const read = async () => bodyOf<App>(await linked.ines.call(`GET /api/apps/${app.id}`), 200);
const refresh = async (query = '') =>
  bodyOf<App>(await linked.ines.call(`POST /api/apps/${app.id}/refresh${query}`), 200);
const since = expect.any(Number);

test('a page that looks at the app hears that its server no longer has it, and has that recorded', async () => {
  expect((await read()).missingSince).toBeNull();
  await destroyThere();
  const page = await openLivePage(linked.api.url, linked.ines);
  const id = page.subscribe('GET /api/apps/:id/deploy-log', {
    params: { id: app.id },
    query: { past: 'false' },
  });
  const events = () =>
    page.heard.flatMap((message) =>
      message.type === 'event' && message.id === id ? [message.data as AppLogEvent] : [],
    );
  await vi.waitFor(
    () => expect(events()).toContainEqual({ type: 'ended', reason: 'The server no longer has this app.' }),
    { timeout: 20_000 },
  );
  expect(events()[0]).toEqual({ type: 'changed' });
  expect((await read()).missingSince).toBeNull();
  const recorded = await refresh('?noticed=true');
  expect(recorded.missingSince).toEqual(since);
  page.close();
  expect(await read()).toEqual(recorded);
});

test('the time of the first look stays', async () => {
  const { missingSince } = await read();
  expect((await refresh()).missingSince).toBe(missingSince);
});

test('an app that comes back under its name is there again', async () => {
  await makeThere();
  expect(await refresh()).toMatchObject({ missingSince: null, deployment: { status: 'never' } });
});

test('without Homeport’s plugin the server says the same', async () => {
  await destroyThere();
  await linked.host.dokku('plugin:disable', 'homeport');
  expect((await refresh()).missingSince).toEqual(since);
  await makeThere();
  expect((await refresh()).missingSince).toBeNull();
  await linked.host.dokku('plugin:enable', 'homeport');
});

test('work that fails because the app is gone records that it is', async () => {
  await destroyThere();
  const { operation } = await runToEnd(linked.ines, `POST /api/apps/${app.id}/restart`);
  expect(operation.state).toBe('failed');
  expect((await read()).missingSince).toEqual(since);
});

const acts: readonly { act: string; method?: 'PATCH' | 'PUT'; body?: object }[] = [
  ...['start', 'stop', 'restart', 'rebuild'].map((act) => ({ act })),
  { act: 'plan' },
  { act: 'domains', body: { domain: 'shop.example.com' } },
  { act: 'domains/remove', body: { domain: 'shop.example.com', records: [] } },
  { act: 'https', body: { email: 'ines@example.com' } },
  { act: 'storage', body: { containerPath: '/data' } },
  { act: 'ports', body: { keep: false } },
  { act: 'go-back', body: { sha: 'ab'.repeat(20) } },
  { act: 'scale', body: { processes: [{ type: 'web', from: 1, to: 2 }] } },
  { act: 'processes/restart', body: { type: 'web' } },
  { act: 'processes/rules', body: { stopSeconds: 60 } },
  { act: 'checks', body: { modes: [{ type: 'web', from: 'checked', to: 'skipped' }] } },
  { act: 'push-keys', body: { from: ['laptop'], to: [{ key: 'desk', fingerprints: [] }], add: [] } },
  { act: 'site', body: { changes: [{ field: 'uploadLimit', from: null, to: '50m' }] } },
  { act: 'cron/suspend', body: { task: 'o272', command: 'date' } },
  { act: 'cron/resume', body: { task: 'o272', command: 'date' } },
  { act: 'cron/run', body: { task: 'o272', command: 'date' } },
  { act: 'releases/go-back', body: { release: '0mf3kq2v9a1b2c' } },
  { act: 'releases/remove', body: { release: '0mf3kq2v9a1b2c' } },
  { act: 'left-containers/remove', body: { containers: ['ab'.repeat(32)] } },
  { act: 'environment', method: 'PATCH', body: { values: { A: '1' }, from: {}, restart: false } },
  {
    act: 'repository',
    method: 'PUT',
    body: { version: 1, repository: { fullName: 'ines/shop', branch: 'main' } },
  },
];

test.each(acts)('$act of an app that is known to be gone is refused, and begins no work', async (asked) => {
  const { act, method = 'POST' } = asked;
  const body = act === 'plan' ? { plan: app.plan, from: app.plan } : asked.body;
  const work = async () =>
    bodyOf<unknown[]>(await linked.ines.call(`GET /api/operations?appId=${app.id}`), 200).length;
  const before = await work();
  expect(await linked.ines.call(`${method} /api/apps/${app.id}/${act}`, body)).toMatchObject({
    status: 409,
    body: { code: 'conflict', message: appGoneText },
  });
  expect(await work()).toBe(before);
});

test('no database is linked to it or promoted for it', async () => {
  const { db } = linked.api.store;
  const database = await plantDatabase(db, linked.ines.userId, app.serverId);
  for (const [act, body] of [
    ['link', { appLongname: app.longname, restart: false }],
    ['promote', { appLongname: app.longname }],
  ] as const)
    expect(await linked.ines.call(`POST /api/databases/${database.id}/${act}`, body)).toMatchObject({
      status: 409,
      body: { message: appGoneText },
    });
  await db.deleteFrom('databases').where('id', '=', database.id).execute();
});

test('the app leaves Homeport although its server has nothing to destroy', async () => {
  const body = { confirmation: 'destroy', storage: [], records: [] };
  succeeded(await runToEnd(linked.ines, `POST /api/apps/${app.id}/destroy`, body));
  expect((await linked.ines.call(`GET /api/apps/${app.id}`)).status).toBe(404);
});
