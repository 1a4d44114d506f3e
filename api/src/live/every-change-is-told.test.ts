import { randomBytes, randomUUID } from 'node:crypto';
import { type RouteKey, routes } from '@homeport/contract/routes';
import { makeKey } from '@homeport/ssh/testing';
import type { Payload } from '@homeport/store';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApi, type TestApi, type TestVisitor } from '../http/testing.ts';

/**
 * A page in another browser shows a change because it is told. So every route that changes something is called here, and
 * what the store's listeners hear of it is looked at.
 */
type Things = { server: string; app: string; key: string; operation: string; invitation: string };
type Change = Payload<'changed'>;

/** How to call it, on which of the things, and what has to be told: its own id where it is known before. */
type Case = { body?: object; on?: keyof Things; topic: Change['topic'] };

const work = { on: 'app', topic: 'operations' } as const;
const cases: Partial<Record<RouteKey, Case>> = {
  'PATCH /api/profile': { body: { name: 'Ada L.' }, topic: 'profile' },
  'POST /api/invitations': { body: { email: 'bea@example.com' }, topic: 'invitations' },
  'POST /api/invitations/:id/withdraw': { on: 'invitation', topic: 'invitations' },
  'POST /api/keys': { body: { name: 'desk', publicKey: makeKey().publicKeyLine }, topic: 'keys' },
  'DELETE /api/keys/:id': { on: 'key', topic: 'keys' },
  'POST /api/servers': {
    body: { name: 'pier', ip: '127.0.0.9', credential: 'password', subdomain: 'pier' },
    topic: 'servers',
  },
  'PATCH /api/servers/:id': { on: 'server', body: { version: 1, name: 'quay' }, topic: 'servers' },
  'PUT /api/servers/:id/host-key': {
    on: 'server',
    body: { from: null, to: `SHA256:${'A'.repeat(43)}`, algorithm: 'ssh-ed25519' },
    topic: 'servers',
  },
  'POST /api/servers/:id/install': { on: 'server', topic: 'operations' },
  'POST /api/servers/:id/agent': { on: 'server', topic: 'operations' },
  'POST /api/servers/:id/remove': { on: 'server', body: { uninstall: false }, topic: 'servers' },
  'PATCH /api/apps/:id': { on: 'app', body: { version: 1, name: 'daybook' }, topic: 'apps' },
  'POST /api/apps/:id/start': work,
  'POST /api/apps/:id/stop': work,
  'POST /api/apps/:id/restart': work,
  'POST /api/apps/:id/rebuild': work,
  'POST /api/apps/:id/destroy': { ...work, body: { confirmation: 'destroy' } },
  'POST /api/apps/:id/plan': { ...work, body: { from: 3, plan: 4 } },
  'POST /api/apps/:id/domains': { ...work, body: { domain: 'shop.example.com' } },
  'POST /api/apps/:id/domains/remove': { ...work, body: { domain: 'shop.example.com' } },
  'POST /api/apps/:id/https': { ...work, body: { email: 'ada@example.com' } },
  'POST /api/apps/:id/storage': { ...work, body: { containerPath: '/app/storage' } },
  'PUT /api/apps/:id/repository': {
    on: 'app',
    body: { version: 1, repository: { fullName: 'ines/ledger', branch: 'main' } },
    topic: 'apps',
  },
  'PUT /api/apps/:id/uptime': { on: 'app', body: { domain: 'shop.example.com' }, topic: 'apps' },
  'DELETE /api/apps/:id/uptime': { on: 'app', topic: 'apps' },
  'POST /api/operations/:id/retry': { on: 'operation', topic: 'operations' },
};

/** Changes nothing that another page shows. */
const silent: RouteKey[] = [
  'POST /api/servers/:id/firewall',
  'POST /api/apps/:id/https/checks',
  'DELETE /api/servers/:id/connection',
];

/** Needs a server that answers: api/src/apps/settings.test.ts and create-app.test.ts follow these. */
const onServer: RouteKey[] = [
  'POST /api/servers/:id/account',
  'POST /api/servers/:id/import',
  'POST /api/apps',
  'POST /api/apps/:id/refresh',
  'PATCH /api/apps/:id/environment',
  'POST /api/operations/:id/cancel',
];

