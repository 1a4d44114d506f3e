import { randomUUID } from 'node:crypto';
import { ceilings } from '@homeport/contract/limits';
import type { Operation } from '@homeport/contract/operations/schema';
import { proposableRoutes, proposalLimits } from '@homeport/contract/proposals/facts';
import { type OpenProposal, type Proposal, proposedCallSchema } from '@homeport/contract/proposals/schema';
import type { RouteSchemas } from '@homeport/contract/route';
import { routes } from '@homeport/contract/routes';
import { proposableAreas, type TokenScope } from '@homeport/contract/tokens/facts';
import { scopeOfRoute } from '@homeport/contract/tokens/route-scope';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  bodyOf,
  createVisitor,
  password,
  startTestApi,
  type TestApi,
  type TestPerson,
} from '../http/testing.ts';
import { goodBody } from '../testing/good-bodies.ts';
import { type Planted, plantApp, plantOneOfEach } from '../testing/plant.ts';

let api: TestApi;
let ada: TestPerson;
let eve: TestPerson;
let things: Planted;
let hers: Planted;
/** How far the clock of the process is ahead of the store's. */
let aheadMs = 0;
beforeAll(async () => {
  const changes = { signUps: 'open', ceilings: { ...ceilings, tokens: 1_000 } } as const;
  api = await startTestApi(changes, { clock: () => Date.now() + aheadMs });
  [ada, eve] = [await api.signUp('ada'), await api.signUp('eve')];
  things = await plantOneOfEach(api.store.db, ada.userId);
  hers = await plantOneOfEach(api.store.db, eve.userId);
});
afterAll(() => api?.[Symbol.asyncDispose]());
/** No test takes the shares of another one. */
beforeEach(() => sql`update proposals set state = 'declined', created_at = 0`.execute(api.store.db));

type Program = { token: string; id: string };
async function programOf(
  person = ada,
  { scopes = ['apps:propose'], kind = 'agent' }: { scopes?: TokenScope[]; kind?: string } = {},
): Promise<Program> {
  const made = await person.call('POST /api/tokens', { kind, name: 'helper', scopes, days: 30 });
  const { token, record } = bodyOf<{ token: string; record: { id: string } }>(made, 201);
  return { token, id: record.id };
}

/** A call as a program makes it: no cookie and no origin. */
async function ask<T>({ token }: Program, key: string, body?: unknown) {
  const [method = '', path = ''] = key.split(' ');
  const response = await fetch(api.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as T };
}

const restartOf = (id: string) => ({
  call: { route: 'POST /api/apps/:id/restart', params: { id } },
  why: 'It answers slowly.',
});
const newApp = async () => (await plantApp(api.store.db, ada.userId, things.servers, { name: 'blog' })).id;
const propose = (program: Program, body: object) => ask<OpenProposal>(program, 'POST /api/proposals', body);
/** A restart of an app of its own, proposed by a program of its own. */
async function proposed(person = ada) {
  const [program, app] = [await programOf(person), await newApp()];
  const proposal = bodyOf<OpenProposal>(await propose(program, restartOf(app)), 201);
  return { program, app, proposal };
}
const approve = ({ id, digest }: OpenProposal, person: Pick<TestPerson, 'call'> = ada) =>
  person.call(`POST /api/proposals/${id}/approve`, { digest });
const read = async (id: string) => bodyOf<OpenProposal>(await ada.call(`GET /api/proposals/${id}`), 200);
const begunOn = (app: string) =>
  api.store.db.selectFrom('operations').select(['id', 'kind']).where('app_id', '=', app).execute();

