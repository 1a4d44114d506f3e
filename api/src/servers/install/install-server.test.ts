import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Operation } from '@homeport/contract/operations/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi, type TestVisitor } from '../../http/testing.ts';
import { begin, followToEnd, openAsPage } from '../../testing/page.ts';
import { type SandboxServer, startSandboxServer } from '../../testing/sandbox-host.ts';
import { installServer } from './install-server.ts';

let api: TestApi;
let host: SandboxServer;
let ines: TestVisitor;
let keyId: string;

beforeAll(async () => {
  api = await startTestApi();
  host = await startSandboxServer({ installed: false });
  const firmware = join(host.sandbox.root, 'machine/sys/class/dmi/id');
  await mkdir(firmware, { recursive: true });
  await writeFile(join(firmware, 'sys_vendor'), 'Hetzner\nlogin=plain\n');
  ines = await api.signUp('ines');
  const { body } = await ines.call('POST /api/keys', { name: 'laptop', publicKey: host.publicKeyLine });
  keyId = (body as { id: string }).id;
}, 120_000);
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
});

let server: Server;
const connect = (pin: string | null = host.sshd.hostKeyFingerprint) =>
  openAsPage(api.url, ines, { id: server.id, user: host.sshd.user }, host.signer, pin);

test('a server is linked, proves its host key, and lets the browser’s key in', async () => {
  const added = await ines.call('POST /api/servers', {
    name: 'lantern',
    ip: '127.0.0.1',
    port: host.sshd.port,
    username: host.sshd.user,
    credential: keyId,
    subdomain: 'Lantern ',
  });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  server = added.body as Server;
  expect(server).toMatchObject({ name: 'lantern', subdomain: 'lantern', setup: 'new', metal: false });
  const probe = await connect(null);
  expect(probe).toMatchObject({ type: 'host', fingerprint: host.sshd.hostKeyFingerprint });
  expect(await connect()).toMatchObject({ type: 'ready' });
});

test('the installation goes through its steps, survives a busy package lock, and ends with Setup Completed!', async () => {
  host.sandbox.setFault('dpkg-lock', true);
  const started = await ines.call(`POST /api/servers/${server.id}/install`, {});
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  const { id } = started.body as Operation;
  const first = await followToEnd(ines, id);
  expect(first.operation.state, JSON.stringify(first, null, 1)).toBe('failed');
  expect(first.operation.toasts).toContainEqual({ tone: 'bad', text: 'Server Bootstrap failed' });
  expect(first.operation.problem?.message).toContain('package');
  host.sandbox.setFault('dpkg-lock', false);

  const again = await ines.call(`POST /api/operations/${id}/retry`, {});
  expect(again.status).toBe(202);
  const second = await followToEnd(ines, id);
  expect(second.operation, JSON.stringify(second, null, 1)).toMatchObject({
    state: 'succeeded',
    percent: 100,
    problem: null,
  });
  expect(second.operation.steps.map((step) => [step.title, step.state])).toEqual([
    ['Verifying information', 'done'],
    ['Installing Server Monitoring', 'done'],
    ['Installing Dokku', 'done'],
    ['Configuring server', 'done'],
    ['Adding Homeport’s own Dokku plugin', 'done'],
    ['Checking the result', 'done'],
  ]);
  expect(second.lines.map((line) => line.text)).toContain('Setup Completed!');
  const { body } = await ines.call(`GET /api/servers/${server.id}`);
  expect(body).toMatchObject({
    setup: 'ready',
    agentInstalled: true,
    sandbox: true,
    dokkuVersion: '0.38.27',
    login: 'root',
    provider: 'Hetzner',
  });
}, 180_000);

test('a server without Dokku is at 28 % while it is configured, and at 60 % when it is bootstrapped', () => {
  const definition = installServer({
    db: api.store.db,
    reportUrl: async () => api.url,
    pings: {},
    appDomain: null,
    makeWildcard: null,
  });
  const { steps } = definition.parse({ serverId: crypto.randomUUID(), metal: true });
  expect(steps.map(({ title, percent }) => [title, percent])).toEqual([
    ['Verifying information', 10],
    ['Installing Server Monitoring', 14],
    ['Configuring server', 28],
    ['Checking the result', 60],
  ]);
});

test('shows every command with its account and exit code, and no command holds a secret', async () => {
  const [operation] = (await ines.call(`GET /api/operations?serverId=${server.id}`)).body as Operation[];
  const { body } = await ines.call(`GET /api/operations/${operation?.id}/commands`);
  const commands = body as { command: string; account: string; exitCode: number }[];
  expect(commands.length).toBeGreaterThan(8);
  expect(commands.every((each) => each.account === 'root' || each.account === 'dokku')).toBe(true);
  const text = JSON.stringify(commands);
  // The installer sets the global domain. What is set is read and not set again.
  expect(text).toContain('DOKKU_HOSTNAME=lantern.localhost');
  expect(text).toContain('domains:report --global');
  expect(text).not.toContain('domains:set-global');
  // Nothing reads Dokku's event log.
  expect(text).not.toContain('events:on');
  expect(text).not.toContain('PRIVATE KEY');
});

