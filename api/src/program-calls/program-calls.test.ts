import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { type CallOutcome, programCallLimits } from '@homeport/contract/program-calls/facts';
import type { FormerProgram, ProgramCall } from '@homeport/contract/program-calls/schema';
import type { TokenKind, TokenScope } from '@homeport/contract/tokens/facts';
import type { ApiToken } from '@homeport/contract/tokens/schema';
import { ownerFromSession } from '@homeport/store';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { dropStale } from '../identity/drop-stale.ts';
import { type Planted, plantOneOfEach } from '../testing/plant.ts';
import { type CallLine, writeCalls } from './write-calls.ts';

const at = Date.now();
let api: TestApi;
let ada: TestPerson;
let eve: TestPerson;
let things: Planted;
let hers: Planted;
beforeAll(async () => {
  // All calls fall into one hour.
  api = await startTestApi({ signUps: 'open' }, { clock: () => at });
  [ada, eve] = [await api.signUp('ada'), await api.signUp('eve')];
  things = await plantOneOfEach(api.store.db, ada.userId);
  hers = await plantOneOfEach(api.store.db, eve.userId);
});
afterAll(() => api?.[Symbol.asyncDispose]());

type Made = { token: string; record: ApiToken };

const make = async (scopes: readonly TokenScope[], kind: TokenKind = 'program') =>
  bodyOf<Made>(await ada.call('POST /api/tokens', { kind, name: `a ${kind}`, scopes, days: 30 }), 201);

async function ask({ token }: Made, key: string, body: object = {}): Promise<number> {
  const [method = '', path = ''] = key.split(' ');
  const response = await fetch(api.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method !== 'GET' && { body: JSON.stringify(body) }),
  });
  await response.text();
  return response.status;
}

async function callTool({ token }: Made, name: string, input: object = {}): Promise<void> {
  const response = await fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  });
  await response.text();
}

const callsOf = async (id: string) =>
  bodyOf<ProgramCall[]>(await ada.call(`GET /api/tokens/${id}/calls`), 200);

/** The lines of a token once they have been written. The newest is the last call of the test. */
async function linesOf({ record }: Made, count: number): Promise<ProgramCall[]> {
  return vi.waitFor(
    async () => {
      const lines = await callsOf(record.id);
      expect(lines.reduce((sum, line) => sum + line.count, 0)).toBe(count);
      return lines;
    },
    { timeout: 15_000, interval: 50 },
  );
}

const versionOf = async (id: string): Promise<number> =>
  bodyOf<{ version: number }>(await ada.call(`GET /api/servers/${id}`), 200).version;