describe('a change', () => {
  let api: TestApi;
  let ada: TestVisitor & { userId: string };
  const heard: Change[] = [];
  beforeAll(async () => {
    api = await startTestApi();
    ada = await api.signUp('ada');
    await api.store.listener.on('changed', (change) => heard.push(change));
  });
  afterAll(() => api[Symbol.asyncDispose]());

  it.each(Object.entries(cases) as [RouteKey, Case][])('by %s is told', async (key, { body, on, topic }) => {
    const things = await plant(api, ada.userId);
    const id = on && things[on];
    if (key === 'DELETE /api/apps/:id/uptime')
      await ada.call(`PUT /api/apps/${id}/uptime`, { domain: 'shop.example.com' });
    heard.length = 0;
    const { status, body: answer } = await ada.call(id ? key.replace(':id', id) : key, body);
    expect(status, JSON.stringify(answer)).toBeLessThan(300);
    const made = topic === 'operations' || !id;
    const told = topic === 'profile' ? null : made ? (answer as { id: string }).id : id;
    await vi.waitFor(() => expect(heard).toContainEqual({ owner: ada.userId, topic, id: told }), 5_000);
  });

  it('of every kind is looked at', () => {
    const known = [...Object.keys(cases), ...silent, ...onServer];
    const changing = Object.keys(routes).filter((key) => !key.startsWith('GET '));
    expect(changing.filter((key) => !known.includes(key))).toEqual([]);
    expect(known.filter((key) => !changing.includes(key))).toEqual([]);
  });
});

describe('two edits of a server that began from the same version', () => {
  it('do not overwrite each other: the second is refused with what the first made of it', async () => {
    await using api = await startTestApi();
    const ada = await api.signUp('ada');
    const { server } = await plant(api, ada.userId);
    const answers = await Promise.all(
      ['quay', 'pier', 'mole'].map((name) => ada.call(`PATCH /api/servers/${server}`, { version: 1, name })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const kept = answers.find(({ status }) => status === 200)?.body as { name: string };
    for (const refused of answers.filter(({ status }) => status === 409))
      expect(refused.body).toMatchObject({
        code: 'stale_edit',
        current: { id: server, name: kept.name, version: 2 },
      });
  });
});

const randomName = () => `x${randomBytes(6).toString('hex')}`;
let planted = 0;

/** One of each, straight into the store. Nothing listens at the server's address. */
async function plant({ store: { db } }: TestApi, owner_id: string): Promise<Things> {
  const created_at = Date.now();
  planted += 1;
  const key = randomBytes(16).toString('hex');
  await db
    .insertInto('keys')
    .values({
      owner_id,
      id: key,
      name: randomName(),
      public_key: makeKey().publicKeyLine,
      fingerprint: `SHA256:${'A'.repeat(43)}`,
      algorithm: 'ssh-ed25519',
      added_at: created_at,
    })
    .execute();
  const server = await db
    .insertInto('servers')
    .values({
      owner_id,
      key: randomName(),
      name: randomName(),
      ip: `127.0.${planted}.7`,
      port: 1,
      username: 'root',
      credential: 'password',
      subdomain: randomName(),
      metal: false,
      monitor_id: randomName(),
      setup: 'ready',
      created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const app = await db
    .insertInto('apps')
    .values({
      owner_id,
      server_id: server.id,
      name: randomName(),
      longname: randomName(),
      monitor_id: randomName(),
      plan: 3,
      domains: ['shop.example.com'],
      created_at,
    })
    .returning(['id', 'longname'])
    .executeTakeFirstOrThrow();
  const operation = await db
    .insertInto('operations')
    .values({
      owner_id,
      session_id: randomUUID(),
      kind: 'app.start',
      title: 'Start',
      state: 'failed',
      lane: randomName(),
      server_id: server.id,
      app_id: app.id,
      steps: '[]',
      input: JSON.stringify({ appId: app.id, longname: app.longname }),
      created_at,
      ended_at: created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const invitation = await db
    .insertInto('invitations')
    .values({
      owner_id,
      email: `${randomName()}@example.com`,
      token_hash: randomBytes(32),
      created_at: created_at - 3_600_000,
      expires_at: created_at + 3_600_000,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { server: server.id, app: app.id, key, operation: operation.id, invitation: invitation.id };
}
