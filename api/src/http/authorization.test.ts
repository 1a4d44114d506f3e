import { randomUUID } from 'node:crypto';
import type { LiveConsoleMessage } from '@homeport/contract/live/schema';
import type { RouteSchemas } from '@homeport/contract/route';
import { type RouteKey, routes } from '@homeport/contract/routes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { z } from 'zod';
import { goodBody } from '../testing/good-bodies.ts';
import { namedKind, type Planted, plantOneOfEach } from '../testing/plant.ts';
import { startTestApi, type TestApi, type TestPerson, type TestVisitor } from './testing.ts';

/**
 * Derived from the route table, so the test tries a new route without any change here. A route that names a record in a way that
 * the test does not cover yet fails.
 */
const table = Object.entries(routes) as [RouteKey, RouteSchemas][];

/** Add a route here only if its answer holds nobody's data. */
const openRoutes: RouteKey[] = [
  'GET /api/configuration',
  // A terminal without a sign-in asks for one. The token is for whoever holds the code of 256 bits, once a person has approved.
  'POST /api/device',
  'POST /api/device/token',
];

const hasParameter = (key: RouteKey) => key.includes('/:');

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

    if ((route.kind === 'stream' || route.kind === 'exchange') && hasParameter(key)) {
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
        const good = goodBody(key, own) as Record<string, unknown>;
        const bad = goodBody(key, hers) as Record<string, unknown>;
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
          body.safeParse(goodBody(key, await plantOneOfEach(api.store.db, ada.userId))).error,
        ).toBeUndefined();
      });
    }
  });
});

/** The queries that routes cannot do without, so that the person is refused and not the input. */
const goodQueries: Partial<Record<RouteKey, string>> = {
  'GET /api/apps/:id/commit': '?ref=main',
  'GET /api/servers/:id/dns': '?domain=shop.example.com',
};

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
  if (route.kind === 'exchange') {
    const socket = await askLive(api, visitor);
    if (socket !== 101) return socket;
    return (await subscribe(api, visitor, key, things)) === 'not_found' ? 404 : 200;
  }
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
  const asked = address + (goodQueries[key] ?? '');
  return (await visitor.call(asked, route.body && goodBody(key, things))).status;
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
