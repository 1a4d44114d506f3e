import type { App } from '@homeport/contract/apps/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf } from '../../http/testing.ts';
import { deployApp } from '../../testing/deploy-app.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';

let linked: LinkedConsole;
let app: App;

beforeAll(async () => {
  linked = await startLinkedConsole();
  app = await deployApp(linked.ines, linked, { 'index.html': 'ahoy' });
  await refresh();
  const [domain = ''] = (await refresh()).domains;
  await linked.ines.call(`PUT /api/apps/${app.id}/uptime`, { domain });
  await linked.api.store.pool.query(
    `insert into incidents (check_id, started_at, cause, reason) select id, 1, 'status', 'It answered 502.' from checks`,
  );
}, 180_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const refresh = async () => bodyOf<App>(await linked.ines.call(`POST /api/apps/${app.id}/refresh`), 200);
const watched = async () => {
  const { rows } = await linked.api.store.pool.query<{ paused: boolean; down: boolean }>(
    'select c.due_at is null as paused, i.ended_at is null as down from checks c join incidents i on i.check_id = c.id',
  );
  return rows[0];
};

test('an app that ended by itself has crashed: its check goes on and its incident stays', async () => {
  await linked.host.docker('kill', `${app.longname}.web.1`);
  const crashed = await refresh();
  expect(crashed).toMatchObject({
    stopped: false,
    crash: { at: expect.any(Number), processes: [{ name: 'web.1', exitCode: 137, restarts: 0 }] },
  });
  expect(await watched()).toEqual({ paused: false, down: true });
});

test('its log can be read still', async () => {
  const logs = await linked.host.dokku('logs', app.longname, '--num', '5', '--tail');
  expect(logs).toContain('web.1');
});

test('a start ends the crash', async () => {
  await linked.host.dokku('ps:start', app.longname);
  expect(await refresh()).toMatchObject({ stopped: false, crash: null });
  expect(await watched()).toEqual({ paused: false, down: true });
});

test('an app that somebody stopped on the server is paused, and that ends its incident', async () => {
  await linked.host.dokku('ps:stop', app.longname);
  expect(await refresh()).toMatchObject({ stopped: true, crash: null });
  expect(await watched()).toEqual({ paused: true, down: false });
});

test('a start is no deploy: the history and the time of the last deploy stay, and the app runs from the start on', async () => {
  const deploys = async () => (await linked.ines.call(`GET /api/apps/${app.id}/deploys`)).body;
  const [before, history] = [await refresh(), await deploys()];
  await linked.host.dokku('ps:start', app.longname);
  const started = await refresh();
  expect(started).toMatchObject({ stopped: false, deployment: before.deployment });
  expect(started.startedAt).toBeGreaterThan(started.deployment.at ?? 0);
  expect(await deploys()).toEqual(history);
});
