import type { Destination } from '@homeport/contract/destinations/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, startTestApi, type TestApi } from '../http/testing.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.[Symbol.asyncDispose]());

test('a person chooses when a destination gets what nobody acknowledged, and how often it is repeated there', async () => {
  const ada = await api.signUp('ada');
  const bea = await api.signUp('bea');
  const [mail] = bodyOf<Destination[]>(await ada.call('GET /api/destinations'), 200) as [Destination];
  const set = (afterMinutes: unknown, repeatHours: unknown, { who = ada, id = mail.id } = {}) =>
    who.call(`PUT /api/destinations/${id}/escalation`, { afterMinutes, repeatHours });
  expect(mail).toMatchObject({ afterMinutes: 0, repeatHours: null });
  for (const [after, every] of [
    [60, 24],
    [5, 1],
    [0, null],
    [15, 4],
  ])
    expect(bodyOf(await set(after, every), 200)).toMatchObject({ afterMinutes: after, repeatHours: every });
  for (const bad of [-1, 1, 61, 90, '5', null]) expect((await set(bad, null)).status, String(bad)).toBe(400);
  for (const bad of [0, 2, 25, '1', true]) expect((await set(0, bad)).status, String(bad)).toBe(400);
  expect((await set(0, null, { who: bea })).status).toBe(404);
  expect(bodyOf(await ada.call('GET /api/destinations'), 200)).toMatchObject([
    { afterMinutes: 15, repeatHours: 4 },
  ]);
});

test('PagerDuty has no repeated alerts, and may wait', async () => {
  const cleo = await api.signUp('cleo');
  const target = { kind: 'pagerduty', key: 'k'.repeat(32) };
  const { id } = bodyOf<{ record: Destination }>(
    await cleo.call('POST /api/destinations', { name: 'Pager', target }),
    201,
  ).record;
  const set = (repeatHours: number | null) =>
    cleo.call(`PUT /api/destinations/${id}/escalation`, { afterMinutes: 30, repeatHours });
  expect(await set(1)).toMatchObject({ status: 400, body: { fields: { repeatHours: expect.any(String) } } });
  expect(bodyOf(await set(null), 200)).toMatchObject({ afterMinutes: 30, repeatHours: null });
});

test('what is over when a wait ends is not sent any more, and what goes on is, acknowledged or not', async () => {
  const dan = await api.signUp('dan');
  const { db } = api.store;
  const [mail] = bodyOf<Destination[]>(await dan.call('GET /api/destinations'), 200) as [Destination];
  const set = async (afterMinutes: number) =>
    bodyOf(
      await dan.call(`PUT /api/destinations/${mail.id}/escalation`, { afterMinutes, repeatHours: null }),
      200,
    );
  await set(60);
  const threads = await Promise.all(
    [{ ended_at: 1 }, { acknowledged_at: Date.now() + 60_000, acknowledged_by: 'dan' }, {}].map((state) =>
      db
        .insertInto('notice_threads')
        .values({
          ...{ owner_id: dan.userId, kind: 'server.disk', incident: crypto.randomUUID(), started_at: 0 },
          ...state,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    ),
  );
  const notices = await db
    .insertInto('notices')
    .values(
      threads.map(({ id }) => ({
        ...{ owner_id: dan.userId, thread_id: id, event: 'disk.filled', mark: 0, created_at: Date.now() },
        facts: '{}',
      })),
    )
    .returning('id')
    .execute();
  await db
    .insertInto('notice_deliveries')
    .values(notices.map(({ id }) => ({ owner_id: dan.userId, notice_id: id, destination_id: mail.id })))
    .execute();
  const left = () =>
    db.selectFrom('notice_deliveries').select('notice_id').where('owner_id', '=', dan.userId).execute();
  await set(5);
  expect(await left()).toHaveLength(3);
  await set(0);
  expect((await left()).map(({ notice_id }) => notice_id).toSorted()).toEqual(
    notices
      .slice(1)
      .map(({ id }) => id)
      .toSorted(),
  );
});
