import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App, DeployInstructions } from '@homeport/contract/apps/schema';
import type { deployHistorySchema } from '@homeport/contract/apps/settings-schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { bodyOf } from '../../http/testing.ts';
import { deployApp } from '../../testing/deploy-app.ts';
import { gitProject } from '../../testing/git-project.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { runToEnd, succeeded } from '../../testing/page.ts';
import { visitApp } from '../../testing/visit-app.ts';

const files = (text: string, fault = '') => ({
  'server.js': `${fault}require("http").createServer((_, answer) => answer.end("${text}")).listen(process.env.PORT);`,
  Procfile: 'web: node server.js\n',
});

let linked: LinkedConsole;
let app: App;
beforeAll(async () => {
  linked = await startLinkedConsole();
  app = await deployApp(linked.ines, linked, files('one'));
  const instructions = await linked.ines.call(`GET /api/apps/${app.id}/deploy-instructions`);
  const remote = bodyOf<DeployInstructions>(instructions, 200).remoteUrl;
  // Another commit than the first one, also where both are made within one second.
  await using project = await gitProject(
    { ...files('one'), 'README.md': 'Pushed by hand.\n' },
    linked.pushKey.privateKeyPem,
  );
  await project.git('push', '--force', remote, 'HEAD:main');
  // The version that serves last fails with a variable that comes later.
  await project.commit(files('two', 'if (process.env.BROKEN) process.exit(3);'), 'two');
  await project.push(remote);
}, 180_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const history = async () =>
  bodyOf<z.output<typeof deployHistorySchema>>(
    await linked.ines.call(`GET /api/apps/${app.id}/deploys`),
    200,
  );
const kept = async () => (await history()).releases?.kept ?? [];
/** The one that does not serve. */
const other = async () => {
  const found = (await kept()).find(({ serving }) => !serving);
  if (!found) throw new Error('Nothing is kept.');
  return found;
};
const goBack = (release: string) =>
  runToEnd(linked.ines, `POST /api/apps/${app.id}/releases/go-back`, { release });
const site = async () => (await visitApp(linked.host, app.domains[0] ?? '')).body;

test('the history says which versions the server keeps, and which one serves', async () => {
  await linked.ines.call(`POST /api/apps/${app.id}/refresh`);
  expect(await history()).toMatchObject({
    releases: {
      known: true,
      cutOff: null,
      kept: [
        { commit: { title: 'two' }, serving: true, holdsVariables: true, bytes: expect.any(Number) },
        { commit: { title: 'first' }, serving: false },
        { commit: { title: 'first' }, serving: false },
      ],
    },
  });
}, 60_000);

test('going back lets the version serve, compares it, and is a deploy of the history', async () => {
  const { id, commit } = await other();
  const { operation, lines } = await goBack(id);
  expect(operation, JSON.stringify(lines)).toMatchObject({
    state: 'succeeded',
    steps: [
      { key: 'ask', state: 'done', note: `Commit ${commit?.sha.slice(0, 7)}.` },
      { key: 'go-back', state: 'done' },
      { key: 'compare', state: 'done', note: 'Databases, volumes and variables are those of now.' },
    ],
  });
  expect(await site()).toBe('one');
  expect((await kept()).find(({ serving }) => serving)?.id).toBe(id);
  expect((await history()).deploys[0]).toMatchObject({ source: 'deploy', status: 'succeeded', commit });
}, 60_000);

test('where the version serves already nothing is done', async () => {
  const found = (await kept()).find(({ serving }) => serving);
  const { operation } = await goBack(found?.id ?? '');
  expect(operation).toMatchObject({ state: 'succeeded', steps: [{}, { state: 'skipped' }, {}] });
}, 60_000);

test('a stopped app is not started', async () => {
  const { id } = await other();
  succeeded(await runToEnd(linked.ines, `POST /api/apps/${app.id}/stop`));
  const { operation } = await goBack(id);
  expect(operation.problem?.message).toBe(
    'Start the app first: going back would start it. Nothing was changed.',
  );
  succeeded(await runToEnd(linked.ines, `POST /api/apps/${app.id}/restart`));
}, 60_000);

test('a version that does not start leaves what serves, and the problem says so', async () => {
  const { id } = await other();
  await linked.host.dokku('config:set', '--no-restart', app.longname, 'BROKEN=1');
  const { operation } = await goBack(id);
  expect(operation).toMatchObject({
    state: 'failed',
    problem: { message: 'The kept version does not serve: the version before serves on. The log says why.' },
  });
  expect([await site(), (await history()).releases?.cutOff]).toEqual(['one', null]);
  await linked.host.dokku('config:unset', '--no-restart', app.longname, 'BROKEN');
}, 60_000);

test('a going-back that was cut off on the server is told until the next one ends it', async () => {
  const { id, commit } = await other();
  const folder = join(linked.host.sandbox.root, 'lib/data/homeport/releases', app.longname, '_before');
  const image = `sha256:${'1'.repeat(64)}`;
  await mkdir(folder);
  // As a kill of the server leaves it behind the first step.
  await writeFile(join(folder, 'about'), `${['', id, 'nosuchrecord', commit?.sha, image, ''].join('\n')}\n`);
  await writeFile(join(folder, 'begun'), '');
  await linked.ines.call(`POST /api/apps/${app.id}/refresh`);
  expect((await history()).releases?.cutOff).toBe(id);
  await rm(folder, { recursive: true });
  await linked.ines.call(`POST /api/apps/${app.id}/refresh`);
  expect((await history()).releases?.cutOff).toBe(null);
}, 60_000);

test('a version that is not kept any more is refused, and another one is deleted', async () => {
  const { id } = await other();
  succeeded(await runToEnd(linked.ines, `POST /api/apps/${app.id}/releases/remove`, { release: id }));
  expect((await kept()).map((release) => release.id)).not.toContain(id);
  const { operation } = await goBack(id);
  expect(operation).toMatchObject({
    state: 'failed',
    problem: { message: 'The server does not keep this version any more. Nothing was changed.' },
  });
}, 60_000);

test('a server without the plugin says what to do', async () => {
  await linked.host.dokku('plugin:disable', 'homeport');
  const { operation } = await goBack('0mf3kq2v9a1b2c');
  expect(operation.problem?.recovery).toContain('update the plugin');
  await linked.host.dokku('plugin:enable', 'homeport');
}, 60_000);
