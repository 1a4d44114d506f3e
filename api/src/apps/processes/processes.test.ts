import type { Processes } from '@homeport/contract/apps/processes/schema';
import type { App, DeployInstructions } from '@homeport/contract/apps/schema';
import type { Known } from '@homeport/contract/apps/settings-schema';
import type { Operation } from '@homeport/contract/operations/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf } from '../../http/testing.ts';
import { deployApp } from '../../testing/deploy-app.ts';
import { gitProject } from '../../testing/git-project.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { runToEnd, succeeded } from '../../testing/page.ts';

const server =
  'require("http").createServer((_, answer) => answer.end("ahoy")).listen(process.env.PORT); console.log("up")';
const worker = 'console.log("at work"); setInterval(() => {}, 1000)';
const files = {
  'server.js': server,
  'worker.js': worker,
  Procfile: 'web: node server.js\nworker: node worker.js\n',
};

let linked: LinkedConsole;
let app: App;
beforeAll(async () => {
  linked = await startLinkedConsole();
  app = await deployApp(linked.ines, linked, files);
}, 180_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const get = async <T>(path: string) =>
  bodyOf<T>(await linked.ines.call(`GET /api/apps/${app.id}${path}`), 200);
const processes = () => get<Processes>('/processes');
/** The wanted number and the running ones of each type. */
async function numbers() {
  const { types, containers } = await processes();
  const running = (containers ?? []).filter(({ state }) => state === 'running');
  return Object.fromEntries(
    types.map(({ type, quantity }) => [
      type,
      [quantity, running.filter(({ name }) => name.startsWith(`${type}.`)).length],
    ]),
  );
}
const scale = (changes: readonly [string, number, number][], start = false) =>
  runToEnd(linked.ines, `POST /api/apps/${app.id}/scale`, {
    processes: changes.map(([type, from, to]) => ({ type, from, to })),
    start,
  });
const restartType = (type: string) =>
  runToEnd(linked.ines, `POST /api/apps/${app.id}/processes/restart`, { type });
const noteOf = ({ steps }: Operation, key: string) => steps.find((step) => step.key === key)?.note;
async function push(changed: Record<string, string>): Promise<boolean> {
  const { remoteUrl } = await get<DeployInstructions>('/deploy-instructions');
  await using project = await gitProject({ ...files, ...changed }, linked.pushKey.privateKeyPem);
  try {
    await project.git('push', '--force', remoteUrl, 'HEAD:main');
    return true;
  } catch {
    return false;
  }
}

test('each type is told with its command, its number, and what runs', async () => {
  expect(await processes()).toMatchObject({
    types: [
      { type: 'web', command: 'node server.js', quantity: 1, memoryMb: null },
      { type: 'worker', command: 'node worker.js', quantity: 0 },
    ],
    scalable: true,
    restartPolicy: 'on-failure:10',
    stopSeconds: 30,
    containers: [
      {
        name: 'web.1',
        state: 'running',
        memoryBytes: 512 * 1024 * 1024,
        version: { sha: expect.stringMatching(/^[0-9a-f]{40}$/) },
      },
    ],
  });
  expect((await get<Known>('/known')).processes?.told).toEqual(await processes());
});

test('scaling starts the new processes, says each command, and the page’s reading is renewed', async () => {
  const { operation, lines } = await scale([
    ['web', 1, 2],
    ['worker', 0, 1],
  ]);
  succeeded({ operation, lines });
  expect(operation.title).toBe('Scale web to 2, worker to 1');
  expect(JSON.stringify(lines)).toContain(`Scaling ${app.longname} processes: web=2 worker=1`);
  expect((await get<Known>('/known')).processes?.told.types.slice(0, 2)).toMatchObject([
    { quantity: 2 },
    { quantity: 1 },
  ]);
  expect(await numbers()).toEqual({ web: [2, 2], worker: [1, 1] });
}, 60_000);

test('a number that another change replaced meanwhile is not overwritten, and an unknown type is refused', async () => {
  const stale = await scale([['web', 1, 3]]);
  expect(stale.operation).toMatchObject({
    state: 'failed',
    problem: { message: 'The server wants 2 of web by now, not 1. Nothing was changed.' },
  });
  const unknown = await scale([['clock', 0, 1]]);
  expect(unknown.operation.problem?.message).toBe(
    'The app has no process clock by now. Nothing was changed.',
  );
  expect(await numbers()).toEqual({ web: [2, 2], worker: [1, 1] });
}, 60_000);

test('a number that Dokku keeps already although nothing runs brings the processes', async () => {
  // As after a console that was killed between the two.
  await linked.host.dokku('ps:scale', '--skip-deploy', app.longname, 'worker=2');
  succeeded(await scale([['worker', 1, 2]]));
  expect(await numbers()).toEqual({ web: [2, 2], worker: [2, 2] });
  succeeded(
    await scale([
      ['worker', 2, 1],
      ['web', 2, 1],
    ]),
  );
  expect(await numbers()).toEqual({ web: [1, 1], worker: [1, 1] });
}, 60_000);

test.each([
  [-1, 'processes.0.to'],
  [21, 'processes.0.to'],
  [1.5, 'processes.0.to'],
])('refuses %s beside its field', async (to, field) => {
  const refused = await linked.ines.call(`POST /api/apps/${app.id}/scale`, {
    processes: [{ type: 'web', from: 1, to }],
  });
  expect(refused).toMatchObject({
    status: 400,
    body: { fields: { [field]: 'Enter a whole number from 0 to 20.' } },
  });
});

test('refuses release, a type named twice, and no change', async () => {
  const call = (changes: readonly object[]) =>
    linked.ines.call(`POST /api/apps/${app.id}/scale`, { processes: changes });
  const web = { type: 'web', from: 1, to: 2 };
  for (const changes of [[{ ...web, type: 'release' }], [web, web], []])
    expect((await call(changes)).status).toBe(400);
});

test('one type restarts, and the others run on', async () => {
  const before = await processes();
  succeeded(await restartType('worker'));
  const after = await processes();
  const at = (told: Processes, name: string) =>
    told.containers?.find((container) => container.name === name)?.createdAt;
  expect(at(after, 'web.1')).toBe(at(before, 'web.1'));
  expect(at(after, 'worker.1')).toBeGreaterThan(at(before, 'worker.1') ?? 0);
  expect((await restartType('clock')).operation.problem?.message).toContain('has no process clock');
}, 60_000);

test('of a stopped app only the number is kept, until its start is asked for', async () => {
  await linked.host.dokku('ps:stop', app.longname);
  const { operation } = await scale([['worker', 1, 2]]);
  expect(operation.state).toBe('succeeded');
  expect(noteOf(operation, 'scale')).toBe('The app is stopped. The numbers hold from its next start on.');
  expect(await numbers()).toEqual({ web: [1, 0], worker: [2, 0] });
  expect((await restartType('web')).operation.problem?.message).toContain('The app is stopped.');
  succeeded(await scale([['worker', 2, 1]], true));
  expect(await numbers()).toEqual({ web: [1, 1], worker: [1, 1] });
}, 60_000);

test('the rules of restart and stop are kept, and the containers made anew have them', async () => {
  const change = (body: object) => runToEnd(linked.ines, `POST /api/apps/${app.id}/processes/rules`, body);
  succeeded(await change({ restartPolicy: 'unless-stopped', stopSeconds: 45 }));
  expect(await processes()).toMatchObject({
    restartPolicy: 'unless-stopped',
    stopSeconds: 45,
    containers: [{ restartPolicy: 'unless-stopped' }, { restartPolicy: 'unless-stopped' }],
  });
  const refused = await linked.ines.call(`POST /api/apps/${app.id}/processes/rules`, {
    restartPolicy: 'on-failure:abc',
    stopSeconds: 0,
  });
  expect(Object.keys((refused.body as { fields: object }).fields).toSorted()).toEqual([
    'restartPolicy',
    'stopSeconds',
  ]);
}, 60_000);

test('after a deploy that fails at one type, the containers tell which version each type runs', async () => {
  const [before] = (await processes()).containers ?? [];
  // Docker refuses more processors than the server has, of the worker alone.
  await linked.host.dokku('resource:limit', '--process-type', 'worker', '--cpu', '9999', app.longname);
  expect(await push({ 'more.js': '' })).toBe(false);
  await linked.host.dokku('resource:limit-clear', '--process-type', 'worker', app.longname);
  bodyOf<App>(await linked.ines.call(`POST /api/apps/${app.id}/refresh`), 200);
  const known = await get<Known>('/known');
  const versions = Object.fromEntries(
    known.processes?.told.containers?.map(({ name, version }) => [name, version]) ?? [],
  );
  expect(versions['worker.1']).toEqual(before?.version);
  expect(versions['web.1']?.image).not.toBe(before?.version.image);
  expect(versions['web.1']?.sha).toBe(known.deploys?.told.deploys[0]?.commit?.sha);
  expect(versions['web.1']?.sha).not.toBe(before?.version.sha);
}, 60_000);

test('a formation in app.json owns the numbers', async () => {
  const formation = { web: { quantity: 1 }, worker: { quantity: 2 } };
  expect(await push({ 'app.json': JSON.stringify({ formation }) })).toBe(true);
  expect(await processes()).toMatchObject({ scalable: false });
  expect(await numbers()).toEqual({ web: [1, 1], worker: [2, 2] });
  const { operation } = await scale([['web', 1, 2]]);
  expect(operation.problem?.message).toContain('app.json sets these numbers');
  expect(await numbers()).toEqual({ web: [1, 1], worker: [2, 2] });
}, 60_000);

test('without the plugin Dokku itself is asked', async () => {
  await linked.host.dokku('plugin:disable', 'homeport');
  expect(await processes()).toMatchObject({
    types: [
      { type: 'web', command: null, quantity: 1 },
      { type: 'worker', quantity: 2 },
    ],
    scalable: false,
    containers: [{ name: 'web.1' }, { name: 'worker.1' }, { name: 'worker.2' }],
  });
  await linked.host.dokku('plugin:enable', 'homeport');
}, 60_000);
