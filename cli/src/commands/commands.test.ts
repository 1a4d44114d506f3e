import { randomUUID } from 'node:crypto';
import { type Planted, plantApp, plantOneOfEach, plantServer } from '@homeport/api/testing/plant';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '@homeport/api/testing/test-api';
import type { TokenScope } from '@homeport/contract/tokens/facts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testHome } from '../testing/terminal.ts';

const reading: TokenScope[] = ['servers:read', 'apps:read', 'databases:read', 'operations:read'];

let api: TestApi;
let ada: TestPerson;
let things: Planted;
const home = testHome();
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' });
  ada = await api.signUp('ada');
  things = await plantOneOfEach(api.store.db, ada.userId);
});
afterAll(async () => {
  home[Symbol.dispose]();
  await api?.[Symbol.asyncDispose]();
});

async function tokenWith(scopes: readonly TokenScope[], person = ada): Promise<string> {
  const made = await person.call('POST /api/tokens', { name: 'terminal', scopes, days: 30 });
  return bodyOf<{ token: string }>(made, 201).token;
}

async function run(argv: string[], scopes: readonly TokenScope[] = reading, isRead = false) {
  const env = { HOMEPORT_URL: api.url, HOMEPORT_TOKEN: await tokenWith(scopes) };
  return home.run(argv, { env, isRead });
}

describe('a list', () => {
  it.each(['apps', 'servers', 'databases'])('of %s is with --json the answer of the api', async (name) => {
    const { exit, out } = await run([name, '--json']);
    expect(exit).toBe(0);
    const answer = bodyOf<unknown[]>(await ada.call(`GET /api/${name}`), 200);
    expect(answer.length).toBeGreaterThan(0);
    expect(JSON.parse(out)).toEqual(answer);
  });

  it.each(['apps', 'servers', 'databases'])(
    'of %s has headings for a person and none in a pipe',
    async (name) => {
      const piped = await run([name]);
      const fields = piped.out.split('\n')[0]?.split('\t') ?? [];
      expect(fields.length).toBeGreaterThan(3);
      expect(fields[0]).toBe(`of ${ada.userId}`);
      const shown = await run([name], reading, true);
      expect(shown.out).toMatch(/^NAME {2,}/);
      expect(shown.out).not.toContain('\t');
    },
  );

  it('that the token may not read ends with 4, and says which scope is missing', async () => {
    const { exit, out, err } = await run(['apps'], ['servers:read']);
    expect({ exit, out }).toEqual({ exit: 4, out: '' });
    expect(err).toContain('lacks the scope apps:read');
    const asJson = await run(['apps', '--json'], ['servers:read']);
    expect(JSON.parse(asJson.err)).toMatchObject({ code: 'not_allowed', recovery: expect.any(String) });
  });
});

describe('app', () => {
  it('is found by its name, and is with --json the answer of the api', async () => {
    const { exit, out } = await run(['app', `of ${ada.userId}`, '--json']);
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toEqual((await ada.call(`GET /api/apps/${things.apps}`)).body);
    const named = await home.run(['app'], {
      env: {
        HOMEPORT_URL: api.url,
        HOMEPORT_TOKEN: await tokenWith(reading),
        HOMEPORT_APP: `of ${ada.userId}`,
      },
    });
    expect(named.out).toContain(`Id\t${things.apps}`);
  });

  it('of a name that two servers have asks for the server', async () => {
    const bob = await api.signUp('bob');
    const env = { HOMEPORT_URL: api.url, HOMEPORT_TOKEN: await tokenWith(reading, bob) };
    for (const name of ['north', 'south']) {
      const server = await plantServer(api.store.db, bob.userId, { name });
      await plantApp(api.store.db, bob.userId, server.id, { name: 'blog', longname: 'blog' });
    }
    const unclear = await home.run(['app', 'blog'], { env });
    expect(unclear).toMatchObject({ exit: 2, out: '' });
    expect(unclear.err).toContain('north/blog');
    expect((await home.run(['app', 'south/blog'], { env })).out).toContain('Server\tsouth');
  });

  it('of another person, or of no name, ends with 8 or 2', async () => {
    const eve = await api.signUp('eve');
    const env = { HOMEPORT_URL: api.url, HOMEPORT_TOKEN: await tokenWith(reading, eve) };
    expect((await home.run(['app', things.apps], { env })).exit).toBe(8);
    expect((await run(['app'])).exit).toBe(2);
  });
});

