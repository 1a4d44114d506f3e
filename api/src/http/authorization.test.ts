import { randomUUID } from 'node:crypto';
import type { LiveConsoleMessage } from '@homeport/contract/live/schema';
import type { RouteSchemas } from '@homeport/contract/route';
import { type RouteKey, routes } from '@homeport/contract/routes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { z } from 'zod';
import { namedKind, type Planted, plantOneOfEach, randomName, randomPublicKey } from '../testing/plant.ts';
import { password, startTestApi, type TestApi, type TestPerson, type TestVisitor } from './testing.ts';

/**
 * Derived from the route table, so the test tries a new route without any change here. A route that names a record in a way that
 * the test does not cover yet fails.
 */
const table = Object.entries(routes) as [RouteKey, RouteSchemas][];

/** Add a route here only if its answer holds nobody's data. */
const openRoutes: RouteKey[] = ['GET /api/configuration'];

const hasParameter = (key: RouteKey) => key.includes('/:');

/** A valid body for each route with a body, so that the person is refused and not the input. */
const bodies: Partial<Record<RouteKey, (things: Planted) => object>> = {
  'PATCH /api/profile': () => ({ name: 'Ada' }),
  'PUT /api/profile/password': () => ({ currentPassword: password, newPassword: password }),
  'POST /api/profile/delete': () => ({ confirmation: 'delete', password }),
  'POST /api/invitations': () => ({ email: `${randomName()}@example.com` }),
  'POST /api/keys': () => ({ name: 'laptop', publicKey: randomPublicKey() }),
  'POST /api/tokens': () => ({ name: 'backup', scopes: ['apps:read'], days: 30 }),
  'PATCH /api/keys/:id': () => ({ name: 'desktop' }),
  'POST /api/servers': ({ keys }) => ({
    name: 'web',
    ip: '127.0.0.9',
    credential: keys,
    subdomain: randomName(),
  }),
  'PATCH /api/servers/:id': ({ keys }) => ({ version: 1, credential: keys }),
  'PUT /api/servers/:id/host-key': () => ({
    from: null,
    to: `SHA256:${'A'.repeat(43)}`,
    algorithm: 'ssh-ed25519',
  }),
  'POST /api/servers/:id/remove': () => ({ uninstall: false }),
  'POST /api/apps': ({ servers, keys }) => ({ name: 'shop', serverId: servers, keyIds: [keys] }),
  'PATCH /api/apps/:id': () => ({ version: 1, name: 'shop' }),
  'POST /api/apps/:id/destroy': () => ({ confirmation: 'destroy' }),
  'PATCH /api/apps/:id/environment': () => ({ values: { GREETING: 'ahoy' }, restart: false }),
  'POST /api/apps/:id/plan': () => ({ from: 3, plan: 4 }),
  'POST /api/apps/:id/domains': () => ({ domain: 'shop.example.com' }),
  'POST /api/apps/:id/domains/remove': () => ({ domain: 'shop.example.com' }),
  'POST /api/apps/:id/https': () => ({ email: 'ines@example.com' }),
  'POST /api/apps/:id/storage': () => ({ containerPath: '/app/storage' }),
  'POST /api/apps/:id/ports': () => ({ keep: false }),
  'POST /api/servers/:id/import': () => ({ longnames: ['ledger'] }),
  'POST /api/databases': ({ servers }) => ({ name: 'orders', type: 'postgres', serverId: servers }),
  'PATCH /api/databases/:id': () => ({ version: 1, name: 'orders' }),
  'POST /api/databases/:id/link': () => ({ appLongname: 'ledger' }),
  'POST /api/databases/:id/unlink': () => ({ appLongname: 'ledger' }),
  'POST /api/databases/:id/promote': () => ({ appLongname: 'ledger' }),
  'POST /api/databases/:id/expose': () => ({ address: '127.0.0.1', hostPorts: [20_432] }),
  'POST /api/databases/:id/delete': () => ({ confirmation: 'delete' }),
  'PUT /api/databases/:id/schedule': () => ({
    cron: '17 3 * * *',
    paused: false,
    keepCount: 7,
    keepDays: null,
    restoreTest: 'never',
    target: { kind: 'server' },
  }),
  'POST /api/databases/:id/schedule/check': () => ({
    target: {
      kind: 's3',
      endpoint: 'https://s3.example.com',
      region: 'eu',
      bucket: 'backups',
      prefix: '',
      keys: null,
    },
  }),
  'POST /api/databases/:id/dumps/:dump/restore': () => ({ confirmation: 'restore' }),
  'POST /api/servers/:id/import-databases': () => ({
    databases: [{ type: 'postgres', longname: 'orders' }],
  }),
  'POST /api/proxies': () => ({ domain: `${randomName()}.example.com`, source: 'https://www.example.net' }),
  'PATCH /api/proxies/:id': () => ({ version: 1, name: 'shop' }),
  'POST /api/proxies/:id/delete': () => ({ confirmation: 'delete' }),
  'POST /api/proxies/:id/rules': () => ({
    version: 1,
    path: '/shop',
    type: 'simple',
    target: 'https://shop.example.net',
  }),
  'PUT /api/proxies/:id/rules/:rule': () => ({
    version: 1,
    path: '/shop',
    type: 'simple',
    target: 'https://shop.example.net',
  }),
  'POST /api/proxies/:id/rules/:rule/move': () => ({ version: 1, to: 0 }),
  'POST /api/proxies/:id/rules/:rule/delete': () => ({ version: 1 }),
  'PUT /api/proxies/:id/tests': () => ({ version: 1, urls: ['/blog/x'] }),
  'POST /api/proxies/:id/vouch': () => ({ vouched: true }),
  'POST /api/proxies/:id/purge': () => ({}),
  'POST /api/proxies/:id/dry-run': () => ({ url: '/blog/x' }),
  'POST /api/proxies/:id/examine': ({ rules }) => ({ ruleId: rules }),
  'PUT /api/servers/:id/notifications': () => ({ kind: 'server.disk', on: false }),
  'PUT /api/apps/:id/notifications': () => ({ kind: null, on: false }),
  'PUT /api/proxies/:id/notifications': () => ({ kind: 'proxy.domain', on: false }),
  'PUT /api/apps/:id/uptime': () => ({ domain: 'shop.example.com' }),
  'POST /api/github/link/finish': () => ({ code: 'a-code', state: 'a-state' }),
  'POST /api/apps/:id/continuous-deployment': () => ({
    publicKey: randomPublicKey().split(' ').slice(0, 2).join(' '),
    secret: { keyId: '1', sealed: 'A'.repeat(80) },
    workflow: 'name: Deploy',
    repository: 'ines/ledger',
    branch: 'main',
  }),
  'PUT /api/zones/account': () => ({ secret: 'cfut_0123456789' }),
  'POST /api/zones/refresh': () => ({ byHand: true }),
  'POST /api/zones/remove-records': ({ zones }) => ({ zones: [{ zone: zones, records: ['0'.repeat(32)] }] }),
  'POST /api/zones/:id/records': () => ({ record: { type: 'TXT', host: 'www', content: 'ahoy', ttl: 1 } }),
  'PATCH /api/zones/:id/records/:record': () => ({
    record: { type: 'TXT', host: 'www', content: 'ahoy', ttl: 1 },
  }),
  'POST /api/apps/:id/dns': () => ({ domain: 'shop.example.com', seen: [] }),
  'PUT /api/apps/:id/repository': () => ({
    version: 1,
    repository: { fullName: 'ines/ledger', branch: 'main' },
  }),
};

