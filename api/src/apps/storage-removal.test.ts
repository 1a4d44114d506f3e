import { existsSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '@homeport/contract/apps/schema';
import type { Mount } from '@homeport/contract/apps/settings-schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf } from '../http/testing.ts';
import { type LinkedConsole, startLinkedConsole } from '../testing/linked-console.ts';
import { runToEnd, succeeded } from '../testing/page.ts';

let linked: LinkedConsole;

beforeAll(async () => {
  linked = await startLinkedConsole();
  succeeded(await runToEnd(linked.ines, `POST /api/servers/${linked.server.id}/install`));
}, 120_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const folder = (name: string) => join(linked.host.sandbox.root, 'lib/data/storage', name);
const onServer = (name: string) => `/var/lib/dokku/data/storage/${name}`;
const destroy = (app: App, storage: readonly string[]) =>
  runToEnd(linked.ines, `POST /api/apps/${app.id}/destroy`, { confirmation: 'destroy', storage });

/** An app with a folder of its own that holds a file. */
async function appWithStorage(name: string): Promise<App> {
  const { ines, server, pushKey } = linked;
  const made = await runToEnd(ines, 'POST /api/apps', { name, serverId: server.id, keyIds: [pushKey.id] });
  const { appId } = succeeded(made).result as { appId: string };
  succeeded(await runToEnd(ines, `POST /api/apps/${appId}/storage`, { containerPath: '/app/storage' }));
  const app = bodyOf<App>(await ines.call(`GET /api/apps/${appId}`), 200);
  writeFileSync(join(folder(app.longname), 'page'), 'written');
  return app;
}
const entries = () => linked.host.dokku('storage:list-entries');

test('a destroyed app leaves its storage, unless the person asks to delete it', async () => {
  const app = await appWithStorage('keeper');
  const mounts = bodyOf<Mount[]>(await linked.ines.call(`GET /api/apps/${app.id}/storage`), 200);
  expect(mounts).toMatchObject([{ hostPath: onServer(app.longname), removable: true }]);
  expect((await destroy(app, [])).operation.state).toBe('succeeded');
  expect(existsSync(folder(app.longname))).toBe(true);
  expect(await entries()).toContain(app.longname);
}, 60_000);

test('deletes the chosen folder and its entry with the app', async () => {
  const app = await appWithStorage('ledger');
  const { operation } = await destroy(app, [onServer(app.longname)]);
  expect(operation).toMatchObject({ state: 'succeeded' });
  expect(operation.steps.find(({ key }) => key === 'storage')).toMatchObject({ state: 'done' });
  expect(existsSync(folder(app.longname))).toBe(false);
  expect(await entries()).not.toContain(app.longname);
}, 60_000);

test('destroys nothing when another app uses the folder, or when the folder is not the app’s', async () => {
  const { host } = linked;
  const app = await appWithStorage('shared');
  await host.dokku('apps:create', 'neighbour');
  await host.dokku('storage:mount', 'neighbour', `${onServer(app.longname)}/part:/data`);
  expect((await destroy(app, [onServer(app.longname)])).operation).toMatchObject({
    state: 'failed',
    problem: { message: `The app neighbour uses ${onServer(app.longname)} too. Nothing was destroyed.` },
  });
  mkdirSync(folder('precious'), { recursive: true });
  for (const other of [onServer('precious'), '/etc', `${onServer(app.longname)}/..`])
    expect((await destroy(app, [other])).operation.problem?.message).toContain('Nothing was destroyed.');
  expect(existsSync(folder('precious'))).toBe(true);
  expect(existsSync(join(folder(app.longname), 'page'))).toBe(true);
  expect((await linked.ines.call(`GET /api/apps/${app.id}`)).status).toBe(200);
}, 60_000);

test('follows no link that stands in the folder’s place, and destroys the app all the same', async () => {
  const app = await appWithStorage('swapped');
  const precious = folder('precious');
  writeFileSync(join(precious, 'page'), 'kept');
  renameSync(folder(app.longname), `${folder(app.longname)}-away`);
  symlinkSync(precious, folder(app.longname));
  const { operation } = await destroy(app, [onServer(app.longname)]);
  expect(operation).toMatchObject({ state: 'succeeded' });
  expect(operation.steps.find(({ key }) => key === 'storage')).toMatchObject({
    state: 'warned',
    note: `${onServer(app.longname)} stays: a link or a file stands in its place.`,
  });
  expect(existsSync(join(precious, 'page'))).toBe(true);
}, 60_000);
