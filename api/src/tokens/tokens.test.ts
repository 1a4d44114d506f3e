import { randomUUID } from 'node:crypto';
import { terminalWordHeader } from '@homeport/contract/connections/facts';
import { continuousRoutes, githubRoutes } from '@homeport/contract/github/schema';
import { ceilings } from '@homeport/contract/limits';
import type { RouteSchemas } from '@homeport/contract/route';
import { type RouteKey, routes } from '@homeport/contract/routes';
import {
  scopesForKind,
  type TokenKind,
  type TokenScope,
  tokenKinds,
  tokenScopes,
} from '@homeport/contract/tokens/facts';
import { scopeOfRoute } from '@homeport/contract/tokens/route-scope';
import type { ApiToken } from '@homeport/contract/tokens/schema';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { bodyOf, password, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { namedKind, type Planted, plantOneOfEach } from '../testing/plant.ts';
import { textOfStore } from '../testing/text-of-store.ts';

let api: TestApi;
let ada: TestPerson;
let things: Planted;
let now = Date.now();
beforeAll(async () => {
  // One token for each kind and set of scopes is more than a person may have.
  const more = { ...ceilings, tokens: 500 };
  api = await startTestApi({ signUps: 'open', ceilings: more }, { clock: () => now });
  ada = await api.signUp('ada');
  things = await plantOneOfEach(api.store.db, ada.userId);
});
afterAll(() => api?.[Symbol.asyncDispose]());

type Made = { token: string; record: ApiToken };
const make = async (scopes: readonly TokenScope[], person = ada) =>
  bodyOf<Made>(await person.call('POST /api/tokens', { name: 'backup', scopes, days: 30 }), 201);

/** One token for each set of scopes and each kind. The store may hold scopes that no way of making one gives to the kind. */
const made = new Map<string, Promise<Made>>();
function tokenWith(scopes: readonly TokenScope[], kind: TokenKind = 'program'): Promise<Made> {
  const ofKind = async () => {
    const one = await make(['apps:read']);
    const changed = { kind, scopes: [...scopes] };
    await api.store.db.updateTable('api_tokens').set(changed).where('id', '=', one.record.id).execute();
    return one;
  };
  const key = `${kind} ${scopes.join()}`;
  const known = made.get(key) ?? ofKind();
  made.set(key, known);
  return known;
}

let addresses = 0;
const toldSchema = z.object({ code: z.string(), message: z.string() }).partial().catch({});

/** A call as a program makes it: no cookie and no origin. */
async function ask(token: string, key: string, headers: Record<string, string> = {}) {
  const [method = '', path = ''] = key.split(' ');
  const kind = namedKind(key);
  const address = path
    .replace(':id', kind === undefined ? randomUUID() : things[kind])
    .replace(':dump', randomUUID());
  const stop = new AbortController();
  const response = await fetch(api.url + address, {
    method,
    signal: stop.signal,
    headers: {
      authorization: `Bearer ${token}`,
      'x-forwarded-for': `10.1.${Math.floor(++addresses / 250)}.${addresses % 250}`,
      ...headers,
    },
  });
  const streams = response.headers.get('content-type')?.includes('event-stream') ?? false;
  const told = streams ? {} : toldSchema.parse(await response.json().catch(() => ({})));
  stop.abort();
  return { status: response.status, told };
}

const table = (Object.entries(routes) as [RouteKey, RouteSchemas][]).filter(
  ([, { access }]) => access !== 'anyone',
);

it('no token reaches a route that asks GitHub with the person’s grant', () => {
  const asking = table.filter(
    ([key, { summary }]) =>
      key in continuousRoutes || key in githubRoutes || /GitHub|repositor/.test(summary),
  );
  expect(asking.length).toBeGreaterThan(10);
  for (const [key, route] of asking) expect(scopeOfRoute(key, route).kind, key).not.toBe('scope');
});

describe.each(table)('with an API token, %s', (key, route) => {
  const needed = scopeOfRoute(key, route);
  if (route.kind === 'socket') {
    it.each(tokenKinds)('as a %s opens no socket, unless a terminal connects', async (kind) => {
      const { token } = await tokenWith(tokenScopes, kind);
      const [, path = ''] = key.split(' ');
      const socket = new WebSocket(
        api.url.replace('http', 'ws') + path.replace(':id', things.servers),
        route.subprotocol,
        {
          headers: {
            origin: api.url,
            authorization: `Bearer ${token}`,
            [terminalWordHeader]: 'w'.repeat(43),
          },
        },
      );
      const status = await new Promise<number | undefined>((resolve) => {
        socket.once('open', () => {
          socket.terminate();
          resolve(101);
        });
        socket.once('error', () => {});
        socket.once('unexpected-response', (request, response) => {
          request.destroy();
          resolve(response.statusCode);
        });
      });
      expect(status).toBe(kind === 'terminal' && needed.kind === 'scope' ? 101 : 403);
    });
    return;
  }
  if (needed.kind === 'any') {
    it.each(tokenScopes)('goes through with %s alone', async (each) => {
      const { token } = await tokenWith([each]);
      expect((await ask(token, key)).status).toBe(200);
    });
    return;
  }
  if (needed.kind !== 'scope') {
    it('is refused in plain words, whatever the scopes and the kind', async () => {
      for (const kind of tokenKinds) {
        const { token } = await tokenWith(tokenScopes, kind);
        expect(await ask(token, key), kind).toMatchObject({
          status: 403,
          told: { code: 'not_allowed', message: expect.stringMatching(/an API token cannot do/i) },
        });
      }
    });
    return;
  }
  const { scope } = needed;
  const granting: TokenScope[] = tokenScopes.filter(
    (each) =>
      each === scope ||
      (scope.endsWith(':read') &&
        ['propose', 'connect', 'write'].some((level) => each === scope.replace(/read$/, level))),
  );
  const proposes = scope.endsWith(':propose');
  const connects = scope.endsWith(':connect');

  it(`is refused without the scope ${scope}`, async () => {
    const others = tokenScopes.filter((each) => !granting.includes(each));
    const { token } = await tokenWith(others, connects ? 'terminal' : 'program');
    expect(await ask(token, key)).toMatchObject({
      status: 403,
      told: { code: 'not_allowed', message: expect.stringContaining(`lacks the scope ${scope}`) },
    });
  });

  if (proposes || connects)
    it('as a program is refused: its kind proposes nothing and connects nowhere', async () => {
      const { token } = await tokenWith(tokenScopes);
      expect(await ask(token, key)).toMatchObject({
        status: 403,
        told: { message: expect.stringContaining(`lacks the scope ${scope}`) },
      });
    });

  it.each(['terminal', 'agent'] as const)(
    'as a %s goes through only to read, to propose or to connect',
    async (kind) => {
      const { token } = await tokenWith(tokenScopes, kind);
      const { status, told } = await ask(token, key);
      if (scope.endsWith(':write') || (connects && kind === 'agent'))
        expect({ status, told }).toMatchObject({
          status: 403,
          told: { message: expect.stringContaining(`lacks the scope ${scope}`) },
        });
      else if (status === 403) expect(told.message).toContain('a browser opens with its SSH key');
    },
  );

  it.each(granting)('goes through with %s alone, or says that it needs the browser', async (each) => {
    // Each scope with a kind that may have it.
    const kind = tokenKinds.find((one) => scopesForKind(one, [each])[0] === each);
    const { token } = await tokenWith([each], kind);
    const { status, told } = await ask(token, key);
    expect(status).not.toBe(401);
    if (proposes) expect(status).not.toBe(403);
    if (status === 403) expect(told.message).toContain('a browser opens with its SSH key');
    expect(told.code).not.toBe('connection_required');
  });
});

describe('an API token', () => {
  it('reads what its scope names and nothing of another person', async () => {
    const { token } = await make(['servers:read']);
    const response = await fetch(`${api.url}/api/servers`, { headers: { authorization: `Bearer ${token}` } });
    const servers = (await response.json()) as { id: string }[];
    expect(servers.map(({ id }) => id)).toContain(things.servers);
    const eve = await api.signUp('eve');
    const hers = await make(['servers:write'], eve);
    expect((await ask(hers.token, 'GET /api/servers/:id')).status).toBe(404);
  });

  it('is shown once: the store, the log, the list and the addresses never hold it', async () => {
    const { token, record } = await make(['apps:read']);
    await ask(token, 'GET /api/apps');
    await ask(`${token.slice(0, -1)}!`, 'GET /api/apps');
    expect(record.lastFour).toBe(token.slice(-4));
    const secret = token.slice('homeport_'.length);
    expect(JSON.stringify((await ada.call('GET /api/tokens')).body)).not.toContain(secret);
    expect(api.logged.join('\n')).not.toContain(secret);
    expect(await textOfStore(api.store.db)).not.toContain(secret);
    expect(await textOfStore(api.store.db), 'the search finds what the store does hold').toContain(record.id);
  });

  it('never goes together with a cookie', async () => {
    const { token } = await make(['apps:read']);
    expect(await ask(token, 'GET /api/apps', { cookie: ada.cookie() })).toMatchObject({
      status: 400,
      told: { message: expect.stringContaining('an API token and a session’s cookie') },
    });
  });

  it('stands in the Authorization header only', async () => {
    const { token } = await make(['apps:read']);
    expect((await fetch(`${api.url}/api/apps?token=${token}&access_token=${token}`)).status).toBe(401);
    const cookie = `homeport.session_token=${token}`;
    expect((await fetch(`${api.url}/api/apps`, { headers: { cookie } })).status).toBe(401);
  });

  it('works from no website: the origin rule holds for it as well', async () => {
    const { token } = await make(['apps:write']);
    expect(await ask(token, 'PATCH /api/apps/:id', { origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      told: { code: 'wrong_origin' },
    });
  });

  it('ends when it expires and when it is revoked', async () => {
    const { token } = await make(['apps:read']);
    const other = await make(['apps:read']);
    expect((await ask(token, 'GET /api/apps')).status).toBe(200);
    expect((await ada.call(`DELETE /api/tokens/${other.record.id}`)).status).toBe(200);
    expect((await ask(other.token, 'GET /api/apps')).status).toBe(401);
    now += 31 * 24 * 60 * 60_000;
    expect((await ask(token, 'GET /api/apps')).status).toBe(401);
    now = Date.now();
  });

  it('ends with every other of its person when all are revoked, and so does a terminal that waits', async () => {
    const bea = await api.signUp('bea');
    const hers = [await make(['apps:read'], bea), await make(['servers:write'], bea)];
    const other = await make(['apps:read']);
    await plantOneOfEach(api.store.db, bea.userId);
    const stream = await fetch(`${api.url}/api/events`, {
      headers: { authorization: `Bearer ${hers[0]?.token}` },
    });
    expect(stream.status).toBe(200);
    // With the one that was planted.
    expect(bodyOf(await bea.call('POST /api/tokens/revoke-all'), 200)).toEqual({ revoked: 3 });
    await stream.text();
    for (const { token } of hers) expect((await ask(token, 'GET /api/apps')).status).toBe(401);
    expect((await ask(other.token, 'GET /api/apps')).status).toBe(200);
    expect(bodyOf(await bea.call('GET /api/tokens'), 200)).toEqual([]);
    const waiting = await api.store.db
      .selectFrom('device_codes')
      .select('id')
      .where('owner_id', '=', bea.userId)
      .execute();
    expect(waiting).toEqual([]);
    const events = bodyOf<{ kind: string; subject: string }[]>(
      await bea.call('GET /api/security-events'),
      200,
    );
    expect(events.filter(({ kind }) => kind === 'token_revoked').map(({ subject }) => subject)).toEqual([
      'all 3',
    ]);
    expect(bodyOf(await bea.call('POST /api/tokens/revoke-all'), 200)).toEqual({ revoked: 0 });
  });

  it('says from where it was used last', async () => {
    const { token, record } = await make(['apps:read']);
    expect(record.lastUsedFrom).toBeNull();
    await ask(token, 'GET /api/apps', { 'x-forwarded-for': '192.168.7.7' });
    const tokens = bodyOf<ApiToken[]>(await ada.call('GET /api/tokens'), 200);
    expect(tokens.find(({ id }) => id === record.id)?.lastUsedFrom).toEqual({
      address: '192.168.7.7',
      place: 'Private network',
    });
  });

  it('that is revoked ends the stream that a program reads with it', async () => {
    const { token, record } = await make(['operations:read']);
    const response = await fetch(`${api.url}/api/operations/${things.operations}/events`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    await ada.call(`DELETE /api/tokens/${record.id}`);
    await response.text();
  });

  it('lets a program see stats only with their scope', async () => {
    const speaksFor = async (scopes: readonly TokenScope[]) => {
      const { token } = await tokenWith(scopes);
      const server = fastify();
      server.get('/', async (request) => ({ person: (await api.api.identify(request))?.userId ?? null }));
      const answer = await server.inject({ url: '/', headers: { authorization: `Bearer ${token}` } });
      await server.close();
      return answer.json<{ person: string | null }>().person;
    };
    expect(await speaksFor(['stats:read'])).toBe(ada.userId);
    expect(await speaksFor(['servers:write', 'apps:write'])).toBeNull();
  });

  it('says for whom it was made; a program where nothing was said', async () => {
    const body = { name: 'helper', scopes: ['apps:read'], days: 30 };
    const agent = bodyOf<Made>(await ada.call('POST /api/tokens', { ...body, kind: 'agent' }), 201);
    const program = bodyOf<Made>(await ada.call('POST /api/tokens', body), 201);
    expect([agent.record.kind, program.record.kind]).toEqual(['agent', 'program']);
  });

  it('of a terminal lives on with its use, and ends without, at last after its days', async () => {
    const dayMs = 24 * 60 * 60_000;
    const began = Date.now();
    const { token, record } = await make(['apps:read']);
    await api.store.db
      .updateTable('api_tokens')
      .set({ kind: 'terminal', expires_at: began + 30 * dayMs, ends_latest_at: began + 90 * dayMs })
      .where('id', '=', record.id)
      .execute();
    for (const day of [29, 58, 87, 89]) {
      now = began + day * dayMs;
      expect((await ask(token, 'GET /api/apps')).status, `day ${day}`).toBe(200);
    }
    now = began + 90 * dayMs;
    expect((await ask(token, 'GET /api/apps')).status).toBe(401);
    now = began;
    const idle = await make(['apps:read']);
    await api.store.db
      .updateTable('api_tokens')
      .set({ kind: 'terminal', expires_at: began + 30 * dayMs, ends_latest_at: began + 90 * dayMs })
      .where('id', '=', idle.record.id)
      .execute();
    now = began + 31 * dayMs;
    expect((await ask(idle.token, 'GET /api/apps')).status).toBe(401);
    now = Date.now();
  });

  it('says when it was used last, to a minute', async () => {
    const { token, record } = await make(['apps:read']);
    const mine = async () => {
      const tokens = bodyOf<ApiToken[]>(await ada.call('GET /api/tokens'), 200);
      return tokens.find(({ id }) => id === record.id)?.lastUsedAt;
    };
    expect(await mine()).toBeNull();
    await ask(token, 'GET /api/apps');
    expect(await mine()).toBe(now);
  });

  it.each([
    ['the kind that only a sign-in from a terminal makes', { kind: 'terminal' }, 'kind'],
    ['a scope to write for a coding agent', { kind: 'agent', scopes: ['apps:write'] }, 'scopes'],
    ['a scope to propose for a program', { kind: 'program', scopes: ['apps:propose'] }, 'scopes'],
    [
      'a scope to propose where nothing can be proposed',
      { kind: 'agent', scopes: ['keys:propose'] },
      'scopes.0',
    ],
    ['no scope', { scopes: [] }, 'scopes'],
    ['an invented scope', { scopes: ['people:write'] }, 'scopes.0'],
    ['no name', { name: ' ' }, 'name'],
    ['no end', { days: 4_000 }, 'days'],
  ])('is not made with %s, and the field says why', async (_what, change, field) => {
    const body = { name: 'backup', scopes: ['apps:read'], days: 30, ...change };
    expect(await ada.call('POST /api/tokens', body)).toMatchObject({
      status: 400,
      body: { fields: { [field]: expect.any(String) } },
    });
  });

  it('makes no other token and changes no password', async () => {
    const { token } = await tokenWith(tokenScopes);
    for (const key of ['POST /api/tokens', 'PUT /api/profile/password', 'POST /api/sessions/end-others'])
      expect((await ask(token, key)).status).toBe(403);
    const body = { email: ada.email, password };
    expect((await api.visitor().call('POST /api/auth/sign-in/email', body)).status).toBe(200);
  });
});