/** Fields of a body that name another record. */
const namesSomething = /(Id|Ids)$|^credential$/;

describe('every route', () => {
  let api: TestApi;
  let ada: TestPerson;
  let eve: TestPerson;
  beforeAll(async () => {
    api = await startTestApi();
    ada = await api.signUp('ada');
    eve = await api.signUp('eve');
  });
  afterAll(() => api[Symbol.asyncDispose]());

  describe.each(table)('%s', (key, route) => {
    if (route.access === 'anyone') {
      it('is one of the few that are open to everybody', () => {
        expect(openRoutes).toContain(key);
      });
    } else {
      it('answers a request without a session with 401', async () => {
        const things = await plantOneOfEach(api.store.db, ada.userId);
        expect(await ask(api, api.visitor(), key, things)).toBe(401);
      });
    }

    if (route.access === 'owner') {
      it('answers an account that is not the owner with 403', async () => {
        const things = await plantOneOfEach(api.store.db, ada.userId);
        expect(await ask(api, eve, key, things)).toBe(403);
        expect(await ask(api, ada, key, things)).toBeLessThan(300);
      });
    }

    if (route.access === 'signed-in' && hasParameter(key)) {
      it('answers 404 for another person’s record, and not for one’s own', async () => {
        const things = await plantOneOfEach(api.store.db, ada.userId);
        expect(Object.keys(things), `a fixture for ${key}`).toContain(namedKind(key));
        expect(await ask(api, eve, key, things)).toBe(404);
        expect([401, 404]).not.toContain(await ask(api, ada, key, things));
      });
    }

    if (
      route.access === 'signed-in' &&
      !hasParameter(key) &&
      key.startsWith('GET') &&
      route.kind === undefined
    ) {
      it('shows nobody else’s records', async () => {
        const things = await plantOneOfEach(api.store.db, ada.userId);
        const query = new URLSearchParams({ serverId: things.servers, appId: things.apps });
        for (const address of [key, `${key}?${query}`]) {
          const { status, body } = await eve.call(address);
          expect(status).toBe(200);
          const text = JSON.stringify(body);
          for (const mine of [ada.userId, ...Object.values(things)]) expect(text).not.toContain(mine);
        }
      });
    }

    if (route.kind === 'stream' && hasParameter(key)) {
      it('fails over the live socket for another person’s record, and not for one’s own', async () => {
        const things = await plantOneOfEach(api.store.db, ada.userId);
        expect(await subscribe(api, eve, key, things)).toBe('not_found');
        expect(await subscribe(api, ada, key, things)).not.toBe('not_found');
      });
    }

    const named =
      route.body instanceof z.ZodObject
        ? Object.keys(route.body.shape).filter((f) => namesSomething.test(f))
        : [];
    if (named.length > 0) {
      it('refuses a body that names another person’s record', async () => {
        const [hers, own] = [
          await plantOneOfEach(api.store.db, ada.userId),
          await plantOneOfEach(api.store.db, eve.userId),
        ];
        const good = bodyOf(key, own) as Record<string, unknown>;
        const bad = bodyOf(key, hers) as Record<string, unknown>;
        const path = key.replace(':id', String(own[namedKind(key) as keyof Planted]));
        for (const field of named) {
          expect(bad, 'the body here names every thing').toHaveProperty(field);
          const { status } = await eve.call(path, { ...good, [field]: bad[field] });
          expect([400, 404], `${field} of somebody else`).toContain(status);
        }
        expect([400, 404]).not.toContain((await eve.call(path, good)).status);
      });
    }

    const { body } = route;
    if (body) {
      it('has a valid body in this test', async () => {
        expect(
          body.safeParse(bodyOf(key, await plantOneOfEach(api.store.db, ada.userId))).error,
        ).toBeUndefined();
      });
    }
  });
});