describe('what may be proposed', () => {
  it.each(proposableRoutes)('%s is work of the browser that asks for no fresh proof', (key) => {
    const route: RouteSchemas = routes[key];
    expect(scopeOfRoute(key, route)).toEqual({ kind: 'needs-browser' });
    expect(route).toMatchObject({ access: 'signed-in', status: 202 });
    expect(route.confirm).toBeUndefined();
    expect(proposableAreas).toContain(key.split('/')[2]);
  });

  it.each(proposableRoutes)(
    '%s takes as a proposal what the route itself takes, and names its commands',
    async (key) => {
      const app = await newApp();
      const body = (routes[key] as RouteSchemas).body ? goodBody(key, things) : undefined;
      const call = { route: key, params: { id: app }, ...(body && { body }) };
      expect(proposedCallSchema.safeParse(call).error).toBeUndefined();
      const { commands } = bodyOf<OpenProposal>(await propose(await programOf(), { call, why: 'why' }), 201);
      expect(commands.length).toBeGreaterThan(0);
      for (const { command, account } of commands) {
        expect(account).toBe('dokku');
        expect(command).toMatch(/^env 'LC_ALL=C' dokku [a-z]+:[a-z]+ /);
      }
      expect(await begunOn(app)).toEqual([]);
    },
  );

  it.each([
    ['a destruction', { route: 'POST /api/apps/:id/destroy', body: { confirmation: 'destroy' } }],
    [
      'values of variables',
      { route: 'PATCH /api/apps/:id/environment', body: { values: { A: 'b' }, restart: true } },
    ],
    ['a command in the app', { route: 'POST /api/apps/:id/commands', body: { words: ['sh'] } }],
    ['input that the route does not take', { route: 'POST /api/apps/:id/plan', body: { from: 3, plan: 11 } }],
    ['a field that the route does not know', { route: 'POST /api/apps/:id/restart', body: { force: true } }],
    ['a domain that is a flag', { route: 'POST /api/apps/:id/domains', body: { domain: '--force' } }],
  ])('never is %s', async (_what, call) => {
    const body = { call: { params: { id: things.apps }, ...call }, why: 'why' };
    expect(await propose(await programOf(), body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_input' },
    });
  });
});

