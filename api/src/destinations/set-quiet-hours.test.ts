import type { Destination } from '@homeport/contract/destinations/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, startTestApi, type TestApi } from '../http/testing.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.[Symbol.asyncDispose]());

test('quiet hours are set for the address of the account too, and end with null', async () => {
  const ada = await api.signUp('ada');
  const list = async () => bodyOf<Destination[]>(await ada.call('GET /api/destinations'), 200);
  const [mail] = (await list()) as [Destination];
  const set = (quietHours: object | null) =>
    ada.call(`PUT /api/destinations/${mail.id}/quiet-hours`, { quietHours });
  const night = { from: '22:00', to: '07:00', zone: 'Europe/Berlin', grave: true };
  expect(bodyOf<Destination>(await set(night), 200).quietHours).toEqual(night);
  expect(await list()).toMatchObject([{ quietHours: night }]);
  for (const [field, bad] of [
    ['quietHours.zone', { ...night, zone: 'Europe/Atlantis' }],
    ['quietHours.zone', { ...night, zone: "UTC'; select 1" }],
    ['quietHours.zone', { ...night, zone: '+02:00' }],
    ['quietHours.to', { ...night, to: '22:00' }],
    ['quietHours.from', { ...night, from: '24:00' }],
  ] as const)
    expect(await set(bad), field).toMatchObject({
      status: 400,
      body: { fields: { [field]: expect.any(String) } },
    });
  expect(bodyOf<Destination>(await set(null), 200).quietHours).toBeNull();
});

test('a zone that the page knows and the store does not is refused beside its field', async () => {
  const bea = await api.signUp('bea');
  const [mail] = bodyOf<Destination[]>(await bea.call('GET /api/destinations'), 200) as [Destination];
  await api.store.pool.query(
    `create or replace function knows_time_zone(zone text) returns boolean language sql as 'select false'`,
  );
  const answer = await bea.call(`PUT /api/destinations/${mail.id}/quiet-hours`, {
    quietHours: { from: '22:00', to: '07:00', zone: 'Europe/Berlin', grave: true },
  });
  expect(answer).toMatchObject({ status: 400, body: { fields: { 'quietHours.zone': expect.any(String) } } });
});