function bodyOf(key: RouteKey, things: Planted): object {
  const body = bodies[key];
  if (!body) throw new Error(`Add a good body for ${key} to the table of this test.`);
  return body(things);
}

/** The status of the answer; a WebSocket that opens and then says `not_found` counts as 404. */
async function ask(api: TestApi, visitor: TestVisitor, key: RouteKey, things: Planted): Promise<number> {
  const route: RouteSchemas = routes[key];
  // A dump lies on its server and a DNS record at Cloudflare, so no record here has its id.
  const address = key
    .replace(':id', things[namedKind(key) as keyof Planted])
    .replace(':dump', randomUUID())
    .replace(':record', '0'.repeat(32))
    .replace(':rule', things.rules);
  if (key === 'GET /api/live') return askLive(api, visitor);
  if (route.kind === 'socket') return askAgent(api, visitor, address.replace('GET ', ''), things.servers);
  if (route.kind === 'stream') {
    const stop = new AbortController();
    const response = await visitor.open(address, { signal: stop.signal });
    stop.abort();
    return response.status;
  }
  if (route.kind === 'upload') {
    const headers = { 'content-type': 'application/octet-stream' };
    return (await visitor.open(address, { body: new Uint8Array(5), headers })).status;
  }
  return (await visitor.call(address, route.body && bodyOf(key, things))).status;
}

function openSocket(api: TestApi, visitor: TestVisitor, key: RouteKey, path: string): WebSocket {
  const { subprotocol }: RouteSchemas = routes[key];
  const headers = { origin: api.url, cookie: visitor.cookie() };
  return new WebSocket(api.url.replace('http', 'ws') + path, subprotocol, { headers });
}

function askLive(api: TestApi, visitor: TestVisitor): Promise<number> {
  const socket = openSocket(api, visitor, 'GET /api/live', '/api/live');
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.once('open', () => {
      socket.close();
      resolve(101);
    });
  });
}

/** The first answer of the live socket: that the stream goes on, or the code of the problem. */
function subscribe(api: TestApi, visitor: TestVisitor, route: RouteKey, things: Planted): Promise<string> {
  const socket = openSocket(api, visitor, 'GET /api/live', '/api/live');
  const params = { id: things[namedKind(route) as keyof Planted] };
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () =>
      socket.send(JSON.stringify({ type: 'subscribe', id: 1, route, params, query: {}, after: null })),
    );
    socket.once('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as LiveConsoleMessage;
      socket.close();
      resolve(message.type === 'failed' ? message.problem.code : message.type);
    });
  });
}

function askAgent(api: TestApi, visitor: TestVisitor, path: string, serverId: string): Promise<number> {
  const socket = openSocket(api, visitor, 'GET /api/servers/:id/connection', path);
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.once('open', () => {
      const open = {
        type: 'open',
        openId: randomUUID(),
        serverId,
        user: 'root',
        method: 'password',
        pin: null,
      };
      socket.send(JSON.stringify(open));
    });
    socket.once('message', (data: Buffer) => {
      const { code } = JSON.parse(data.toString()) as { code?: string };
      resolve(code === 'not_found' ? 404 : 200);
    });
    socket.once('close', () => reject(new Error('The socket closed without a word.')));
  });
}
