import { freePlanLimit } from '@homeport/contract/apps/plans';
import type { Operation } from '@homeport/contract/operations/schema';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Answer, bodyOf, startTestApi, type TestApi, type TestPerson } from '../../http/testing.ts';
import { plantApp, plantOneOfEach, plantServer } from '../../testing/plant.ts';

let api: TestApi;
let ines: TestPerson;
let serverId: string;
let keyId: string;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api[Symbol.asyncDispose]());

let people = 0;
beforeEach(async () => {
  people += 1;
  ines = await api.signUp(`ines${people}`);
  serverId = (await plantServer(api.store.db, ines.userId)).id;
  keyId = (await plantOneOfEach(api.store.db, ines.userId)).keys;
});

const create = () => ines.call('POST /api/apps', { name: 'shop', serverId, plan: 0, keyIds: [keyId] });
const changeTo0 = (id: string) => ines.call(`POST /api/apps/${id}/plan`, { from: 3, plan: 0 });
const plant = (plan: number) => plantApp(api.store.db, ines.userId, serverId, { plan });
const accepted = (answers: Answer[]) => answers.filter(({ status }) => status === 202).length;
const refusal = {
  status: 400,
  body: {
    code: 'invalid_input',
    fields: { plan: 'Plan 0 is limited to 2 apps. Choose a larger plan.' },
  },
};

test('of many creations at once two get plan 0, and the others are told beside the field', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, create));
  expect(accepted(answers)).toBe(freePlanLimit);
  for (const answer of answers.filter(({ status }) => status !== 202)) expect(answer).toMatchObject(refusal);
});

test('a change to plan 0 takes a place as a creation does', async () => {
  await plant(0);
  const apps = [await plant(3), await plant(3)];
  const answers = await Promise.all([...apps.map(({ id }) => changeTo0(id)), create()]);
  expect(accepted(answers)).toBe(1);
  for (const answer of answers.filter(({ status }) => status !== 202)) expect(answer).toMatchObject(refusal);
});

test('work that is cancelled gives its place back, and can run again only where there is one', async () => {
  await plant(0);
  const first = bodyOf<Operation>(await create(), 202);
  expect(await create()).toMatchObject(refusal);
  await ines.call(`POST /api/operations/${first.id}/cancel`);
  expect((await create()).status).toBe(202);
  expect(await ines.call(`POST /api/operations/${first.id}/retry`)).toMatchObject(refusal);
});

test('an app on plan 0 may have its limits set again', async () => {
  const [app] = [await plant(0), await plant(0)];
  const again = await ines.call(`POST /api/apps/${app.id}/plan`, { from: 0, plan: 0 });
  expect(again.status).toBe(202);
});

test('the store itself takes no third app, whoever writes it', async () => {
  await plant(0);
  const other = await plant(3);
  await plant(0);
  await expect(plant(0)).rejects.toMatchObject({ constraint: 'apps_free_plan' });
  await expect(
    api.store.db.updateTable('apps').set({ plan: 0 }).where('id', '=', other.id).execute(),
  ).rejects.toMatchObject({ constraint: 'apps_free_plan' });
});
