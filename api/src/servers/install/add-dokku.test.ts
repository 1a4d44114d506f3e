import type { Operation } from '@homeport/contract/operations/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi, type TestVisitor } from '../../http/testing.ts';
import { followToEnd, openAsPage } from '../../testing/page.ts';
import { type SandboxServer, startSandboxServer } from '../../testing/sandbox-host.ts';

let api: TestApi;
let host: SandboxServer;
let ines: TestVisitor;
let server: Server;

beforeAll(async () => {
  api = await startTestApi();
  host = await startSandboxServer({ installed: false });
  ines = await api.signUp('ines');
  const { body: key } = await ines.call('POST /api/keys', { name: 'laptop', publicKey: host.publicKeyLine });
  const { body } = await ines.call('POST /api/servers', {
    name: 'lantern',
    ip: '127.0.0.1',
    port: host.sshd.port,
    username: host.sshd.user,
    credential: (key as { id: string }).id,
    subdomain: 'lantern',
    installDokku: false,
  });
  server = body as Server;
  const pin = host.sshd.hostKeyFingerprint;
  await openAsPage(api.url, ines, { id: server.id, user: host.sshd.user }, host.signer, pin);
}, 120_000);
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  await api?.[Symbol.asyncDispose]();
});

const read = async () => (await ines.call(`GET /api/servers/${server.id}`)).body as Server;
const begin = async (path: string) => (await ines.call(`POST ${path}`, {})).body as Operation;

test('a server without Dokku gets it, and stays one without it until the whole work is done', async () => {
  const early = await ines.call(`POST /api/servers/${server.id}/dokku`, {});
  expect([early.status, early.body]).toMatchObject([
    409,
    { message: expect.stringContaining('Finish the installation') },
  ]);
  const { id } = await begin(`/api/servers/${server.id}/install`);
  expect((await followToEnd(ines, id)).operation.state).toBe('succeeded');
  expect(await read()).toMatchObject({ metal: true, setup: 'ready' });

  host.sandbox.setFault('dpkg-lock', true);
  const first = await begin(`/api/servers/${server.id}/dokku`);
  const failed = (await followToEnd(ines, first.id)).operation;
  expect(failed).toMatchObject({ kind: 'server.add-dokku', state: 'failed' });
  expect(failed.toasts).toContainEqual({ tone: 'bad', text: 'Server Bootstrap failed' });
  expect(await read()).toMatchObject({ metal: true, setup: 'ready' });
  host.sandbox.setFault('dpkg-lock', false);

  await begin(`/api/operations/${first.id}/retry`);
  const { operation } = await followToEnd(ines, first.id);
  expect(operation, JSON.stringify(operation, null, 1)).toMatchObject({ state: 'succeeded', percent: 100 });
  expect(operation.steps.map(({ title }) => title)).toEqual([
    'Verifying information',
    'Installing Dokku',
    'Configuring server',
    'Adding Homeport’s own Dokku plugin',
    'Checking the result',
  ]);
  expect(await read()).toMatchObject({ metal: false, setup: 'ready', dokkuVersion: '0.38.27' });
  const types = await ines.call(`GET /api/servers/${server.id}/database-plugins`);
  expect(types.status).toBe(200);
  expect((await ines.call(`POST /api/servers/${server.id}/dokku`, {})).status).toBe(409);
}, 180_000);
