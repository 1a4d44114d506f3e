import type { Acknowledged, NewsPage } from '@homeport/contract/notifications/news-page';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../../http/testing.ts';
import { plantOneOfEach } from '../../testing/plant.ts';

let api: TestApi;
let ada: TestPerson;
let now = Date.now();
beforeAll(async () => {
  api = await startTestApi({}, { clock: () => now });
  ada = await api.signUp('ada');
});
afterAll(() => api?.[Symbol.asyncDispose]());

type Reply = { acknowledged: Acknowledged | null };
const press = (incident: string, acknowledged = true, who = ada) =>
  who.call(`PUT /api/notifications/${incident}/acknowledgement`, { acknowledged });
const said = async (incident: string, acknowledged?: boolean) =>
  bodyOf<Reply>(await press(incident, acknowledged), 200).acknowledged;
const end = (incident: string) =>
  api.store.db.updateTable('notice_threads').set({ ended_at: now }).where('id', '=', incident).execute();
const listed = async (incident: string) =>
  bodyOf<NewsPage>(await ada.call(`GET /api/notifications?incident=${incident}`), 200).news;

test('who looks into an incident, and since when, stands with all of its news until it is taken back', async () => {
  const { notifications: incident } = await plantOneOfEach(api.store.db, ada.userId);
  await plantOneOfEach(api.store.db, ada.userId);
  now = Date.now() + 1_000;
  expect(await listed(incident), 'to open the link changes nothing').toMatchObject([
    { incident, state: 'firing', acknowledged: null },
  ]);
  const first = await said(incident);
  expect(first).toEqual({ by: 'ada', at: now });
  expect(await listed(incident)).toMatchObject([{ incident, acknowledged: first }]);
  now += 60_000;
  expect(await said(incident), 'whoever said so first stays').toEqual(first);
  expect(await said(incident, false)).toBeNull();
  expect(await listed(incident)).toMatchObject([{ acknowledged: null }]);
  expect(await said(incident)).toEqual({ by: 'ada', at: now });
});

test('two devices that press at once agree', async () => {
  const { notifications: incident } = await plantOneOfEach(api.store.db, ada.userId);
  const answers = await Promise.all(Array.from({ length: 6 }, () => said(incident)));
  expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
});

test('what is over, and what has no end, is not acknowledged; nor is what is somebody else’s', async () => {
  const { notifications: incident } = await plantOneOfEach(api.store.db, ada.userId);
  const eve = await api.signUp('eve');
  expect((await press(incident, true, eve)).status).toBe(404);
  expect((await press(crypto.randomUUID())).status).toBe(404);
  await end(incident);
  expect(await press(incident)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  const { id } = await api.store.db
    .selectFrom('notice_threads')
    .select('id')
    .where('kind', '=', 'operation')
    .where('owner_id', '=', ada.userId)
    .executeTakeFirstOrThrow();
  expect(await press(id)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('no end') },
  });
  expect(await listed(id)).toMatchObject([{ state: 'none', acknowledged: null }]);
});

test('whoever raised the news may have a clock that is ahead', async () => {
  const { notifications: incident } = await plantOneOfEach(api.store.db, ada.userId);
  const raisedAt = now + 3_600_000;
  await api.store.db
    .updateTable('notices')
    .set({ created_at: raisedAt })
    .where('thread_id', '=', incident)
    .execute();
  expect(await said(incident)).toEqual({ by: 'ada', at: raisedAt });
  expect(await listed(incident)).toMatchObject([{ acknowledged: { by: 'ada' } }]);
});

test('who looked into it stands there when it is over', async () => {
  const { notifications: incident } = await plantOneOfEach(api.store.db, ada.userId);
  now = Date.now() + 1_000;
  const first = await said(incident);
  await end(incident);
  expect(await listed(incident)).toMatchObject([{ acknowledged: first, overAt: now }]);
});
