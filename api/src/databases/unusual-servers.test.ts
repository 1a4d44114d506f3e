import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type Server as Listener } from 'node:net';
import { join } from 'node:path';
import type { Database } from '@homeport/contract/databases/schema';
import type { Operation } from '@homeport/contract/operations/schema';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { type LinkedConsole, startLinkedConsole } from '../testing/linked-console.ts';
import { begin, followToEnd, runToEnd, succeeded } from '../testing/page.ts';
import { plantDatabase, plantServer } from '../testing/plant.ts';

describe('a server that cannot have databases', () => {
  let api: TestApi;
  let ada: TestPerson;
  beforeAll(async () => {
    api = await startTestApi();
    ada = await api.signUp('ada');
  });
  afterAll(() => api[Symbol.asyncDispose]());
  const create = (serverId: string, more: object = {}) =>
    ada.call('POST /api/databases', { name: 'orders', type: 'postgres', serverId, ...more });

  test('is refused beside its field when it is used without Dokku', async () => {
    const { id } = await plantServer(api.store.db, ada.userId, { metal: true });
    expect(await create(id)).toMatchObject({
      status: 400,
      body: { fields: { serverId: expect.stringContaining('without Dokku') } },
    });
    for (const key of [`GET /api/servers/${id}/database-plugins`, `GET /api/servers/${id}/found-databases`])
      expect(await ada.call(key)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const databases = [{ type: 'postgres', longname: 'orders' }];
    expect(await ada.call(`POST /api/servers/${id}/import-databases`, { databases })).toMatchObject({
      status: 409,
    });
  });

  test('is refused when it is simulated, and so is work on a database that it seems to have', async () => {
    const { id } = await plantServer(api.store.db, ada.userId, { simulated: true });
    expect(await create(id)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const database = await plantDatabase(api.store.db, ada.userId, id);
    for (const key of ['POST start', 'GET connection-strings', 'GET exposure', 'POST refresh'])
      expect(await ada.call(key.replace(' ', ` /api/databases/${database.id}/`))).toMatchObject({
        status: 409,
      });
  });

  test('needs an account that can become root for a plugin', async () => {
    const { id } = await plantServer(api.store.db, ada.userId, { username: 'ines', login: 'plain' });
    expect(await create(id, { installPlugin: true })).toMatchObject({
      status: 400,
      body: { fields: { installPlugin: expect.stringContaining('as root') } },
    });
  });

  test('without a connection says which account has to log in', async () => {
    const { id } = await plantServer(api.store.db, ada.userId);
    const database = await plantDatabase(api.store.db, ada.userId, id);
    for (const key of ['GET connection-strings', 'GET exposure', 'GET logs', 'POST refresh'])
      expect(await ada.call(key.replace(' ', ` /api/databases/${database.id}/`))).toMatchObject({
        body: { code: 'connection_required', connection: { serverId: id, user: 'root' } },
      });
    expect(await ada.call(`GET /api/servers/${id}/database-plugins`)).toMatchObject({
      body: { code: 'connection_required' },
    });
    const { id: operationId } = await begin(ada, `POST /api/databases/${database.id}/start`);
    await vi.waitFor(
      async () =>
        expect((await ada.call(`GET /api/operations/${operationId}`)).body).toMatchObject({
          state: 'waiting',
          waitingFor: { reason: 'connection', user: 'root' },
        }),
      { timeout: 10_000 },
    );
    await ada.call(`POST /api/operations/${operationId}/cancel`, {});
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ type: 'oracle' }, 'type'],
    [{ imageVersion: '--force' }, 'imageVersion'],
    [{ imageVersion: '18;reboot' }, 'imageVersion'],
    [{ imageVersion: 'x'.repeat(10_000) }, 'imageVersion'],
    [{ memoryMb: 1 }, 'memoryMb'],
    [{ memoryMb: 1.5 }, 'memoryMb'],
  ])('has nothing asked of it for %j', async (more, field) => {
    const { id } = await plantServer(api.store.db, ada.userId);
    expect(await create(id, more)).toMatchObject({
      status: 400,
      body: { fields: { [field]: expect.any(String) } },
    });
  });

  test.each([
    ['expose', { address: '127.0.0.1; reboot', hostPorts: [20_001] }, 'address'],
    ['expose', { address: '::g', hostPorts: [20_001] }, 'address'],
    ['expose', { address: 'db.example.com', hostPorts: [20_001] }, 'address'],
    ['expose', { address: null, hostPorts: [22] }, 'hostPorts'],
    ['expose', { address: null, hostPorts: [20_001, 20_002] }, 'hostPorts'],
    ['expose', { address: null, hostPorts: [] }, 'hostPorts'],
    ['link', { appLongname: '--app' }, 'appLongname'],
    ['link', { appLongname: '$(reboot)' }, 'appLongname'],
    ['delete', { confirmation: 'yes' }, 'confirmation'],
  ])('is not asked to %s by %j', async (verb, body, field) => {
    const { id: serverId } = await plantServer(api.store.db, ada.userId);
    const { id } = await plantDatabase(api.store.db, ada.userId, serverId);
    const { status, body: answer } = await ada.call(`POST /api/databases/${id}/${verb}`, body);
    expect(status, JSON.stringify(answer)).toBe(400);
    expect(Object.keys((answer as { fields: object }).fields).join()).toMatch(new RegExp(`^${field}`));
  });
});

