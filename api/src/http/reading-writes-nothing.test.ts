import { randomUUID } from 'node:crypto';
import type { App, AppLogEvent } from '@homeport/contract/apps/schema';
import { liveSubprotocol } from '@homeport/contract/live/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import type { RouteSchemas } from '@homeport/contract/route';
import { type RouteKey, routes } from '@homeport/contract/routes';
import {
  type CloudflareProcess,
  type GithubProcess,
  startCloudflare,
  startGithub,
} from '@homeport/stand-ins/testing';
import { watchWrites } from '@homeport/store/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { deployApp } from '../testing/deploy-app.ts';
import { linkGithub, settingsOf } from '../testing/github.ts';
import { type LinkedConsole, startLinkedConsole } from '../testing/linked-console.ts';
import { eventsOf, openAsPage, runToEnd, succeeded } from '../testing/page.ts';
import { namedKind, smallestPng } from '../testing/plant.ts';
import { bodyOf } from './testing.ts';

/** Every GET route of the table that only reads, on a linked server with a running app, so that each answer is a good one. */
const table = (Object.entries(routes) as [RouteKey, RouteSchemas][]).filter(
  ([key, route]) => key.startsWith('GET ') && route.kind !== 'exchange',
);

let github: GithubProcess;
let linked: LinkedConsole;
let cloudflare: CloudflareProcess;
let app: App;
let ids: Record<string, string>;
let written: () => Promise<string[]>;

beforeAll(async () => {
  github = await startGithub();
  cloudflare = await startCloudflare();
  linked = await startLinkedConsole(undefined, { cloudflareUrl: cloudflare.url, github: settingsOf(github) });
  const { ines, server, api } = linked;
  app = await deployApp(ines, linked, { 'index.html': 'ahoy', 'README.md': '# Ledger' });
  await linkRepository();
  // For the output of a one-off command.
  await linked.host.dokku('run:detached', app.longname, 'sleep', '600');
  const [operation] = bodyOf<Operation[]>(await ines.call('GET /api/operations'), 200);
  const made = { name: 'orders', type: 'redis', serverId: server.id };
  const { databaseId } = succeeded(await runToEnd(ines, 'POST /api/databases', made));
  ids = {
    servers: server.id,
    apps: app.id,
    databases: databaseId ?? '',
    operations: operation?.id ?? '',
  };
  const proxy = { domain: 'merged.example.com', source: 'https://www.example.org' };
  ids.proxies = bodyOf<ProxyRecord>(await ines.call('POST /api/proxies', proxy), 201).id;
  bodyOf(await ines.call('PUT /api/profile/avatar', { picture: smallestPng }), 200);
  const destination = { name: 'chat', target: { kind: 'webhook', url: 'https://hooks.example.com/' } };
  ids.destinations = bodyOf<{ record: { id: string } }>(
    await ines.call('POST /api/destinations', destination),
    201,
  ).record.id;
  const token = { name: 'backup', scopes: ['apps:read'], days: 1 };
  ids.tokens = bodyOf<{ record: { id: string } }>(await ines.call('POST /api/tokens', token), 201).record.id;
  const agent = { ...token, kind: 'agent', scopes: ['apps:propose'] };
  const proposing = bodyOf<{ token: string }>(await ines.call('POST /api/tokens', agent), 201).token;
  const proposal = { call: { route: 'POST /api/apps/:id/restart', params: { id: app.id } }, why: 'why' };
  const headers = { authorization: `Bearer ${proposing}` };
  const proposed = await api.visitor().call('POST /api/proposals', proposal, headers);
  ids.proposals = bodyOf<{ id: string }>(proposed, 201).id;
  const statusPage = { slug: 'services', title: 'Services' };
  ids['status-pages'] = bodyOf<{ id: string }>(await ines.call('POST /api/status-pages', statusPage), 201).id;
  ids.zones = await cloudflare.addZone('example.com');
  const secret = `cfut_${'a'.repeat(48)}`;
  await cloudflare.grant({ secret });
  bodyOf(await ines.call('PUT /api/zones/account', { secret }), 200);
  // The history writes what the program called a moment later.
  const calls = async () => (await api.store.pool.query('select from program_calls')).rowCount;
  await vi.waitFor(async () => expect(await calls()).toBe(1), { timeout: 10_000 });
  const all = await watchWrites(api.store);
  // Timers of the console write when they looked for news and that the process lives; no request does. `readings` is a cache of
  // what the server answered, for the next view: it changes no record, and a page that shows it says how old it is.
  const besides = [' public.notice_looks', ' public.replicas', ' public.readings'];
  written = async () => (await all()).filter((what) => !besides.some((table) => what.endsWith(table)));
}, 180_000);
afterAll(async () => {
  await linked?.[Symbol.asyncDispose]();
  await cloudflare?.[Symbol.asyncDispose]();
  await github?.[Symbol.asyncDispose]();
});