describe('a program', () => {
  it('proposes, and nothing runs: the answer names the commands and the page', async () => {
    const [program, app] = [await programOf(), await newApp()];
    const heard: unknown[] = [];
    const stop = await api.store.listener.on('changed', (change) => heard.push(change));
    const proposal = bodyOf<OpenProposal>(await propose(program, restartOf(app)), 201);
    const row = await api.store.db
      .selectFrom('apps')
      .select('longname')
      .where('id', '=', app)
      .executeTakeFirstOrThrow();
    expect(proposal).toMatchObject({
      ...{ state: 'open', title: 'Restart', appName: 'blog', why: 'It answers slowly.' },
      ...{ operationId: null, changed: null },
      commands: [
        { account: 'dokku', command: `env 'LC_ALL=C' dokku ps:restart ${row.longname}`, onlyIf: null },
      ],
      program: { kind: 'agent', name: 'helper', lastFour: program.token.slice(-4) },
      approveAt: `${api.url}/approve/${proposal.id}`,
    });
    expect(proposal.expiresAt - proposal.createdAt).toBe(proposalLimits.lifeMs);
    expect(await begunOn(app)).toEqual([]);
    await vi.waitFor(
      () => expect(heard).toContainEqual({ owner: ada.userId, topic: 'proposals', id: proposal.id }),
      20_000,
    );
    stop();
    expect(bodyOf<Proposal[]>(await ada.call('GET /api/proposals'), 200).map(({ id }) => id)).toContain(
      proposal.id,
    );
  });

  it('that repeats itself has one proposal', async () => {
    const { program, app, proposal } = await proposed();
    const again = await Promise.all([1, 2, 3].map(() => propose(program, restartOf(app))));
    for (const answer of again) expect(bodyOf<OpenProposal>(answer, 201).id).toBe(proposal.id);
  });

  it('that writes an id in capitals has the same proposal', async () => {
    const { program, app, proposal } = await proposed();
    const again = bodyOf<OpenProposal>(await propose(program, restartOf(app.toUpperCase())), 201);
    expect([again.id, again.appId]).toEqual([proposal.id, app]);
  });

  it('that repeats itself late gets an hour more, in place of the rest', async () => {
    const { program, app, proposal } = await proposed();
    await api.store.db
      .updateTable('proposals')
      .set({ expires_at: Date.now() + proposalLimits.lifeMs / 2 - 1_000 })
      .where('id', '=', proposal.id)
      .execute();
    const body = { ...restartOf(app), why: 'It still answers slowly.' };
    const again = bodyOf<OpenProposal>(await propose(program, body), 201);
    expect(again).toMatchObject({ why: 'It still answers slowly.', state: 'open' });
    expect(again.expiresAt - again.createdAt).toBe(proposalLimits.lifeMs);
    expect((await read(proposal.id)).state).toBe('withdrawn');
  });

  it('that proposes the same after the app has changed replaces what nobody can approve', async () => {
    const { program, app, proposal } = await proposed();
    bodyOf(await ada.call(`PATCH /api/apps/${app}`, { version: 1, name: 'diary' }), 200);
    const again = bodyOf<OpenProposal>(await propose(program, restartOf(app)), 201);
    expect(again).toMatchObject({ appName: 'diary', changed: null });
    expect((await read(proposal.id)).state).toBe('withdrawn');
    expect((await approve(again)).status).toBe(202);
  });

  it('has in its history about which app it proposed something', async () => {
    const { program, app } = await proposed();
    await vi.waitFor(async () => {
      const calls = bodyOf<object[]>(await ada.call(`GET /api/tokens/${program.id}/calls`), 200);
      expect(calls).toMatchObject([
        { call: 'POST /api/proposals', outcome: 'ok', subject: { kind: 'app', id: app, name: 'blog' } },
      ]);
    }, 15_000);
  });

  it.each([
    ['only reads', { scopes: ['apps:read'] as TokenScope[] }],
    ['writes', { scopes: ['apps:write'] as TokenScope[], kind: 'program' }],
  ])('that %s proposes nothing', async (_what, of) => {
    expect(await propose(await programOf(ada, of), restartOf(things.apps))).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('lacks the scope apps:propose') },
    });
  });

  it('decides about nothing, its own proposal included', async () => {
    const { program, proposal, app } = await proposed();
    for (const [act, body] of [
      ['approve', { digest: proposal.digest }],
      ['decline', undefined],
    ] as const)
      expect(await ask(program, `POST /api/proposals/${proposal.id}/${act}`, body)).toMatchObject({
        status: 403,
        body: { code: 'not_allowed' },
      });
    expect((await read(proposal.id)).state).toBe('open');
    expect(await begunOn(app)).toEqual([]);
  });

  it('reads and takes back what it proposed itself, and nothing else', async () => {
    const { program, proposal, app } = await proposed();
    const other = await programOf();
    const foreign = await programOf(eve);
    for (const stranger of [other, foreign]) {
      expect((await ask(stranger, `GET /api/proposals/${proposal.id}`)).status).toBe(404);
      expect((await ask(stranger, `POST /api/proposals/${proposal.id}/withdraw`)).status).toBe(404);
      expect((await ask(stranger, 'GET /api/proposals')).body).toEqual([]);
    }
    expect((await ask<Proposal[]>(program, 'GET /api/proposals')).body).toMatchObject([{ id: proposal.id }]);
    expect(await ask(program, `POST /api/proposals/${proposal.id}/withdraw`)).toMatchObject({
      status: 200,
      body: { state: 'withdrawn' },
    });
    expect((await ask(program, `POST /api/proposals/${proposal.id}/withdraw`)).status).toBe(409);
    expect((await approve(proposal)).status).toBe(409);
    expect(await begunOn(app)).toEqual([]);
  });

  it('hears that somebody decided', async () => {
    const { program, proposal } = await proposed();
    const response = await fetch(`${api.url}/api/events`, {
      headers: { authorization: `Bearer ${program.token}` },
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await ada.call(`POST /api/proposals/${proposal.id}/decline`)).status).toBe(200);
    let heard = '';
    while (!heard.includes(proposal.id)) heard += (await reader?.read())?.value ?? '';
    expect(heard).toContain('"topic":"proposals"');
    await reader?.cancel();
  });

  it('proposes nothing about another person’s app', async () => {
    const answer = await propose(await programOf(), restartOf(hers.apps));
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const unknown = await propose(await programOf(), restartOf(randomUUID()));
    expect(unknown.body).toEqual(answer.body);
  });

  it('proposes nothing that the route would refuse', async () => {
    const program = await programOf();
    const plan = {
      route: 'POST /api/apps/:id/plan',
      params: { id: things.apps },
      body: { from: 1, plan: 4 },
    };
    expect((await propose(program, { call: plan, why: 'more' })).status).toBe(409);
    const closed = await plantOneOfEach(api.store.db, ada.userId);
    await api.store.db
      .updateTable('servers')
      .set({ credential: null })
      .where('id', '=', closed.servers)
      .execute();
    expect(await propose(program, restartOf(closed.apps))).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
  });

  it.each([
    ['nothing', ' '],
    ['more than it may', 'a'.repeat(proposalLimits.whyCharacters + 1)],
    ['two lines', 'one\ntwo'],
    ['what a reader does not see', 'gpj.\u202eexe'],
    ['what a terminal obeys', '\u001b[2J'],
    ['marks that paint over what stands above', `a${'\u0336'.repeat(4)}`],
    ['marks that a joiner keeps on one letter', `a${'\u0308\u0308\u0308\u200d'.repeat(3)}\u0308`],
    ['only what shows nothing', '\u2800'],
  ])('cannot give %s as its reason', async (_what, why) => {
    expect(await propose(await programOf(), { ...restartOf(things.apps), why })).toMatchObject({
      status: 400,
      body: { fields: { why: expect.any(String) } },
    });
  });

  it('cannot start a stopped app by the number of one process', async () => {
    const call = {
      route: 'POST /api/apps/:id/scale',
      params: { id: things.apps },
      body: { processes: [{ type: 'web', from: 1, to: 2 }], start: true },
    };
    expect(await propose(await programOf(), { call, why: 'More visitors come.' })).toMatchObject({
      status: 400,
      body: { fields: { 'call.body.start': expect.stringContaining('starts all of its processes') } },
    });
  });

  it('may write a letter with as many marks as languages have', async () => {
    const body = { ...restartOf(await newApp()), why: 'Vi\u1ec7\u0323\u0302\u0301t ngh\u0129' };
    expect((await propose(await programOf(), body)).status).toBe(201);
  });

  it('may say as much as fits, markup included, which stays text', async () => {
    const why = '<b onclick="x">'.padEnd(proposalLimits.whyCharacters, '!');
    const { body, status } = await propose(await programOf(), { ...restartOf(await newApp()), why });
    expect([status, body.why]).toEqual([201, why]);
  });
});

