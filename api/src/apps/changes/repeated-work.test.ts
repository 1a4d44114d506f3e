import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '@homeport/contract/apps/schema';
import type { Operation, OperationEvent } from '@homeport/contract/operations/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, type TestVisitor } from '../../http/testing.ts';
import { gitProject } from '../../testing/git-project.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { begin, eventsOf, followToEnd, runToEnd } from '../../testing/page.ts';
import type { SandboxServer } from '../../testing/sandbox-host.ts';

let linked: LinkedConsole;
let host: SandboxServer;
let ines: TestVisitor;
let server: Server;

beforeAll(async () => {
  linked = await startLinkedConsole();
  ({ host, ines, server } = linked);
}, 60_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const disconnect = () => ines.call(`DELETE /api/servers/${server.id}/connection`);
const creation = (name: string) => ({ name, serverId: server.id, keyIds: [linked.pushKey.id] });
const rebuild = (app: App) => begin(ines, `POST /api/apps/${app.id}/rebuild`);
const retry = (id: string) => begin(ines, `POST /api/operations/${id}/retry`);
const listApps = async () => bodyOf<App[]>(await ines.call('GET /api/apps'), 200);

async function createNamed(name: string): Promise<App> {
  const { operation, lines } = await runToEnd(ines, 'POST /api/apps', creation(name));
  expect(operation.state, JSON.stringify(lines)).toBe('succeeded');
  return (await listApps()).find((app) => app.longname === operation.longname) as App;
}

/** While this file exists, a starting app does not listen, so its deploy does not end. */
const gate = () => join(host.sandbox.root, 'gate');

async function push(app: App): Promise<void> {
  const program = `import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
const look = setInterval(() => {
  if (existsSync(${JSON.stringify(gate())})) return;
  clearInterval(look);
  createServer((_request, answer) => answer.end('ahoy')).listen(process.env.PORT);
}, 50);
`;
  const files = { Procfile: 'web: node server.mjs\n', 'server.mjs': program };
  await using project = await gitProject(files, linked.pushKey.privateKeyPem);
  await project.push(`ssh://${host.sshd.user}@127.0.0.1:${host.sshd.port}/${app.longname}`);
}

async function logSays(id: string, text: string): Promise<void> {
  for await (const event of eventsOf<OperationEvent>(ines, `GET /api/operations/${id}/events`))
    if (event.type === 'lines' && event.lines.some((line) => line.text.includes(text))) return;
}

/** Resolves once the console asks the server to wait for leftover commands on the app. */
async function waitsForLeftovers(app: App): Promise<void> {
  const asked = async () => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(
      pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
    );
    return lines.some((line) => line.includes(`\0homeport\0${app.longname}\0`));
  };
  await expect.poll(asked, { timeout: 15_000 }).toBe(true);
}

const notes = (lines: { stream: string; text: string }[]) =>
  lines.filter(({ stream }) => stream === 'note').map(({ text }) => text);

test('a rebuild that lost its connection waits for its command on the server, then rebuilds', async () => {
  const app = await createNamed('lost');
  await push(app);
  await writeFile(gate(), '');
  const { id } = await rebuild(app);
  await logSays(id, 'Attempting pre-flight checks');
  await disconnect();
  await linked.connect();
  await waitsForLeftovers(app);
  await rm(gate());
  const { operation, lines } = await followToEnd(ines, id);
  expect(operation.state, JSON.stringify(lines)).toBe('succeeded');
  expect(notes(lines)).toEqual([
    'The connection was lost. This step is safe to repeat and starts again.',
    `Waited for an earlier command that still ran on the server: ps:rebuild ${app.longname}.`,
  ]);
}, 60_000);

test('a rebuild during a deploy lock fails with the reason, and the next run waits for the lock', async () => {
  const app = await createNamed('locked');
  await push(app);
  await writeFile(gate(), '');
  const other = host.dokku('ps:rebuild', app.longname);
  await expect.poll(() => host.dokku('builds:list', app.longname), { timeout: 10_000 }).toMatch(/running/);
  const { id } = await rebuild(app);
  const { operation } = await followToEnd(ines, id);
  expect(operation).toMatchObject({
    state: 'failed',
    problem: {
      message: 'A deploy of this app is running. Wait until it is over, then try again.',
    },
  });
  await retry(id);
  await waitsForLeftovers(app);
  await rm(gate());
  expect((await followToEnd(ines, id)).operation.state).toBe('succeeded');
  await other;
}, 60_000);

test('a creation never takes over an app that it did not make', async () => {
  await disconnect();
  const { id, longname } = await begin(ines, 'POST /api/apps', creation('taken'));
  await host.dokku('apps:create', longname ?? '');
  await linked.connect();
  for (const _try of ['first', 'again']) {
    const { operation } = await followToEnd(ines, id);
    expect(operation).toMatchObject({ state: 'failed', problem: { code: 'conflict' } });
    expect(operation.problem?.message).toContain(`already has an app called ${longname}`);
    await retry(id);
  }
  await followToEnd(ines, id);
  expect((await listApps()).map(({ name }) => name)).not.toContain('taken');
}, 60_000);

test('destroying an app that is gone from its server removes the record, and a second time finds nothing', async () => {
  const app = await createNamed('gone');
  await host.dokku('apps:destroy', '--force', app.longname);
  const destroy = () => ines.call(`POST /api/apps/${app.id}/destroy`, { confirmation: 'destroy' });
  const both = [await destroy(), await destroy()].map((answer) => bodyOf<Operation>(answer, 202));
  for (const { id } of both) {
    const { operation } = await followToEnd(ines, id);
    expect(operation).toMatchObject({ state: 'succeeded' });
    expect(operation.steps[0]?.note).toBe('The server no longer had this app.');
  }
  expect((await destroy()).status).toBe(404);
}, 60_000);
