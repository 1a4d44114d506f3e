import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@homeport/contract/testing';
import { type EmbeddedServer, openStore, type Store, startEmbedded } from '@homeport/store';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { controlToken, type ProxyService, startProxy } from './index.ts';
import { request } from './testing/raw-request.ts';
import { startUpstream, type TestUpstream } from './testing/start-plane.ts';

vi.setConfig({ testTimeout: 60_000 });

const secret = 's'.repeat(32);
const domain = 'kept.localhost';

let folder: string;
let server: EmbeddedServer;
let store: Store;
let upstream: TestUpstream;
let proxy: ProxyService;
let port: number;
let control: number;
let id: string;

const urlOf = ({ user, socketFolder }: EmbeddedServer) =>
  `postgresql://${user}@${encodeURIComponent(socketFolder)}/postgres`;
const start = () => startEmbedded({ dataFolder: folder, settings: { fsync: 'off' } });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-killed-'));
  // PostgreSQL does not run as root and has to pass through the folder.
  await chmod(folder, 0o755);
  server = await start();
  store = await openStore({ url: urlOf(server), report: () => undefined });
  upstream = await startUpstream((req, res) => res.end(`upstream ${req.url}`));
  id = await plant(upstream.origin);
  [port, control] = [await freePort(), await freePort()];
  proxy = await startProxy({
    ...{
      host: '127.0.0.1',
      port,
      dataFolder: folder,
      secret,
      workers: null,
      dnsServers: [],
      bodyBytes: null,
    },
    control: { host: '127.0.0.1', port: control },
    async openStore() {
      await pause(300);
      return store;
    },
    upstreams: { allowPrivate: ['127.0.0.0/8'], own: { ports: [], names: [] } },
    trusted: { networks: [], cdnNetworks: [], secret: null },
    ...{ proxyName: null, isLocal: true, report: () => undefined },
  });
}, 60_000);
afterAll(async () => {
  await store.close();
  await server.stop();
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

it('serves its first visitor, although it has no snapshot and the store answers late', async () => {
  expect(await ask('/first')).toMatchObject({ status: 200, body: 'upstream /first' });
});

it('a killed store fails no visitor; after its return changes are live, and every request is counted', async () => {
  await expect.poll(() => ask('/x').then(({ body }) => body)).toBe('upstream /x');
  let asked = 0;
  let isDone = false;
  const failed: unknown[] = [];
  const visitors = Array.from({ length: 4 }, async () => {
    while (!isDone) {
      const { status } = await ask('/x');
      asked += 1;
      if (status !== 200) failed.push(status);
      await new Promise(setImmediate);
    }
  });
  const before = asked;
  process.kill(server.pid, 'SIGKILL');
  // Nobody brings it back yet.
  await server.stop();
  expect((await tell('POST', '/system/reload')).status).toBe(503);
  await expect.poll(() => asked).toBeGreaterThan(before + 20);
  server = await start();
  await expect.poll(() => change(`${upstream.origin}/new`)).toBe(true);
  await expect.poll(async () => (await ask('/x')).body, { timeout: 20_000 }).toBe('upstream /new/x');
  isDone = true;
  await Promise.all(visitors);
  expect(failed).toEqual([]);
  // Its end brings the last counts to the store.
  await proxy.close();
  const { rows } = await store.pool.query<{ sum: string }>(
    "select sum(requests) from proxy_use where proxy_id = $1 and span = 'day'",
    [id],
  );
  expect(Number(rows[0]?.sum)).toBe(upstream.seen.length);
});

async function plant(source: string): Promise<string> {
  const owner = await store.db
    .insertInto('auth.user')
    .values({ name: 'ada', email: 'ada@example.test', emailVerified: true, image: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const row = await store.db
    .insertInto('proxies')
    .values({
      ...{ owner_id: owner.id, name: 'kept', domain, source, created_at: 1, proof: 'kept' },
      ...{ holds: true, allowed: true, granted_at: 1, check_due_at: Date.now() + 3_600_000 },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** True when the store took it: it answers again a moment after its start. */
async function change(source: string): Promise<boolean> {
  const done = store.db.updateTable('proxies').set({ source }).where('id', '=', id).execute();
  return done.then(
    () => true,
    () => false,
  );
}

const ask = (path: string) => request(port, `GET ${path}`, [`Host: ${domain}`]);

function tell(method: string, path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${control}${path}`, {
    method,
    headers: { authorization: `Bearer ${controlToken(secret)}` },
  });
}
