import type { App } from '@homeport/contract/apps/schema';
import type { Environment, Mount } from '@homeport/contract/apps/settings-schema';
import { queuedPerLane } from '@homeport/contract/limits';
import type { Operation } from '@homeport/contract/operations/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { openConnection } from '@homeport/ssh';
import { keyLogin } from '@homeport/ssh/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { TestApi, TestPerson } from '../http/testing.ts';
import type { ConnectionRequest } from '../remote/server-access.ts';
import { deployApp } from '../testing/deploy-app.ts';
import { type LinkedConsole, startLinkedConsole } from '../testing/linked-console.ts';
import { followToEnd, runToEnd } from '../testing/page.ts';
import type { SandboxServer } from '../testing/sandbox-host.ts';
import { wholeStore } from '../testing/whole-store.ts';
import { reachApp } from './reach-app.ts';
import { readReadme } from './state/read-details.ts';

let linked: LinkedConsole;
let api: TestApi;
let host: SandboxServer;
let ines: TestPerson;
let server: Server;
let app: App;

beforeAll(async () => {
  linked = await startLinkedConsole({ plugins: ['acl', 'letsencrypt'] });
  ({ api, host, ines, server } = linked);
  app = await deployApp(ines, linked, { 'index.html': 'ahoy', 'README.md': '# Ledger\n' });
}, 180_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const act = async (path: string, body: unknown) => {
  const { operation, lines } = await runToEnd(ines, `POST /api/apps/${app.id}/${path}`, body);
  return { operation, shown: JSON.stringify(lines) };
};
const read = async (path: string) => (await ines.call(`GET /api/apps/${app.id}/${path}`)).body;

/** Records the notifications to pages in other browsers from now on. */
async function listen() {
  const heard: unknown[] = [];
  const stop = await api.store.listener.on('changed', (change) => heard.push(change));
  return async (change: { topic: string; id: string | null }) => {
    await vi.waitFor(() => expect(heard).toContainEqual(expect.objectContaining(change)), 20_000);
    stop();
  };
}

test('variables keep every character, an empty value removes its key, and no value is in the store, the log or an argv', async () => {
  const values = {
    GREETING: 'a "quoted"\nsecond line $HOME `id`',
    SECRET_CANARY: 'canary-4711-canary',
    GONE: 'soon',
  };
  const set = await ines.call(`PATCH /api/apps/${app.id}/environment`, { values, restart: false });
  expect(set.body, JSON.stringify(set.body)).toMatchObject({ environment: { values }, operation: null });
  await ines.call(`PATCH /api/apps/${app.id}/environment`, { values: { GONE: '' }, restart: false });
  const environment = (await read('environment')) as Environment;
  expect(environment.values).toMatchObject({ GREETING: values.GREETING });
  expect(environment.values).not.toHaveProperty('GONE');
  const everything = [await wholeStore(api.store.db), ...api.logged].join('\n');
  expect(everything).toContain(app.longname);
  expect(everything).not.toContain('canary-4711');
});

test('refuses an invalid key beside its field, and does not change Dokku’s own variables', async () => {
  const bad = await ines.call(`PATCH /api/apps/${app.id}/environment`, {
    values: { '1st': 'x' },
    restart: false,
  });
  expect(bad.status).toBe(400);
  const managed = await ines.call(`PATCH /api/apps/${app.id}/environment`, {
    values: { PORT: '80' },
    restart: false,
  });
  expect(managed.body).toMatchObject({
    code: 'invalid_input',
    fields: { 'values.PORT': expect.stringContaining('Dokku sets PORT itself') },
  });
});

test('keeps all of several simultaneous changes', async () => {
  const keys = Array.from({ length: 6 }, (_, n) => `SIDE_${n}`);
  await Promise.all(
    keys.map((key) =>
      ines.call(`PATCH /api/apps/${app.id}/environment`, { values: { [key]: key }, restart: false }),
    ),
  );
  expect(Object.keys(((await read('environment')) as Environment).values)).toEqual(
    expect.arrayContaining(keys),
  );
}, 60_000);

test('a change with a restart starts one operation', async () => {
  const { body } = await ines.call(`PATCH /api/apps/${app.id}/environment`, {
    values: { A: '1', B: '2' },
    restart: true,
  });
  const { operation } = body as { operation: Operation };
  expect((await followToEnd(ines, operation.id)).operation.toasts).toEqual([
    { tone: 'ok', text: 'App Restarted Successfully' },
  ]);
}, 60_000);

test('variables are saved although the restart is refused, and the answer says both', async () => {
  const hold = Array.from({ length: queuedPerLane + 1 }, () =>
    ines.call(`POST /api/apps/${app.id}/restart`, {}),
  );
  const begun = (await Promise.all(hold)).map(({ body }) => (body as Operation).id);
  const values = { KEPT: 'yes' };
  const { status, body } = await ines.call(`PATCH /api/apps/${app.id}/environment`, {
    values,
    restart: true,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({ environment: { values }, operation: null, notRestarted: expect.any(String) });
  for (const id of begun.toReversed()) await ines.call(`POST /api/operations/${id}/cancel`, {});
  for (const id of begun) await followToEnd(ines, id);
}, 60_000);

test('a plan is applied, the app restarted and the record saved, with the three toasts in order', async () => {
  const { operation, shown } = await act('plan', { from: 3, plan: 1 });
  expect(operation.state, shown).toBe('succeeded');
  expect(operation.toasts.map((toast) => toast.text)).toEqual([
    'App Plan Selected',
    'App Restarted Successfully',
    'App Updated Successfully',
  ]);
  expect(await read('resources')).toMatchObject({
    memoryMb: 128,
    cpus: 0.25,
    hostCpus: expect.any(Number),
    containers: [{ name: 'web.1', state: 'running', memoryBytes: 128 * 1024 * 1024, cpus: 0.25 }],
  });
  expect((await ines.call(`GET /api/apps/${app.id}`)).body).toMatchObject({ plan: 1 });
}, 60_000);

test('does not overwrite a plan that was changed elsewhere, neither at once nor in a queue', async () => {
  const stale = await ines.call(`POST /api/apps/${app.id}/plan`, { from: 3, plan: 2 });
  expect(stale).toMatchObject({ status: 409, body: { code: 'stale_edit', current: { plan: 1 } } });
  const started = await Promise.all(
    [2, 4].map((plan) => ines.call(`POST /api/apps/${app.id}/plan`, { from: 1, plan })),
  );
  expect(started.map(({ status }) => status)).toEqual([202, 202]);
  const ended = await Promise.all(started.map(({ body }) => followToEnd(ines, (body as Operation).id)));
  expect(ended.map(({ operation }) => operation.state).sort()).toEqual(['failed', 'succeeded']);
  const refused = ended.find(({ operation }) => operation.state === 'failed')?.operation;
  const kept = ((await ines.call(`GET /api/apps/${app.id}`)).body as App).plan;
  expect(refused?.problem).toMatchObject({ code: 'stale_edit', current: { plan: kept } });
}, 60_000);

test('does not overwrite a variable that was changed elsewhere, and the refusal holds no value', async () => {
  const change = (values: Record<string, string>, from: Record<string, string | null>) =>
    ines.call(`PATCH /api/apps/${app.id}/environment`, { values, from, restart: false });
  const told = await listen();
  expect((await change({ COLOUR: 'grün' }, { COLOUR: null })).status).toBe(200);
  await told({ topic: 'environment', id: app.id });
  const stale = await change({ COLOUR: 'rot', OTHER: 'x' }, { COLOUR: null, OTHER: null });
  expect(stale).toMatchObject({ status: 409, body: { code: 'stale_edit', current: { keys: ['COLOUR'] } } });
  expect(JSON.stringify(stale.body)).not.toMatch(/grün|rot/);
  const { values } = (await read('environment')) as Environment;
  expect(values).toMatchObject({ COLOUR: 'grün' });
  expect(values).not.toHaveProperty('OTHER');
  // The same change twice is no conflict, and neither is a change of another key.
  expect((await change({ COLOUR: 'grün' }, { COLOUR: null })).status).toBe(200);
  expect((await change({ COLOUR: '' }, { COLOUR: 'grün' })).status).toBe(200);
  expect((await change({ COLOUR: '' }, { COLOUR: 'grün' })).status).toBe(200);
});

test('domains are added and removed, and the record follows the server', async () => {
  expect((await act('domains', { domain: 'Shop.Example.com' })).operation.toasts).toEqual([
    { tone: 'ok', text: 'Domain added' },
  ]);
  expect((await ines.call(`GET /api/apps/${app.id}`)).body).toMatchObject({
    domains: expect.arrayContaining(['shop.example.com']),
  });
  expect((await act('domains/remove', { domain: 'shop.example.com' })).operation.toasts).toEqual([
    { tone: 'ok', text: 'Domain removed' },
  ]);
  const after = (await ines.call(`GET /api/apps/${app.id}`)).body as App;
  expect(after.domains).not.toContain('shop.example.com');
  expect((await ines.call(`POST /api/apps/${app.id}/domains`, { domain: 'no spaces.com' })).status).toBe(400);
}, 60_000);

test('a domain that goes takes no neighbour along', async () => {
  await act('domains', { domain: 'old.shop.example.com' });
  await act('domains', { domain: 'old-shop.example.com' });
  // Dokku passes the name to grep, in which each dot fits any character.
  await act('domains/remove', { domain: 'old.shop.example.com' });
  const { domains } = (await ines.call(`GET /api/apps/${app.id}`)).body as App;
  expect(domains).toContain('old-shop.example.com');
  expect(domains).not.toContain('old.shop.example.com');
  await act('domains/remove', { domain: 'old-shop.example.com' });
}, 60_000);

test('a refused certificate says why, and the app keeps running', async () => {
  host.sandbox.setFault('certificate', true);
  const { operation } = await act('https', { email: 'ines@example.com' });
  host.sandbox.setFault('certificate', false);
  expect(operation).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('certificate') },
  });
}, 60_000);

