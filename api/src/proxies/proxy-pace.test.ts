import { randomUUID } from 'node:crypto';
import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { ownerFromSession } from '@homeport/store';
import { expect, it } from 'vitest';
import { bodyOf, startTestApi } from '../http/testing.ts';
import { plantedRule, plantProxy } from '../testing/plant.ts';
import { createProxyPace } from './proxy-pace.ts';

const eve = ownerFromSession(randomUUID());
const ada = ownerFromSession(randomUUID());

it('lets so many bytes through at once, refuses what would wait too long, and says for how long', async () => {
  const pace = createProxyPace({ atOnceBytes: 100, bytesPerSecond: 10, waitMs: 2_000 }, () => 0);
  await pace.admit(eve, 121);
  // 21 bytes too many, which take 2.1 seconds: 0.1 longer than anything may wait.
  await expect(pace.admit(eve, 1)).rejects.toMatchObject({
    code: 'too_many',
    details: { retryAfterSeconds: 1 },
  });
  await pace.admit(ada, 121);
});

it('gives the allowance back as time passes, and never more than all of it', async () => {
  let now = 0;
  const pace = createProxyPace({ atOnceBytes: 100, bytesPerSecond: 10, waitMs: 0 }, () => now);
  await pace.admit(eve, 200);
  await expect(pace.admit(eve, 1)).rejects.toMatchObject({ code: 'too_many' });
  now += 10_000;
  await pace.admit(eve, 1);
  now += 3_600_000;
  await pace.admit(eve, 101);
  await expect(pace.admit(eve, 1)).rejects.toMatchObject({ code: 'too_many' });
});

it('counts nothing of what it refuses', async () => {
  let now = 0;
  const pace = createProxyPace({ atOnceBytes: 100, bytesPerSecond: 10, waitMs: 0 }, () => now);
  await pace.admit(eve, 101);
  for (let tries = 0; tries < 20; tries += 1)
    await expect(pace.admit(eve, 1_000)).rejects.toMatchObject({ code: 'too_many' });
  now += 100;
  await pace.admit(eve, 1);
});

it('never refuses to write what was let in to be read, and has later work wait for it', async () => {
  const pace = createProxyPace({ atOnceBytes: 100, bytesPerSecond: 10, waitMs: 2_000 }, () => 0);
  await pace.admit(eve, 400);
  pace.count(eve, 400);
  await expect(pace.admit(eve, 1)).rejects.toMatchObject({
    code: 'too_many',
    details: { retryAfterSeconds: 68 },
  });
});

it('a proxy of any size, kept before there was a share, is made less at the first try', async () => {
  const pace = { atOnceBytes: 500, bytesPerSecond: 100, waitMs: 5_000 };
  await using api = await startTestApi({ signUps: 'open' }, { proxyPace: createProxyPace(pace, () => 0) });
  const person = await api.signUp('eve');
  const records = ['a', 'b'].map((path) => ({
    ...plantedRule(randomUUID()),
    path: `/${path}`,
    injection: 'x'.repeat(20_000),
  }));
  const { id, version } = await plantProxy(api.store.db, person.userId, { records: JSON.stringify(records) });
  const answer = await person.call(`POST /api/proxies/${id}/rules/${records[0]?.id}/delete`, { version });
  expect(answer.status).toBe(200);
  expect((await person.call(`GET /api/proxies/${id}`)).status).toBe(429);
});

it('what waits is let through in the end', async () => {
  const pace = createProxyPace({ atOnceBytes: 10, bytesPerSecond: 1_000, waitMs: 5_000 }, () => 0);
  await pace.admit(eve, 30);
  await pace.admit(eve, 1);
});

it('reads and changes of large proxies are refused beyond the pace of their account, and of no other', async () => {
  const proxyPace = createProxyPace({ atOnceBytes: 500, bytesPerSecond: 100, waitMs: 5_000 }, () => 0);
  await using api = await startTestApi({ signUps: 'open' }, { proxyPace });
  const person = await api.signUp('eve');
  const records = [{ ...plantedRule(randomUUID()), injection: 'x'.repeat(2_000) }];
  const { id } = await plantProxy(api.store.db, person.userId, { records: JSON.stringify(records) });
  const { version } = await bodyOf<ProxyRecord>(await person.call(`GET /api/proxies/${id}`), 200);
  const [rule] = records;
  for (const [call, body] of [
    [`GET /api/proxies/${id}`, undefined],
    [`PATCH /api/proxies/${id}`, { version, name: 'other' }],
    [`PATCH /api/proxies/${id}`, { version: version + 9, name: 'stale' }],
    [`POST /api/proxies/${id}/dry-run`, { url: 'https://a.example.net/' }],
    [`POST /api/proxies/${id}/examine`, { ruleId: rule?.id }],
  ] as const) {
    const answer = await person.call(call, body);
    expect([call, answer.status]).toEqual([call, 429]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const kept = await api.store.db
    .selectFrom('proxies')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(kept.name).not.toBe('other');
  // The list of proxies, charts and deletion do not wait.
  expect((await person.call('GET /api/proxies')).status).toBe(200);
  expect((await person.call(`GET /api/proxies/${id}/use?horizon=all`)).status).toBe(200);
  const other = await api.signUp('ada');
  const own = await plantProxy(api.store.db, other.userId, { records: JSON.stringify(records) });
  expect((await other.call(`GET /api/proxies/${own.id}`)).status).toBe(200);
  expect((await person.call(`POST /api/proxies/${id}/delete`, { confirmation: 'delete' })).status).toBe(200);
});

it('weighs a proxy again that grew while its reader waited, and counts what it grew by', async () => {
  const counted: number[] = [];
  const grown = JSON.stringify([{ ...plantedRule(randomUUID()), injection: 'x'.repeat(5_000) }]);
  let grow: (() => Promise<unknown>) | undefined;
  const proxyPace = {
    admit: async (_owner: unknown, bytes: number) => {
      counted.push(bytes);
      await grow?.();
      grow = undefined;
    },
    count: () => {},
  };
  await using api = await startTestApi({ signUps: 'open' }, { proxyPace });
  const person = await api.signUp('eve');
  const { id } = await plantProxy(api.store.db, person.userId, { records: '[]' });
  grow = () => api.store.db.updateTable('proxies').set({ records: grown }).where('id', '=', id).execute();
  const { rules } = await bodyOf<ProxyRecord>(await person.call(`GET /api/proxies/${id}`), 200);
  expect(rules).toHaveLength(1);
  expect(counted).toHaveLength(2);
  expect(counted[1]).toBeGreaterThan(5_000);
});