test('an address is one machine, whatever the port, until the person says that it is another', async () => {
  const noor = await api.signUp('noor');
  const link = (changes: object) =>
    noor.call('POST /api/servers', { ip: '10.1.2.3', credential: 'password', ...changes });
  expect((await link({ name: 'beacon', subdomain: 'beacon' })).status).toBe(201);
  const second = { name: 'twin', subdomain: 'beacontwin', port: 2222 };
  expect(await link(second)).toMatchObject({
    status: 400,
    body: {
      fields: { ip: 'Ip already exists' },
      recovery: expect.stringContaining('already linked as beacon, on port 22.'),
    },
  });
  expect((await link({ ...second, otherMachine: true })).status).toBe(201);
  expect(await link({ ...second, subdomain: 'third', otherMachine: true })).toMatchObject({
    body: { fields: { ip: 'Ip already exists' } },
  });
  // Each tunnel to a machine has a port on the loopback address.
  for (const port of [2022, 2023])
    expect((await link({ name: 'tunnel', ip: '127.0.0.9', port, subdomain: `tunnel${port}` })).status).toBe(
      201,
    );
});

test('refuses the same address and a taken subdomain beside their fields', async () => {
  const again = await ines.call('POST /api/servers', {
    name: 'twin',
    ip: '127.0.0.1',
    port: host.sshd.port,
    credential: keyId,
    subdomain: 'twin',
  });
  expect(again.body).toMatchObject({ code: 'invalid_input', fields: { ip: 'Ip already exists' } });
  const own = await ines.call('POST /api/servers', {
    name: 'twin',
    ip: '127.0.0.2',
    credential: keyId,
    subdomain: 'lantern',
  });
  expect(own.body).toMatchObject({ fields: { subdomain: 'Subdomain already exists for another project' } });
  const mallory = await api.signUp('mallory').catch(() => null);
  if (!mallory) return;
  const other = await mallory.call('POST /api/servers', {
    name: 'x',
    ip: '127.0.0.3',
    credential: 'password',
    subdomain: 'lantern',
  });
  expect(other.body).toMatchObject({ fields: { subdomain: 'Subdomain already claimed -- choose another' } });
  const shape = await ines.call('POST /api/servers', {
    name: 'x',
    ip: '127.0.0.3',
    credential: 'password',
    subdomain: 'no-hyphen',
  });
  expect(shape.body).toMatchObject({
    fields: { subdomain: 'Subdomains should only include letters and numbers' },
  });
});

test('the firewall’s answer is text, whatever its content', async () => {
  const { status, body } = await ines.call(`POST /api/servers/${server.id}/firewall`, {});
  expect(status).toBe(200);
  expect(body).toMatchObject({
    command: { command: expect.stringContaining('ufw status'), exitCode: expect.any(Number) },
  });
});

test('without a connection the answer names the account that the page has to log in as', async () => {
  await ines.call(`DELETE /api/servers/${server.id}/connection`);
  const { status, body } = await ines.call(`POST /api/servers/${server.id}/firewall`, {});
  expect(status).toBe(409);
  expect(body).toMatchObject({
    code: 'connection_required',
    connection: { serverId: server.id, user: host.sshd.user },
  });
});

test('an operation without a connection waits for the browser and goes on when it comes', async () => {
  const { id } = await begin(ines, `POST /api/servers/${server.id}/agent`);
  const following = followToEnd(ines, id);
  await expect
    .poll(async () => (await ines.call(`GET /api/operations/${id}`)).body, { timeout: 10_000 })
    .toMatchObject({
      state: 'waiting',
      waitingFor: { reason: 'connection', user: host.sshd.user },
    });
  await connect();
  expect((await following).operation).toMatchObject({ state: 'succeeded' });
}, 60_000);

test('checks the rights of a new user again', async () => {
  const current = (await ines.call(`GET /api/servers/${server.id}`)).body as Server;
  const edit = (username: string, version: number) =>
    ines.call(`PATCH /api/servers/${server.id}`, { version, username });
  const other = await edit('deploy', current.version);
  expect(other.body).toMatchObject({ username: 'deploy', login: null, consoleAccount: false });
  await edit(host.sshd.user, (other.body as Server).version);
  await connect();
});

test('removing with uninstall takes the agent off the machine and forgets the server', async () => {
  const { body } = await ines.call(`POST /api/servers/${server.id}/remove`, { uninstall: true });
  const { operation } = body as { operation: Operation };
  const { operation: ended, lines } = await followToEnd(ines, operation.id);
  expect(ended.state, JSON.stringify(lines)).toBe('succeeded');
  expect((await ines.call(`GET /api/servers/${server.id}`)).status).toBe(404);
}, 60_000);
