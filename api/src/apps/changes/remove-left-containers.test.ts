import type { App } from '@homeport/contract/apps/schema';
import type { SystemInformation } from '@homeport/contract/apps/settings-schema';
import { leaveContainer } from '@homeport/sandbox/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf } from '../../http/testing.ts';
import { deployApp } from '../../testing/deploy-app.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { runToEnd, succeeded } from '../../testing/page.ts';

let linked: LinkedConsole;
let app: App;
beforeAll(async () => {
  linked = await startLinkedConsole();
  app = await deployApp(linked.ines, linked, { 'index.html': 'ahoy' });
}, 180_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const leave = (minutesAgo: number) => leaveContainer(linked.host.sandbox.root, app.longname, { minutesAgo });
const system = async () =>
  bodyOf<SystemInformation>(await linked.ines.call(`GET /api/apps/${app.id}/system`), 200);
const upcoming = async () => ((await system()).upcoming ?? []).map(({ id }) => id);
const remove = (...containers: string[]) =>
  runToEnd(linked.ines, `POST /api/apps/${app.id}/left-containers/remove`, { containers });

test('what failed deploys left is removed by its ids, and the steps name what stays', async () => {
  const [old, young] = [leave(45), leave(5)];
  expect(await upcoming()).toEqual(expect.arrayContaining([old, young]));
  const ended = await remove(old, young);
  expect(ended.operation).toMatchObject({
    state: 'succeeded',
    steps: [
      {
        key: 'remove',
        state: 'warned',
        note: `${young.slice(0, 12)} stays: a deploy may still take it into use.`,
      },
      { key: 'read', state: 'done' },
    ],
  });
  expect(await upcoming()).toEqual([young]);
});

test('one that is gone already is no failure', async () => {
  const { operation } = await remove('ab'.repeat(32));
  expect(operation).toMatchObject({ state: 'succeeded', steps: [{ note: 'One was gone already.' }, {}] });
});

test('the container that serves stays, whoever names it', async () => {
  const { processes } = await system();
  const filter = `label=com.dokku.app-name=${app.longname}`;
  const serving = await linked.host.docker('ps', '--no-trunc', '--filter', filter, '--format', '{{.ID}}');
  const { operation } = await remove(serving.trim());
  expect(operation).toMatchObject({
    steps: [{ state: 'warned', note: expect.stringContaining('uses it') }, {}],
  });
  expect((await system()).processes).toEqual(processes);
});

test('a server whose plugin cannot says what to do', async () => {
  const id = leave(45);
  await linked.host.dokku('plugin:disable', 'homeport');
  const { operation } = await remove(id);
  expect(operation).toMatchObject({ state: 'failed', steps: [{ state: 'failed' }, {}] });
  expect(operation.problem?.recovery).toContain('update the plugin');
  await linked.host.dokku('plugin:enable', 'homeport');
  succeeded(await remove(id));
});

test('the destruction of an app leaves none of its containers on the server', async () => {
  leave(45);
  leave(5);
  const filter = `label=com.dokku.app-name=${app.longname}`;
  const listed = () => linked.host.docker('ps', '--all', '--filter', filter, '--format', '{{.Names}}');
  expect(await listed()).toContain('upcoming');
  const body = { confirmation: 'destroy' };
  succeeded(await runToEnd(linked.ines, `POST /api/apps/${app.id}/destroy`, body));
  expect(await listed()).toBe('');
});
