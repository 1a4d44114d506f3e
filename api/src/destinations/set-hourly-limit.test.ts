import type { Destination } from '@homeport/contract/destinations/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, startTestApi, type TestApi } from '../http/testing.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.[Symbol.asyncDispose]());

test('a person chooses how many messages an hour the address of the account gets, up to the share of the mail server', async () => {
  const ada = await api.signUp('ada');
  const bea = await api.signUp('bea');
  const [mail] = bodyOf<Destination[]>(await ada.call('GET /api/destinations'), 200) as [Destination];
  const set = (perHour: unknown, who = ada) =>
    who.call(`PUT /api/destinations/${mail.id}/hourly-limit`, { perHour });
  expect(mail.perHour).toBe(10);
  expect(bodyOf<Destination>(await set(20), 200).perHour).toBe(20);
  for (const bad of [60, 1, 3, 10_000, '5', null])
    expect(await set(bad), String(bad)).toMatchObject({
      status: 400,
      body: { fields: { perHour: expect.any(String) } },
    });
  expect(await set(5, bea)).toMatchObject({ status: 404 });
  expect(bodyOf<Destination[]>(await ada.call('GET /api/destinations'), 200)).toMatchObject([
    { perHour: 20 },
  ]);
});
