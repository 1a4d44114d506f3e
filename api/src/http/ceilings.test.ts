import { type Ceilings, ceilings, queuedPerLane } from '@homeport/contract/limits';
import type { Operation } from '@homeport/contract/operations/schema';
import { ownerFromSession } from '@homeport/store';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { forgetOldest } from '../operations/forget-oldest.ts';
import { recordAppFacts } from '../records/app-record.ts';
import {
  plantApp,
  plantDatabase,
  plantOneOfEach,
  plantServer,
  randomName,
  randomPublicKey,
} from '../testing/plant.ts';
import { type Answer, bodyOf, password, startTestApi, type TestApi, type TestPerson } from './testing.ts';

const low: Ceilings = {
  ...ceilings,
  servers: 5,
  keys: 4,
  apps: 6,
  databases: 4,
  sessions: 3,
  invitations: 2,
  tokens: 3,
  operations: 25,
  streams: 3,
};

let api: TestApi;
let ada: TestPerson;
let eve: TestPerson;
beforeAll(async () => {
  api = await startTestApi({ ceilings: low, signUps: 'open' });
  ada = await api.signUp('ada');
  eve = await api.signUp('eve');
});
afterAll(() => api[Symbol.asyncDispose]());

const atOnce = (count: number, ask: (n: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(n)));
const kept = (answers: Answer[]) => answers.filter(({ status }) => status < 300).length;

/** Every answer is a success, or names the ceiling, what was kept and what to do. */
function expectPlain(answers: Answer[], most: number): void {
  for (const { status, body } of answers) {
    if (status < 300) continue;
    expect({ status, body }).toMatchObject({ status: 409, body: { code: 'limit_reached' } });
    expect(body).toMatchObject({
      message: expect.stringMatching(new RegExp(`^(You have ${most} |${most} ).*\\.$`)),
      recovery: expect.stringMatching(/\.$/),
    });
  }
}

describe('of many simultaneous additions, exactly as many as the ceiling are kept', () => {
  it('of servers', async () => {
    const answers = await atOnce(30, (n) =>
      ada.call('POST /api/servers', {
        name: 'web',
        ip: `127.9.0.${n + 1}`,
        credential: 'password',
        subdomain: randomName(),
      }),
    );
    expect(kept(answers)).toBe(low.servers);
    expectPlain(answers, low.servers);
    expect((await ada.call('GET /api/servers')).body).toHaveLength(low.servers);
  });

  it('of keys', async () => {
    const answers = await atOnce(30, () =>
      ada.call('POST /api/keys', { name: 'laptop', publicKey: randomPublicKey() }),
    );
    expect(kept(answers)).toBe(low.keys);
    expectPlain(answers, low.keys);
  });

  it('of apps, which count from the request for their creation', async () => {
    const { db } = api.store;
    const [server] = (await ada.call('GET /api/servers')).body as { id: string }[];
    const [key] = (await ada.call('GET /api/keys')).body as { id: string }[];
    if (!server || !key) throw new Error('nothing to make apps with');
    for (let n = 0; n < 2; n++) await plantApp(db, ada.userId, server.id);
    const body = { name: 'shop', serverId: server.id, keyIds: [key.id] };
    const answers = await atOnce(20, () => ada.call('POST /api/apps', body));
    expect(kept(answers)).toBe(low.apps - 2);
    expectPlain(answers, low.apps);

    const [begun] = answers.filter(({ status }) => status < 300).map((answer) => answer.body as Operation);
    await ada.call(`POST /api/operations/${begun?.id}/cancel`, {});
    expect(kept(await atOnce(8, () => ada.call('POST /api/apps', body)))).toBe(1);
    const active = (await ada.call('GET /api/operations?active=true')).body as Operation[];
    await atOnce(active.length, (n) => ada.call(`POST /api/operations/${active[n]?.id}/cancel`, {}));
  });

  it('of databases, which count from the request for their creation', async () => {
    const { db } = api.store;
    const { id: serverId } = await plantServer(db, ada.userId);
    await plantDatabase(db, ada.userId, serverId);
    const body = { name: 'orders', type: 'redis', serverId };
    const answers = await atOnce(12, () => ada.call('POST /api/databases', body));
    expect(kept(answers)).toBe(low.databases - 1);
    expectPlain(answers, low.databases);
    const active = (await ada.call('GET /api/operations?active=true')).body as Operation[];
    await atOnce(active.length, (n) => ada.call(`POST /api/operations/${active[n]?.id}/cancel`, {}));
  });

  it('of operations, of one person and of one lane', async () => {
    const { db } = api.store;
    const { id: serverId } = await plantServer(db, ada.userId);
    const restart = (id: string) => ada.call(`POST /api/apps/${id}/restart`, {});
    const [crowded, ...others] = await Promise.all(
      Array.from({ length: 20 }, async () => (await plantApp(db, ada.userId, serverId)).id),
    );
    const inLane = await atOnce(40, () => restart(crowded ?? ''));
    expectPlain(inLane, queuedPerLane);
    // The first operation may have left the queue for its lane before the last one arrives.
    expect([queuedPerLane, queuedPerLane + 1]).toContain(kept(inLane));

    const beside = await atOnce(others.length, (n) => restart(others[n] ?? ''));
    expectPlain(beside, low.operations);
    expect(kept(inLane) + kept(beside)).toBe(low.operations);

    const [begun] = beside.filter(({ status }) => status < 300).map(({ body }) => body as Operation);
    await ada.call(`POST /api/operations/${begun?.id}/cancel`, {});
    expect(kept([await restart(others[0] ?? '')])).toBe(1);
    expectPlain([await ada.call(`POST /api/operations/${begun?.id}/retry`, {})], low.operations);
  });

  it('of event streams, and a closed stream makes room', async () => {
    const leaves = Array.from({ length: 12 }, () => new AbortController());
    const answers = await Promise.all(leaves.map(({ signal }) => ada.open('GET /api/events', { signal })));
    const open = answers.filter(({ status }) => status === 200);
    expect(open).toHaveLength(low.streams);
    const refused = answers.find(({ status }) => status === 409);
    expect(await refused?.json()).toMatchObject({ code: 'limit_reached' });
    for (const leave of leaves) leave.abort();
    const again = new AbortController();
    await vi.waitFor(async () => {
      const answer = await ada.open('GET /api/events', { signal: again.signal });
      expect(answer.status).toBe(200);
    }, 20_000);
    again.abort();
  });

  it('of API tokens', async () => {
    const body = { name: 'backup', scopes: ['apps:read'], days: 30 };
    const answers = await atOnce(10, () => ada.call('POST /api/tokens', body));
    expect(kept(answers)).toBe(low.tokens);
    expectPlain(answers, low.tokens);
  });

  it('of invitations', async () => {
    const answers = await atOnce(10, () =>
      ada.call('POST /api/invitations', { email: `${randomName()}@example.com` }),
    );
    expect(kept(answers)).toBe(low.invitations);
    expectPlain(answers, low.invitations);
  });

  it('of sign-ins, and the ones used last stay', async () => {
    const visitors = Array.from({ length: 9 }, () => api.visitor());
    const signedIn = await Promise.all(
      visitors.map((visitor) => visitor.call('POST /api/auth/sign-in/email', { email: ada.email, password })),
    );
    expect(kept(signedIn)).toBe(visitors.length);
    const sessions = await Promise.all(visitors.map((visitor) => visitor.call('GET /api/session')));
    expect(sessions.filter(({ status }) => status === 200)).toHaveLength(low.sessions);
    expect((await ada.call('GET /api/session')).status).toBe(401);
  });
});