/** For the routes that read from GitHub. */
async function linkRepository(): Promise<void> {
  const owner = await github.addPerson('octo');
  await github.addRepository({ owner: owner.login, name: 'ledger' });
  bodyOf(await linkGithub(linked.ines, owner), 200);
  const { version } = bodyOf<App>(await linked.ines.call(`GET /api/apps/${app.id}`), 200);
  const body = { version, repository: { fullName: 'octo/ledger', branch: 'main' } };
  bodyOf(await linked.ines.call(`PUT /api/apps/${app.id}/repository`, body), 200);
}

const refresh = async () => bodyOf<App>(await linked.ines.call(`POST /api/apps/${app.id}/refresh`), 200);

/** Reads a stream until the event that `ends` it, or its first event. */
async function readStream(address: string, ends: (event: AppLogEvent) => boolean = () => true) {
  for await (const event of eventsOf<AppLogEvent>(linked.ines, address)) if (ends(event)) return;
}

function openLive(): Promise<void> {
  const { api, ines } = linked;
  const headers = { origin: api.url, cookie: ines.cookie() };
  const socket = new WebSocket(`${api.url.replace('http', 'ws')}/api/live`, liveSubprotocol, { headers });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => socket.close());
    socket.once('close', () => resolve());
  });
}

/** Without its query the route refuses the request, and reads nothing. */
const neededQueries: Partial<Record<RouteKey, string>> = {
  'GET /api/servers/:id/dns': '?domain=shop.example.com',
};

async function read(key: RouteKey, route: RouteSchemas): Promise<void> {
  const { ines, server, host, api } = linked;
  const kind = namedKind(key);
  const path = kind === undefined ? key : key.replace(':id', ids[kind] ?? '').replace(':dump', randomUUID());
  const address = `${path}${neededQueries[key] ?? ''}`;
  if (key === 'GET /api/live') return openLive();
  if (key === 'GET /api/apps/:id/deploy-log') return readStream(address, ({ type }) => type === 'changed');
  if (key === 'GET /api/events') {
    const stop = new AbortController();
    expect(await ines.open(address, { signal: stop.signal })).toMatchObject({ status: 200 });
    return stop.abort();
  }
  if (route.kind === 'stream') return readStream(address);
  // The server has no dump; `dumps.test.ts` fetches one.
  if (route.kind === 'download' && kind !== undefined)
    return expect(await ines.call(address)).toMatchObject({ status: 404 });
  if (route.kind === 'socket') {
    const login = { id: server.id, user: host.sshd.user };
    const last = await openAsPage(api.url, ines, login, host.signer, host.sshd.hostKeyFingerprint);
    return expect(last).toMatchObject({ type: 'ready' });
  }
  expect(await ines.call(address)).toMatchObject({ status: 200 });
}

describe('reading changes nothing in the store', () => {
  it.each(table)(
    '%s',
    async (key, route) => {
      if (key === 'GET /api/servers/:id/connection') {
        // As at the first login ever: nobody accepted a host key yet.
        await linked.ines.call(`DELETE /api/servers/${linked.server.id}/connection`);
        await linked.api.store.pool.query('update servers set host_key_fingerprint = null');
      }
      // The server says something that the store does not hold.
      if (key === 'GET /api/apps/:id/deploy-log') await linked.host.dokku('ps:stop', app.longname);
      await written();
      await read(key, route);
      expect(await written()).toEqual([]);
    },
    30_000,
  );

  it('and the test notices a change: a refresh records what the server says', async () => {
    expect(await refresh()).toMatchObject({ stopped: true });
    expect(await written()).toContain('UPDATE public.apps');
  });
});