test('HTTPS sets the e-mail, gets the certificate and reports both', async () => {
  const { operation, shown } = await act('https', { email: 'ines@example.com' });
  expect(operation.state, shown).toBe('succeeded');
  expect(operation.toasts.map((toast) => toast.text)).toEqual([
    'LetsEncrypt email added successfully',
    'Enabled HTTPS Successfully',
  ]);
  expect((await ines.call(`GET /api/apps/${app.id}`)).body).toMatchObject({ https: true });
}, 60_000);

test('mounts storage and lists it with its size', async () => {
  const { operation, shown } = await act('storage', { containerPath: '/app/storage' });
  expect(operation.state, shown).toBe('succeeded');
  expect(operation.toasts).toContainEqual({ tone: 'ok', text: 'Storage added' });
  expect((await read('storage')) as Mount[]).toMatchObject([
    { containerPath: '/app/storage', usedBytes: expect.any(Number), measuredAt: expect.any(Number) },
  ]);
  expect((await ines.call(`POST /api/apps/${app.id}/storage`, { containerPath: '/app/../etc' })).status).toBe(
    400,
  );
}, 60_000);

test('readme, deploys and system information are read from the server', async () => {
  expect(await read('readme')).toEqual({ kind: 'text', text: '# Ledger\n', account: 'dokku' });
  expect(await read('deploys')).toMatchObject({ supported: true, deploys: [{ status: 'succeeded' }] });
  expect(await read('system')).toMatchObject({
    processes: [{ name: 'web.1', state: 'running' }],
    proxy: 'nginx',
  });
});

