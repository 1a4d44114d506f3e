import { randomUUID } from 'node:crypto';
import type { Server } from '@homeport/contract/servers/schema';
import { startPasswordServer } from '@homeport/ssh/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApi, TestVisitor } from '../http/testing.ts';
import { type LinkedConsole, startLinkedConsole } from '../testing/linked-console.ts';
import { openAsPage, runToEnd } from '../testing/page.ts';
import { wholeStore } from '../testing/whole-store.ts';

const canaryPassword = `canary-${randomUUID()}`;
let linked: LinkedConsole;
let api: TestApi;
let ines: TestVisitor;

beforeAll(async () => {
  linked = await startLinkedConsole();
  ({ api, ines } = linked);
}, 120_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

/** The lines of a private key's body. Any of them would give the key away. */
const secretLines = (pem: string) =>
  pem.split('\n').filter((line) => line.length >= 40 && !line.startsWith('-----'));

test('a private key that signs for an installation is nowhere in the store, the logs or an operation', async () => {
  const { server, host } = linked;
  const { operation, lines } = await runToEnd(ines, `POST /api/servers/${server.id}/install`);
  expect(operation.state).toBe('succeeded');
  const commands = (await ines.call(`GET /api/operations/${operation.id}/commands`)).body;
  const everything = [
    await wholeStore(api.store.db),
    ...api.logged,
    ...api.announced,
    JSON.stringify({ operation, lines, commands }),
  ].join('\n');
  const lantern = secretLines(host.privateKeyPem);
  expect(lantern.length).toBeGreaterThan(3);
  // The private file holds the public half too. Only the lines with the secret must never appear.
  const publicHalf = host.publicKeyLine.split(' ')[1] ?? '';
  for (const line of lantern.filter((each) => !publicHalf.includes(each)))
    expect(everything).not.toContain(line);
  // The scan finds the public half, so it works.
  expect(everything).toContain(publicHalf);
}, 120_000);

test('a password is used for one handshake and is nowhere afterwards', async () => {
  await using vault = await startPasswordServer({ username: 'ines', password: canaryPassword });
  const { body } = await ines.call('POST /api/servers', {
    name: 'vault',
    ip: '127.0.0.1',
    port: vault.port,
    username: 'ines',
    credential: 'password',
    subdomain: 'vault',
  });
  const server = body as Server;
  const open = (password: string) =>
    openAsPage(api.url, ines, { id: server.id, user: 'ines' }, { password }, vault.hostKeyFingerprint);
  expect(await open(`${canaryPassword}-wrong`)).toMatchObject({ type: 'failed', code: 'password_refused' });
  expect(await open(canaryPassword)).toMatchObject({ type: 'ready' });
  const everything = [await wholeStore(api.store.db), ...api.logged, ...api.announced].join('\n');
  expect(everything).not.toContain(canaryPassword);
  expect(everything).toContain('vault');
}, 60_000);