describe('a person', () => {
  it('sees what this version knows: a call of a newer console is left out, and nothing else', async () => {
    const [{ proposal }, newer] = [await proposed(), (await proposed()).proposal];
    await sql`update proposals set route = 'POST /api/apps/:id/fly' where id = ${newer.id}`.execute(
      api.store.db,
    );
    const listed = bodyOf<Proposal[]>(await ada.call('GET /api/proposals'), 200).map(({ id }) => id);
    expect([listed.includes(proposal.id), listed.includes(newer.id)]).toEqual([true, false]);
    bodyOf(await ada.call(`GET /api/proposals/${newer.id}`), 404);
    await sql`update proposals set body = '{"of":"a newer console"}' where id = ${proposal.id}`.execute(
      api.store.db,
    );
    const { changed, commands } = await read(proposal.id);
    expect([changed, commands]).toEqual([expect.stringContaining('another version of the console'), []]);
    expect(await approve(proposal)).toMatchObject({ status: 409 });
  });

  it('proposes nothing: there is nobody to ask', async () => {
    expect(await ada.call('POST /api/proposals', restartOf(things.apps))).toMatchObject({ status: 403 });
    expect((await ada.call(`POST /api/proposals/${things.proposals}/withdraw`)).status).toBe(403);
  });

  it('approves once, and the work is of their own session', async () => {
    const { program, app, proposal } = await proposed();
    const operation = bodyOf<Operation>(await approve(proposal), 202);
    const { id: session } = bodyOf<{ id: string }>(await ada.call('GET /api/session'), 200);
    expect(operation).toMatchObject({ kind: 'app.restart', appId: app, sessionId: session });
    expect(await approve(proposal)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('approved already') },
    });
    expect((await ask(program, `GET /api/proposals/${proposal.id}`)).body).toMatchObject({
      ...{ state: 'run', operationId: operation.id, commands: [] },
    });
    expect(await begunOn(app)).toEqual([{ id: operation.id, kind: 'app.restart' }]);
  });

  it('in two browsers, many times at once, runs it once', async () => {
    const other = createVisitor(api.url);
    bodyOf(await other.call('POST /api/auth/sign-in/email', { email: ada.email, password }), 200);
    const { app, proposal } = await proposed();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => approve(proposal, at % 2 === 0 ? ada : other)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, ...Array(7).fill(409)]);
    expect(await begunOn(app)).toHaveLength(1);
  });

  it('who approves and declines at once does one of both', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { app, proposal } = await proposed();
      const [approved, declined] = await Promise.all([
        approve(proposal),
        ada.call(`POST /api/proposals/${proposal.id}/decline`),
      ]);
      expect([approved.status, declined.status]).toContain(409);
      const { state } = await read(proposal.id);
      expect(state).toBe(approved.status === 202 ? 'run' : 'declined');
      expect(await begunOn(app)).toHaveLength(approved.status === 202 ? 1 : 0);
    }
  });

  it('runs nothing of another person’s', async () => {
    const { proposal, app } = await proposed();
    expect((await approve(proposal, eve)).status).toBe(404);
    expect((await eve.call(`POST /api/proposals/${proposal.id}/decline`)).status).toBe(404);
    expect(await begunOn(app)).toEqual([]);
  });

  it('approves from no other website', async () => {
    const { proposal, app } = await proposed();
    const { digest } = proposal;
    const origin = { origin: 'https://evil.example' };
    expect(await ada.call(`POST /api/proposals/${proposal.id}/approve`, { digest }, origin)).toMatchObject({
      status: 403,
      body: { code: 'wrong_origin' },
    });
    expect(await begunOn(app)).toEqual([]);
  });

  it('declines, and nothing runs any more', async () => {
    const { proposal, app } = await proposed();
    expect(await ada.call(`POST /api/proposals/${proposal.id}/decline`)).toMatchObject({
      status: 200,
      body: { state: 'declined' },
    });
    expect((await approve(proposal)).status).toBe(409);
    expect(await begunOn(app)).toEqual([]);
  });

  it('whose session ended meanwhile runs nothing', async () => {
    const bea = await api.signUp('bea');
    const own = await plantOneOfEach(api.store.db, bea.userId);
    const proposal = bodyOf<OpenProposal>(await propose(await programOf(bea), restartOf(own.apps)), 201);
    const before = await begunOn(own.apps);
    const answer = await whileLocked(
      (db) => db.deleteFrom('auth.session').where('userId', '=', bea.userId).execute(),
      () => approve(proposal, bea),
    );
    expect(answer.status).toBe(401);
    expect(await begunOn(own.apps)).toEqual(before);
  });
});