test('with the console’s own account the readme needs a connection that may become root, and names its account', async () => {
  const { db } = api.store;
  const change = (facts: { console_account?: boolean; login?: 'root' | 'plain' }) =>
    db.updateTable('servers').set(facts).where('id', '=', server.id).execute();
  // The sandbox tells accounts apart by their commands, so one login stands for both.
  const connection = await openConnection(keyLogin(host.sshd, host.signer));
  const open = new Set(['homeport']);
  const connections = {
    find: ({ user }: ConnectionRequest) => (open.has(user) ? connection : null),
    onChange: () => () => {},
  };
  const asking = { userId: ines.userId, sessionId: 'this one' };
  const readIt = async () =>
    readReadme(
      await reachApp({ store: api.store, connections }, asking, app.id, AbortSignal.timeout(10_000)),
    );
  try {
    await change({ console_account: true });
    expect(await readIt()).toEqual({ kind: 'needs_root', user: server.username });
    open.add(server.username);
    expect(await readIt()).toEqual({ kind: 'text', text: '# Ledger\n', account: 'root' });
    await change({ login: 'plain' });
    expect(await readIt()).toEqual({ kind: 'needs_root', user: null });
  } finally {
    await change({ console_account: false, login: 'root' });
    connection.close();
  }
});

test('does not overwrite a name that was changed elsewhere, and the refusal holds the current app', async () => {
  const { version } = (await ines.call(`GET /api/apps/${app.id}`)).body as App;
  const rename = (name: string) => ines.call(`PATCH /api/apps/${app.id}`, { version, name });
  const answers = await Promise.all(['daybook', 'journal'].map(rename));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const kept = answers.find(({ status }) => status === 200)?.body as App;
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'stale_edit',
    current: { id: app.id, name: kept.name, version: version + 1 },
  });
});