describe('status', () => {
  it('counts by state, and names what it may not see', async () => {
    const { exit, out } = await run(['status', '--json'], ['servers:read', 'databases:read']);
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toEqual({
      console: api.url,
      version: '0.0.0',
      servers: { count: 1, states: { '-': 1 } },
      apps: null,
      databases: { count: 1, states: { 'Not read yet': 1 } },
      work: null,
    });
    const shown = await run(['status'], ['servers:read']);
    expect(shown.out).toContain('Apps\tnot to be seen: the token lacks apps:read');
  });

  it('lists the work that waits', async () => {
    const carl = await api.signUp('carl');
    const env = { HOMEPORT_URL: api.url, HOMEPORT_TOKEN: await tokenWith(['operations:read'], carl) };
    await api.store.db
      .insertInto('operations')
      .values({
        ...{ owner_id: carl.userId, session_id: randomUUID(), kind: 'app.start', title: 'Start blog' },
        ...{ state: 'waiting', lane: 'blog', steps: '[]', input: '{}', created_at: Date.now() },
      })
      .execute();
    expect((await home.run(['status'], { env })).out).toContain('\tWaiting, Start blog');
  });
});

describe('op watch', () => {
  it('of a failed operation ends with 5, and prints its events with --json', async () => {
    const { exit, out } = await run(['op', 'watch', things.operations, '--json']);
    expect(exit).toBe(5);
    const last = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ type: 'state', operation: { id: things.operations, state: 'failed' } });
  });

  it('of one that does not exist ends with 8', async () => {
    expect((await run(['op', 'watch', randomUUID()])).exit).toBe(8);
    expect((await run(['op', 'watch', 'x'])).exit).toBe(8);
  });
});

describe('api', () => {
  it('calls a route and prints the answer', async () => {
    const { exit, out } = await run(['api', 'GET', `/api/apps/${things.apps}`]);
    expect({ exit, answer: JSON.parse(out) }).toEqual({
      exit: 0,
      answer: (await ada.call(`GET /api/apps/${things.apps}`)).body,
    });
  });

  it('sends a body, and never one that is no JSON', async () => {
    const before = bodyOf<{ version: number }>(await ada.call(`GET /api/servers/${things.servers}`), 200);
    const body = JSON.stringify({ version: before.version, description: 'in the cellar' });
    const path = `/api/servers/${things.servers}`;
    const sent = await run(['api', 'PATCH', path, '--body', body], ['servers:write']);
    expect(JSON.parse(sent.out)).toMatchObject({ description: 'in the cellar' });
    expect((await run(['api', 'PATCH', path, '--body', '{'], ['servers:write'])).exit).toBe(2);
    const stale = await run(['api', 'PATCH', path, '--body', body], ['servers:write']);
    expect(stale.exit).toBe(7);
  });

  it('hears in words that work on a server needs the browser', async () => {
    const { exit, err } = await run(['api', 'POST', `/api/apps/${things.apps}/restart`], ['apps:write']);
    expect(exit).toBe(4);
    expect(err).toContain('a connection that a browser opens with its SSH key');
  });
});

it('a token that was revoked ends with 4 and the way to a new one', async () => {
  const made = await ada.call('POST /api/tokens', { name: 'short', scopes: reading, days: 1 });
  const { token, record } = bodyOf<{ token: string; record: { id: string } }>(made, 201);
  await ada.call(`DELETE /api/tokens/${record.id}`);
  const { exit, err } = await home.run(['apps'], { env: { HOMEPORT_URL: api.url, HOMEPORT_TOKEN: token } });
  expect(exit).toBe(4);
  expect(err).toContain('homeport login');
});