/** The server waits before it exposes, so that a test can take the port in between. */
describe('a port that another program takes at the last moment', () => {
  let linked: LinkedConsole;
  let listener: Listener | null = null;
  beforeAll(async () => {
    linked = await startLinkedConsole({
      beforeEach:
        'case "$SSH_ORIGINAL_COMMAND" in *:expose*) touch "$DOKKU_SANDBOX_ROOT/exposing"; n=0; while [ ! -e "$DOKKU_SANDBOX_ROOT/taken" ] && [ $n -lt 200 ]; do n=$((n+1)); sleep 0.05; done;; esac',
    });
  }, 60_000);
  afterAll(async () => {
    listener?.close();
    await linked?.[Symbol.asyncDispose]();
  });

  test('leaves the database unexposed, and the port is named beside its field', async () => {
    const { ines, server, host } = linked;
    const made = { name: 'orders', type: 'redis', serverId: server.id };
    const { databaseId, longname } = succeeded(await runToEnd(ines, 'POST /api/databases', made));
    const hostPort = 20_777;
    const { id } = await begin(ines, `POST /api/databases/${databaseId}/expose`, {
      address: '127.0.0.1',
      hostPorts: [hostPort],
    });
    await vi.waitFor(() => expect(existsSync(join(host.sandbox.root, 'exposing'))).toBe(true), 15_000);
    listener = createServer();
    await new Promise<void>((resolve) => listener?.listen(hostPort, '127.0.0.1', resolve));
    writeFileSync(join(host.sandbox.root, 'taken'), '');
    const { operation } = await followToEnd(ines, id);
    expect(operation).toMatchObject({
      state: 'failed',
      problem: { fields: { hostPorts: expect.stringContaining(String(hostPort)) } },
    } satisfies Partial<Record<keyof Operation, unknown>>);
    const record = bodyOf<Database>(await ines.call(`GET /api/databases/${databaseId}`), 200);
    expect(record).toMatchObject({ ports: [], exposureFails: false });
    expect((await host.dokku('redis:info', longname ?? '', '--exposed-ports')).trim()).toBe('-');
  }, 60_000);
});

describe('a server whose account may not ask Docker, without Homeport’s plugin', () => {
  test('tells of an ended database, and only Homeport knows whether somebody stopped it there', async () => {
    await using linked = await startLinkedConsole({ plugins: ['acl', 'letsencrypt', 'postgres'] });
    const { ines, server, host, api } = linked;
    const made = { name: 'orders', type: 'postgres', serverId: server.id };
    const { databaseId, longname } = succeeded(await runToEnd(ines, 'POST /api/databases', made));
    await api.store.db
      .updateTable('servers')
      .set({ login: 'plain', console_account: false })
      .where('id', '=', server.id)
      .execute();
    const refresh = async () =>
      bodyOf<Database>(await ines.call(`POST /api/databases/${databaseId}/refresh`), 200);
    await host.docker('kill', `dokku.postgres.${longname}`);
    expect(await refresh()).toMatchObject({ state: 'ended', stopped: false, ending: null });
    succeeded(await runToEnd(ines, `POST /api/databases/${databaseId}/start`));
    expect(await refresh()).toMatchObject({ state: 'running', stopped: false });
    succeeded(await runToEnd(ines, `POST /api/databases/${databaseId}/stop`));
    expect(await refresh()).toMatchObject({ state: 'ended', stopped: true });
  }, 60_000);
});

describe('an older Dokku', () => {
  test('creates and links databases all the same', async () => {
    await using linked = await startLinkedConsole({ dokkuVersion: '0.35.0' });
    const { ines, server, host } = linked;
    await host.dokku('apps:create', 'ledger');
    const made = { name: 'orders', type: 'postgres', serverId: server.id };
    const { databaseId } = succeeded(await runToEnd(ines, 'POST /api/databases', made));
    succeeded(await runToEnd(ines, `POST /api/databases/${databaseId}/link`, { appLongname: 'ledger' }));
    const record = bodyOf<Database>(await ines.call(`GET /api/databases/${databaseId}`), 200);
    expect(record).toMatchObject({ state: 'running', links: [{ variable: 'DATABASE_URL' }] });
  }, 90_000);
});