describe('a list that grows by itself', () => {
  it('is bounded for operations that are over, and the newest stay', async () => {
    const { db } = api.store;
    const owner = ownerFromSession(eve.userId);
    await Promise.all(Array.from({ length: 7 }, () => plantOneOfEach(db, owner)));
    const rows = () => db.selectFrom('operations').select('created_at').where('owner_id', '=', owner);
    const before = await rows().orderBy('created_at', 'desc').execute();
    await forgetOldest(db, owner, 3);
    expect(await rows().orderBy('created_at', 'desc').execute()).toEqual(before.slice(0, 3));
  });

  it('is bounded for domains that a server reports of an app', async () => {
    const { db } = api.store;
    const owner = ownerFromSession(eve.userId);
    const things = await plantOneOfEach(db, owner);
    const app = await db
      .selectFrom('apps')
      .innerJoin('servers', 'servers.id', 'apps.server_id')
      .selectAll('apps')
      .select([
        'servers.key as server_key',
        'servers.name as server_name',
        'servers.dokku_plugin as server_plugin',
      ])
      .where('apps.id', '=', things.apps)
      .executeTakeFirstOrThrow();
    const domains = Array.from({ length: 5_000 }, (_, n) => `d${n}.example.com`);
    await recordAppFacts(db, owner, app, { domains });
    const row = await db
      .selectFrom('apps')
      .select('domains')
      .where('id', '=', app.id)
      .executeTakeFirstOrThrow();
    expect(row.domains).toEqual(domains.slice(0, 100));
  });
});

it('refuses a domain for an app at the ceiling, before anything is done', async () => {
  const { db } = api.store;
  const { id: serverId } = await plantServer(db, eve.userId);
  const domains = Array.from({ length: 100 }, (_, n) => `d${n}.example.com`);
  const { id } = await plantApp(db, eve.userId, serverId, { domains });
  const asked = await eve.call(`POST /api/apps/${id}/domains`, { domain: 'one.more.example.com' });
  const begun = bodyOf<Operation>(asked, 202);
  await vi.waitFor(async () => {
    expect((await eve.call(`GET /api/operations/${begun.id}`)).body).toMatchObject({
      state: 'failed',
      problem: { code: 'limit_reached', message: expect.stringContaining('100 domains') },
    });
  }, 20_000);
});
