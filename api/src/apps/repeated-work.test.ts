import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { App } from '@homeport/contract/apps';
import type { Operation, OperationEvent } from '@homeport/contract/operations';
import type { Server } from '@homeport/contract/servers';
import { makeKey } from '@homeport/ssh/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi, type TestVisitor } from '../http/testing.ts';
import { gitProject } from '../testing/git-project.ts';
import { eventsOf, followToEnd, openAsPage } from '../testing/page.ts';
import { type SandboxServer, startSandboxServer } from '../testing/sandbox-host.ts';

let api: TestApi;
let host: SandboxServer;
let ines: TestVisitor;
let server: Server;
let keyId: string;
const pushKey = makeKey();

beforeAll(async () => {
  api = await startTestApi();
  host = await startSandboxServer();
  ines = await api.signUp('ines');
  const login = await posted<{ id: string }>('/api/keys', { name: 'laptop', publicKey: host.publicKeyLine });
  keyId = (await posted<{ id: string }>('/api/keys', { name: 'git', publicKey: pushKey.publicKeyLine })).id;
  server = await posted<Server>('/api/servers', {
    name: 'lantern',
    ip: '127.0.0.1',
    port: host.sshd.port,
    username: host.sshd.user,
    credential: login.id,
    subdomain: 'lantern',
  });
  await connect();
}, 60_000);
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
});

const connect = () =>
  openAsPage(
    api.url,
    ines,
    { id: server.id, user: host.sshd.user },
    host.signer,
    host.sshd.hostKeyFingerprint,
  );
const disconnect = () => ines.call(`DELETE /api/servers/${server.id}/connection`);

async function posted<T>(path: string, body: unknown = {}): Promise<T> {
  const answer = await ines.call(`POST ${path}`, body);
  if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as T;
}

/** Past the console, as somebody else on the server would. */
const dokku = (...words: string[]) =>
  promisify(execFile)('dokku', words, { env: host.sandbox.env, timeout: 30_000 });

async function createNamed(name: string): Promise<App> {
  const { id } = await posted<Operation>('/api/apps', { name, serverId: server.id, keyIds: [keyId] });
  const { operation, lines } = await followToEnd(ines, id);
  expect(operation.state, JSON.stringify(lines)).toBe('succeeded');
  const apps = (await ines.call('GET /api/apps')).body as App[];
  return apps.find((app) => app.longname === operation.longname) as App;
}

/** While this file is there, an app that starts does not listen, and so its deploy does not end. */
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
  await using project = await gitProject(files, pushKey.privateKeyPem);
  await project.push(`ssh://${host.sshd.user}@127.0.0.1:${host.sshd.port}/${app.longname}`);
}

async function logSays(id: string, text: string): Promise<void> {
  for await (const event of eventsOf<OperationEvent>(ines, `GET /api/operations/${id}/events`))
    if (event.type === 'lines' && event.lines.some((line) => line.text.includes(text))) return;
}

/** Resolves once the server is asked to wait for what is left of the app. */
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

test('a rebuild that lost its connection waits for what still runs on the server, then rebuilds', async () => {
  const app = await createNamed('lost');
  await push(app);
  await writeFile(gate(), '');
  const { id } = await posted<Operation>(`/api/apps/${app.id}/rebuild`);
  await logSays(id, 'Attempting pre-flight checks');
  await disconnect();
  await connect();
  await waitsForLeftovers(app);
  await rm(gate());
  const { operation, lines } = await followToEnd(ines, id);
  expect(operation.state, JSON.stringify(lines)).toBe('succeeded');
  expect(notes(lines)).toEqual([
    'The connection was lost. This step is safe to repeat and starts again.',
    `Waited for what was begun before and still ran on the server: ps:rebuild ${app.longname}.`,
  ]);
}, 60_000);

test('a rebuild while Dokku holds the deploy lock fails with the reason, and running it again waits for the lock', async () => {
  const app = await createNamed('locked');
  await push(app);
  await writeFile(gate(), '');
  const other = dokku('ps:rebuild', app.longname);
  await expect
    .poll(async () => (await dokku('builds:list', app.longname)).stdout, { timeout: 10_000 })
    .toMatch(/running/);
  const { id } = await posted<Operation>(`/api/apps/${app.id}/rebuild`);
  const { operation } = await followToEnd(ines, id);
  expect(operation).toMatchObject({
    state: 'failed',
    problem: {
      message: 'A deploy of this app is running. Wait until it is over, then try again.',
    },
  });
  await posted(`/api/operations/${id}/retry`);
  await waitsForLeftovers(app);
  await rm(gate());
  expect((await followToEnd(ines, id)).operation.state).toBe('succeeded');
  await other;
}, 60_000);

test('a creation never takes over an app that it did not make', async () => {
  await disconnect();
  const { id, longname } = await posted<Operation>('/api/apps', {
    name: 'taken',
    serverId: server.id,
    keyIds: [keyId],
  });
  await dokku('apps:create', longname ?? '');
  await connect();
  for (const _try of ['first', 'again']) {
    const { operation } = await followToEnd(ines, id);
    expect(operation).toMatchObject({ state: 'failed', problem: { code: 'conflict' } });
    expect(operation.problem?.message).toContain(`already has an app called ${longname}`);
    await posted(`/api/operations/${id}/retry`);
  }
  await followToEnd(ines, id);
  const apps = (await ines.call('GET /api/apps')).body as App[];
  expect(apps.map(({ name }) => name)).not.toContain('taken');
}, 60_000);

test('destroying an app that is gone from its server removes the record, and a second time finds nothing', async () => {
  const app = await createNamed('gone');
  await dokku('apps:destroy', '--force', app.longname);
  const destroy = () => ines.call(`POST /api/apps/${app.id}/destroy`, { confirmation: 'destroy' });
  const both = [await destroy(), await destroy()].map(({ body }) => body as Operation);
  for (const { id } of both) {
    const { operation } = await followToEnd(ines, id);
    expect(operation).toMatchObject({ state: 'succeeded' });
    expect(operation.steps[0]?.note).toBe('The server no longer had this app.');
  }
  expect((await destroy()).status).toBe(404);
}, 60_000);