type Db = TestApi['store']['db'];

/** Begins `act` while a transaction has made its change and not committed it. Resolves with the answer of `act`, which had to wait. */
async function whileLocked<T>(change: (db: Db) => Promise<unknown>, act: () => Promise<T>): Promise<T> {
  const begun = await api.store.db.transaction().execute(async (db) => {
    await change(db);
    const answer = act();
    await vi.waitFor(async () => expect(await someoneWaits()).toBe(true), 10_000);
    return { answer };
  });
  return begun.answer;
}

const someoneWaits = async () => (await waiting()) > 0;

/** How many wait for a row that another transaction holds. */
async function waiting(): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(api.store.db);
  return rows.length;
}

describe('a proposal', () => {
  const changes: [string, (app: string) => Promise<unknown>][] = [
    ['was renamed', (app) => ada.call(`PATCH /api/apps/${app}`, { version: 1, name: 'diary' })],
    [
      'was stopped',
      (app) => api.store.db.updateTable('apps').set({ stopped: true }).where('id', '=', app).execute(),
    ],
    ['is gone', (app) => api.store.db.deleteFrom('apps').where('id', '=', app).execute()],
  ];
  it.each(changes)('of an app that %s runs nothing, and says so', async (_what, change) => {
    const { app, proposal } = await proposed();
    await change(app);
    expect(await read(proposal.id)).toMatchObject({
      ...{ state: 'open', commands: [], changed: expect.any(String) },
    });
    expect([404, 409]).toContain((await approve(proposal)).status);
    expect(await begunOn(app)).toEqual([]);
    expect((await ada.call(`POST /api/proposals/${proposal.id}/decline`)).status).toBe(200);
  });

  it('of an app whose server has another address by now runs nothing', async () => {
    const own = await plantOneOfEach(api.store.db, ada.userId);
    const proposal = bodyOf<OpenProposal>(await propose(await programOf(), restartOf(own.apps)), 201);
    const before = await begunOn(own.apps);
    await api.store.db.updateTable('servers').set({ port: 2 }).where('id', '=', own.servers).execute();
    expect(await approve(proposal)).toMatchObject({ status: 409, body: { code: 'stale_edit' } });
    expect(await begunOn(own.apps)).toEqual(before);
  });

  it('whose app changes while it is approved runs nothing', async () => {
    const { app, proposal } = await proposed();
    const answer = await whileLocked(
      // The approval waits for the account, and reads the app after that.
      async (db) => {
        await db.selectFrom('auth.user').select('id').where('id', '=', ada.userId).forUpdate().execute();
        await db.updateTable('apps').set({ stopped: true }).where('id', '=', app).execute();
      },
      () => approve(proposal),
    );
    expect(answer).toMatchObject({ status: 409, body: { code: 'stale_edit' } });
    expect(await begunOn(app)).toEqual([]);
  });

  it('with other input than the one that was shown runs nothing', async () => {
    const [program, app] = [await programOf(), await newApp()];
    const call = { route: 'POST /api/apps/:id/plan', params: { id: app }, body: { from: 3, plan: 4 } };
    const proposal = bodyOf<OpenProposal>(await propose(program, { call, why: 'more' }), 201);
    const other = JSON.stringify({ from: 3, plan: 10 });
    await api.store.db.updateTable('proposals').set({ body: other }).where('id', '=', proposal.id).execute();
    expect(await approve(proposal)).toMatchObject({ status: 409, body: { code: 'stale_edit' } });
    expect(await begunOn(app)).toEqual([]);
  });

  it('runs only for whoever names what was shown', async () => {
    const { proposal, app } = await proposed();
    const other = await proposed();
    for (const digest of ['0'.repeat(64), other.proposal.digest])
      expect(await approve({ ...proposal, digest })).toMatchObject({ status: 409 });
    expect(await begunOn(app)).toEqual([]);
    expect((await approve(proposal)).status).toBe(202);
  });

  it('ends after an hour by the store’s clock, whatever the process’s says', async () => {
    const { program, app, proposal } = await proposed();
    aheadMs = 3 * proposalLimits.lifeMs;
    expect((await read(proposal.id)).state).toBe('open');
    aheadMs = 0;
    await api.store.db
      .updateTable('proposals')
      .set({ expires_at: Date.now() - 1 })
      .where('id', '=', proposal.id)
      .execute();
    expect(await read(proposal.id)).toMatchObject({ state: 'expired', commands: [] });
    expect(await approve(proposal)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('more than an hour ago') },
    });
    expect((await ada.call(`POST /api/proposals/${proposal.id}/decline`)).status).toBe(409);
    expect(await begunOn(app)).toEqual([]);
    // The same call is a new proposal then.
    expect(bodyOf<OpenProposal>(await propose(program, restartOf(app)), 201).id).not.toBe(proposal.id);
  });

  it('of a revoked token cannot be approved', async () => {
    const { program, app, proposal } = await proposed();
    bodyOf(await ada.call(`DELETE /api/tokens/${program.id}`), 200);
    expect(await read(proposal.id)).toMatchObject({ state: 'revoked', program: { name: 'helper' } });
    expect(await approve(proposal)).toMatchObject({ status: 409 });
    expect(await begunOn(app)).toEqual([]);
  });

  it('of a token that has expired cannot be approved', async () => {
    const { program, app, proposal } = await proposed();
    await api.store.db
      .updateTable('api_tokens')
      .set({ expires_at: Date.now() - 1 })
      .where('id', '=', program.id)
      .execute();
    expect((await read(proposal.id)).state).toBe('revoked');
    expect((await approve(proposal)).status).toBe(409);
    expect(await begunOn(app)).toEqual([]);
  });

  it('whose token is revoked while it is approved runs nothing', async () => {
    const { program, app, proposal } = await proposed();
    const answer = await whileLocked(
      (db) => db.deleteFrom('api_tokens').where('id', '=', program.id).execute(),
      () => approve(proposal),
    );
    expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining('revoked') } });
    expect(await begunOn(app)).toEqual([]);
  });
});

