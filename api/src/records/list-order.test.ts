import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { plantServer } from '../testing/plant.ts';

let api: TestApi;
let ada: TestPerson;
beforeAll(async () => {
  api = await startTestApi();
  ada = await api.signUp('ada');
});
afterAll(() => api[Symbol.asyncDispose]());

/** An import or a restore makes records of one moment, and PostgreSQL puts a row that changes behind the others. */
test('records of one moment keep their order when one of them changes', async () => {
  const { db } = api.store;
  for (const name of ['delta', 'alpha', 'charlie', 'bravo'])
    await plantServer(db, ada.userId, { name, created_at: 1 });
  const listed = async () =>
    bodyOf<{ name: string }[]>(await ada.call('GET /api/servers'), 200).map(({ name }) => name);
  const inOrder = ['alpha', 'bravo', 'charlie', 'delta'];
  expect(await listed()).toEqual(inOrder);
  await db.updateTable('servers').set({ description: 'changed' }).where('name', '=', 'bravo').execute();
  expect(await listed()).toEqual(inOrder);
});