test('a repository is linked by name and unlinked again, and a stale edit is refused', async () => {
  const current = (await ines.call(`GET /api/apps/${app.id}`)).body as App;
  const linked = await ines.call(`PUT /api/apps/${app.id}/repository`, {
    version: current.version,
    repository: { fullName: 'ines/ledger', branch: 'main' },
  });
  expect(linked.body).toMatchObject({ repository: { fullName: 'ines/ledger', branch: 'main' } });
  const stale = await ines.call(`PUT /api/apps/${app.id}/repository`, {
    version: current.version,
    repository: null,
  });
  expect(stale).toMatchObject({
    status: 409,
    body: { code: 'stale_edit', current: { repository: { fullName: 'ines/ledger' } } },
  });
});

test('lists the apps of others and imports them once, as they are on the server', async () => {
  const { db } = api.store;
  const known = (await ines.call(`GET /api/apps/${app.id}`)).body as App;
  await db.deleteFrom('apps').where('id', '=', app.id).execute();
  expect((await ines.call(`GET /api/servers/${server.id}/apps`)).body).toEqual([
    { longname: app.longname, appId: null },
  ]);
  const told = await listen();
  for (let time = 0; time < 2; time += 1) {
    const { operation } = await runToEnd(ines, `POST /api/servers/${server.id}/import`, {
      longnames: [app.longname],
    });
    expect(operation).toMatchObject({
      state: 'succeeded',
      toasts: [{ tone: 'ok', text: '1 Apps imported' }],
    });
  }
  await told({ topic: 'apps', id: null });
  expect((await ines.call('GET /api/apps')).body).toMatchObject([
    {
      longname: app.longname,
      plan: known.plan,
      imported: true,
      unread: false,
      domains: known.domains,
      https: true,
      stopped: false,
      url: expect.stringContaining(known.domains[0] ?? ''),
      deployment: { status: 'succeeded', at: expect.any(Number) },
    },
  ]);
  const [imported] = (await ines.call('GET /api/apps')).body as App[];
  // Dokku counts in seconds.
  expect(imported?.createdAt).toBeLessThan(known.createdAt + 60_000);
  expect(imported?.createdAt).toBeGreaterThan(known.createdAt - 60_000);
});