it('a revocation that is under way when somebody approves wins, and neither fails', async () => {
  const { program, app, proposal } = await proposed();
  const begun = await api.store.db.transaction().execute(async (db) => {
    await db.selectFrom('api_tokens').select('id').where('id', '=', program.id).forUpdate().execute();
    const revoked = ada.call(`DELETE /api/tokens/${program.id}`);
    await vi.waitFor(async () => expect(await waiting()).toBe(1), 10_000);
    const approved = approve(proposal);
    await vi.waitFor(async () => expect(await waiting()).toBe(2), 10_000);
    return { revoked, approved };
  });
  expect((await begun.revoked).status).toBe(200);
  expect((await begun.approved).status).toBe(409);
  expect(await begunOn(app)).toEqual([]);
});

describe('proposals', () => {
  const count = (answers: readonly { status: number }[]) =>
    answers.filter(({ status }) => status === 201).length;

  it('of one token that are open have a share, also of those that are made at once', async () => {
    const program = await programOf();
    const apps = await Promise.all(Array.from({ length: proposalLimits.openOfToken + 3 }, newApp));
    const answers = await Promise.all(apps.map((app) => propose(program, restartOf(app))));
    expect(count(answers)).toBe(proposalLimits.openOfToken);
    for (const { status, body } of answers)
      if (status !== 201)
        expect(body).toMatchObject({
          code: 'limit_reached',
          message: expect.stringContaining(
            `${proposalLimits.openOfToken} proposals of this API token are open`,
          ),
        });
    const [first] = answers.filter(({ status }) => status === 201);
    await ada.call(`POST /api/proposals/${first?.body.id}/decline`);
    expect((await propose(program, restartOf(await newApp()))).status).toBe(201);
  });

  it('of tokens that have expired take no share', async () => {
    for (let each = 0; each < proposalLimits.openOfAccount / proposalLimits.openOfToken; each += 1) {
      const program = await programOf();
      for (let nth = 0; nth < proposalLimits.openOfToken; nth += 1)
        bodyOf(await propose(program, restartOf(await newApp())), 201);
    }
    const program = await programOf();
    expect((await propose(program, restartOf(await newApp()))).status).toBe(409);
    await api.store.db
      .updateTable('api_tokens')
      .set({ expires_at: Date.now() - 1 })
      .where('owner_id', '=', ada.userId)
      .where('id', '!=', program.id)
      .execute();
    expect((await propose(program, restartOf(await newApp()))).status).toBe(201);
  });

  it('of an account have a share of open ones and one for a day', async () => {
    const cyd = await api.signUp('cyd');
    const own = await plantOneOfEach(api.store.db, cyd.userId);
    // One is planted.
    let made = 1;
    let last = { status: 201, body: {} as object };
    while (last.status === 201 && made <= proposalLimits.openOfAccount) {
      const program = await programOf(cyd);
      for (let each = 0; each < proposalLimits.openOfToken && last.status === 201; each += 1) {
        const { id } = await plantApp(api.store.db, cyd.userId, own.servers);
        last = await propose(program, restartOf(id));
        if (last.status === 201) made += 1;
      }
    }
    expect(made).toBe(proposalLimits.openOfAccount);
    expect(last.body).toMatchObject({
      code: 'limit_reached',
      message: expect.stringContaining(
        `${proposalLimits.openOfAccount} proposals of your API tokens are open`,
      ),
    });

    await sql`update proposals set state = 'declined' where owner_id = ${cyd.userId}`.execute(api.store.db);
    await sql`insert into proposals (owner_id, program_kind, program_name, last_four, program_since, route, params, title,
        app_name, server_name, why, fingerprint, state, created_at, expires_at)
      select owner_id, program_kind, program_name, last_four, program_since, route, params, title,
        app_name, server_name, why, fingerprint, state, created_at, expires_at
      from proposals, generate_series(1, ${proposalLimits.perDay - 1 - made}) where id = ${own.proposals}`.execute(
      api.store.db,
    );
    const program = await programOf(cyd);
    const another = async () => {
      const { id } = await plantApp(api.store.db, cyd.userId, own.servers);
      return propose(program, restartOf(id));
    };
    expect((await another()).status).toBe(201);
    expect(await another()).toMatchObject({
      status: 409,
      body: {
        code: 'limit_reached',
        message: expect.stringContaining(`proposed ${proposalLimits.perDay} calls`),
      },
    });
    const listed = bodyOf<Proposal[]>(await cyd.call('GET /api/proposals'), 200);
    expect(listed).toHaveLength(proposalLimits.listed);
    expect(listed[0]?.state).toBe('open');
  });
});