describe('what a program did', () => {
  it('is a line with the record as it is called now, and holds nothing of the body', async () => {
    const made = await make(['servers:write']);
    const version = await versionOf(things.servers);
    const path = `PATCH /api/servers/${things.servers}`;
    expect(await ask(made, path, { version, name: 'quay', description: 'words-of-the-body' })).toBe(200);
    const [line, ...more] = await linesOf(made, 1);
    expect(more).toEqual([]);
    expect(line).toEqual({
      id: expect.any(String),
      call: 'PATCH /api/servers/:id',
      title: expect.stringMatching(/^Change name, description/),
      subject: { kind: 'server', id: things.servers, name: 'quay' },
      outcome: 'ok',
      count: 1,
      firstAt: line?.lastAt,
      lastAt: expect.any(Number),
      address: '127.0.0.1',
      place: 'This machine',
    });
    const { rows } = await sql<{ line: string }>`select t::text as line from program_calls t`.execute(
      api.store.db,
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('words-of-the-body');
  });

  it('names a record by its id in capitals, too, and counts it in the same line', async () => {
    const made = await make(['servers:write']);
    for (const id of [things.servers, things.servers.toUpperCase()])
      await ask(made, `PATCH /api/servers/${id}`, { version: 99, name: 'x' });
    const lines = await linesOf(made, 2);
    expect(lines).toMatchObject([{ count: 2, subject: { id: things.servers, name: expect.any(String) } }]);
  });

  it('names the record that a call made', async () => {
    const made = await make(['proxies:write']);
    const body = { domain: 'made.example.com', source: 'https://www.example.net' };
    expect(await ask(made, 'POST /api/proxies', body)).toBe(201);
    const [line] = await linesOf(made, 1);
    expect(line).toMatchObject({ subject: { kind: 'proxy', name: 'made.example.com' }, outcome: 'ok' });
  });

  it('names a record that is gone by its kind', async () => {
    const made = await make(['keys:write']);
    const { keys } = await plantOneOfEach(api.store.db, ada.userId);
    expect(await ask(made, `DELETE /api/keys/${keys}`)).toBe(200);
    const [last] = await linesOf(made, 1);
    expect(last).toMatchObject({ subject: { kind: 'key', id: keys, name: null }, outcome: 'ok' });
  });

  it('holds what was refused: of the person’s records with the name, of all others without', async () => {
    const made = await make(['apps:read', 'servers:read'], 'agent');
    const tries = [things.apps, hers.apps, ...Array.from({ length: 5 }, () => randomUUID()), 'no-id-at-all'];
    for (const id of tries) expect(await ask(made, `PATCH /api/apps/${id}`)).toBe(403);
    expect(await ask(made, 'POST /api/tokens')).toBe(403);
    const lines = await linesOf(made, tries.length + 1);
    expect(lines.map(({ call, subject, outcome, count }) => [call, subject?.id, outcome, count])).toEqual([
      ['POST /api/tokens', undefined, 'refused', 1],
      ['PATCH /api/apps/:id', undefined, 'refused', tries.length - 1],
      ['PATCH /api/apps/:id', things.apps, 'refused', 1],
    ]);
    expect(JSON.stringify(lines)).not.toContain(hers.apps);
  });

  it('does not hold what it read', async () => {
    const made = await make(['servers:write']);
    for (let times = 0; times < 3; times += 1) await ask(made, 'GET /api/servers');
    expect(await ask(made, `PATCH /api/servers/${things.servers}`, { version: 99, name: 'x' })).toBe(409);
    expect((await linesOf(made, 1)).map(({ call }) => call)).toEqual(['PATCH /api/servers/:id']);
  });

  it('holds a change whose program hung up before the answer', async () => {
    const made = await make(['servers:write']);
    const version = await versionOf(things.servers);
    const body = JSON.stringify({ version, name: 'hung up' });
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    await api.store.db.transaction().execute(async (db) => {
      await db.selectFrom('servers').select('id').where('id', '=', things.servers).forUpdate().execute();
      const head = [
        `PATCH /api/servers/${things.servers} HTTP/1.1`,
        ...[`host: ${hostname}`, `authorization: Bearer ${made.token}`, 'content-type: application/json'],
        `content-length: ${Buffer.byteLength(body)}`,
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
      await vi.waitFor(
        async () => {
          const { rows } = await sql`select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(api.store.db);
          expect(rows).toHaveLength(1);
        },
        { timeout: 10_000, interval: 20 },
      );
      socket.destroy();
    });
    const [line] = await linesOf(made, 1);
    expect(line).toMatchObject({ subject: { id: things.servers, name: 'hung up' }, outcome: 'ok' });
  });

  it('holds calls of tools, with the record that a name meant', async () => {
    const made = await make(['apps:read', 'operations:read'], 'agent');
    const { name } = bodyOf<{ name: string }>(await ada.call(`GET /api/apps/${things.apps}`), 200);
    const known = await plantOneOfEach(api.store.db, ada.userId);
    await callTool(made, 'get_app', { app: known.apps });
    await callTool(made, 'get_app', { app: 'nobody has this name' });
    await callTool(made, 'get_operation', { id: things.operations });
    await callTool(made, 'get_operation', { id: hers.operations });
    await callTool(made, 'list_servers');
    await callTool(made, 'no_such_tool');
    const lines = await linesOf(made, 5);
    expect(lines.map(({ call, subject, outcome }) => [call, subject?.id, outcome])).toEqual([
      ['list_servers', undefined, 'refused'],
      ['get_operation', undefined, 'refused'],
      ['get_operation', things.operations, 'ok'],
      ['get_app', undefined, 'refused'],
      ['get_app', known.apps, 'ok'],
    ]);
    expect(lines.at(-1)).toMatchObject({ title: 'One app', subject: { kind: 'app', name } });
  });
});

it('a call that names what the store cannot hold takes no other line along', async () => {
  const [made, other] = [await make(['apps:read'], 'agent'), await make(['apps:read'], 'agent')];
  for (const path of ['/api/keys/%00', '/api/zones/%00/records', `/api/keys/${'x'.repeat(90)}`])
    expect(await ask(made, `DELETE ${path}`)).toBeGreaterThanOrEqual(400);
  await callTool(other, 'list_apps');
  expect((await linesOf(other, 1))[0]).toMatchObject({ call: 'list_apps', outcome: 'ok' });
  for (const { subject } of await callsOf(made.record.id)) expect(subject).toBeNull();
});

describe('a token that is gone', () => {
  const former = async (person = ada) =>
    bodyOf<FormerProgram[]>(await person.call('GET /api/tokens/former'), 200);

  it('is listed with what it did, and for its person alone', async () => {
    const made = await make(['servers:write']);
    await ask(made, `PATCH /api/servers/${things.servers}`, { version: 0, name: 'x' });
    await linesOf(made, 1);
    expect((await former()).map(({ id }) => id)).not.toContain(made.record.id);
    await ada.call(`DELETE /api/tokens/${made.record.id}`);
    const { id, kind, name, lastFour } = made.record;
    expect(await former()).toContainEqual({ id, kind, name, lastFour, lastCallAt: expect.any(Number) });
    expect(await callsOf(id)).toHaveLength(1);
    expect(await former(eve)).toEqual([]);
    expect((await eve.call(`GET /api/tokens/${id}/calls`)).status).toBe(404);
  });

  it('and did nothing is known no more', async () => {
    const { record } = await make(['servers:write']);
    expect(await callsOf(record.id)).toEqual([]);
    await ada.call(`DELETE /api/tokens/${record.id}`);
    expect((await ada.call(`GET /api/tokens/${record.id}/calls`)).status).toBe(404);
  });

  it('keeps a line that was written after its end', async () => {
    const made = await make(['servers:write']);
    await ask(made, `PATCH /api/servers/${things.servers}`, { version: 0, name: 'x' });
    await ada.call(`DELETE /api/tokens/${made.record.id}`);
    await vi.waitFor(async () => expect((await former()).map(({ id }) => id)).toContain(made.record.id), {
      timeout: 15_000,
      interval: 50,
    });
  });
});

describe('the shares', () => {
  const line = (tokenId: string, call: string, change: Partial<CallLine> = {}): CallLine => ({
    token: { id: tokenId, kind: 'program', name: 'busy', lastFour: 'abcd' },
    ...{ call, subject: null, outcome: 'ok' satisfies CallOutcome, hour: 0, count: 1 },
    ...{ firstAt: at, lastAt: at, address: '127.0.0.1', ...change },
  });
  const plant = (userId: string, tokenId: string, lines: number) =>
    sql`insert into program_calls
      (owner_id, program_id, program_kind, program_name, last_four, call, outcome, hour, count, first_at, last_at, address)
      select ${userId}, ${tokenId}, 'program', 'busy', 'abcd', 'planted ' || n, 'ok', 0, 1, ${at - 10_000}::bigint + n, ${at - 10_000}::bigint + n,
        '127.0.0.1' from generate_series(1, ${lines}::int) n`.execute(api.store.db);
  const countOf = async (userId: string, tokenId?: string) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from program_calls
      where owner_id = ${userId} and (${tokenId ?? null}::uuid is null or program_id = ${tokenId ?? null}::uuid)`.execute(
      api.store.db,
    );
    return rows[0]?.count;
  };
  const isThere = async (tokenId: string, call: string) => {
    const { rows } =
      await sql`select from program_calls where program_id = ${tokenId} and call = ${call}`.execute(
        api.store.db,
      );
    return rows.length === 1;
  };

  it('of a token: its oldest line goes for the first one beyond', async () => {
    const person = await api.signUp('busy');
    const [owner, token] = [ownerFromSession(person.userId), randomUUID()];
    await plant(person.userId, token, programCallLimits.ofToken - 1);
    await writeCalls(api.store, owner, [line(token, 'last within')]);
    expect(await isThere(token, 'planted 1')).toBe(true);
    await writeCalls(api.store, owner, [line(token, 'first beyond')]);
    expect(await countOf(person.userId)).toBe(programCallLimits.ofToken);
    expect(await isThere(token, 'planted 1')).toBe(false);
    expect(await isThere(token, 'planted 2')).toBe(true);
    expect(await isThere(token, 'first beyond')).toBe(true);
  });

  it('of an account: a token that did little loses nothing to those that did much', async () => {
    const person = await api.signUp('busy-account');
    const owner = ownerFromSession(person.userId);
    const quiet = randomUUID();
    await writeCalls(api.store, owner, [line(quiet, 'once', { firstAt: at - 20_000, lastAt: at - 20_000 })]);
    const busy = Array.from({ length: 11 }, () => randomUUID());
    for (const token of busy) await plant(person.userId, token, programCallLimits.ofToken);
    const [last = ''] = busy;
    await writeCalls(api.store, owner, [line(last, 'first beyond')]);
    expect(await countOf(person.userId)).toBe(programCallLimits.ofAccount);
    expect(await isThere(quiet, 'once')).toBe(true);
    expect(await isThere(last, 'first beyond')).toBe(true);
  });

  it('of a token: no refused call and no tool pushes a change out', async () => {
    const person = await api.signUp('thief');
    const [owner, token] = [ownerFromSession(person.userId), randomUUID()];
    const change = line(token, 'PATCH /api/apps/:id', { firstAt: at - 60_000, lastAt: at - 60_000 });
    await writeCalls(api.store, owner, [change]);
    await plant(person.userId, token, programCallLimits.ofToken);
    const refused = line(token, 'PATCH /api/servers/:id', { outcome: 'refused' });
    await writeCalls(api.store, owner, [refused, line(token, 'get_app')]);
    expect(await countOf(person.userId, token)).toBe(programCallLimits.ofToken);
    expect(await isThere(token, 'PATCH /api/apps/:id')).toBe(true);
    expect(await isThere(token, 'PATCH /api/servers/:id')).toBe(true);
    expect(await isThere(token, 'planted 1')).toBe(false);
  });

  it('hold when several processes write at once', async () => {
    const person = await api.signUp('at-once');
    const [owner, token] = [ownerFromSession(person.userId), randomUUID()];
    await plant(person.userId, token, programCallLimits.ofToken);
    await Promise.all(
      Array.from({ length: 6 }, (_each, at) =>
        writeCalls(api.store, owner, [line(token, `process ${at}`), line(token, 'the same')]),
      ),
    );
    expect(await countOf(person.userId, token)).toBe(programCallLimits.ofToken);
    const { rows } =
      await sql`select count from program_calls where program_id = ${token} and call = 'the same'`.execute(
        api.store.db,
      );
    expect(rows).toEqual([{ count: 6 }]);
  });

  it('end after some days, also before the line is removed', async () => {
    const made = await make(['servers:read']);
    const [owner, id] = [ownerFromSession(ada.userId), made.record.id];
    const old = at - programCallLimits.days * 24 * 60 * 60_000 - 60_000;
    await writeCalls(api.store, owner, [line(id, 'old', { firstAt: old, lastAt: old }), line(id, 'new')]);
    expect((await callsOf(id)).map(({ call }) => call)).toEqual(['new']);
    expect(await countOf(ada.userId, id)).toBe(2);
    await dropStale(api.store, at);
    expect(await countOf(ada.userId, id)).toBe(1);
  });

  it('of an account that is gone take no line', async () => {
    const gone = randomUUID();
    await writeCalls(api.store, ownerFromSession(gone), [line(randomUUID(), 'late')]);
    expect(await countOf(gone)).toBe(0);
  });
});
