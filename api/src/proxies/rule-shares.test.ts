import { randomUUID } from 'node:crypto';
import { proxyLimits } from '@homeport/contract/proxies/facts';
import type { ProxyRecord, ProxySummary } from '@homeport/contract/proxies/schema';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { plantedRule, plantProxy, randomName } from '../testing/plant.ts';

let api: TestApi;
let ada: TestPerson;
beforeAll(async () => {
  // The shares themselves are tried here, as fast as it goes.
  api = await startTestApi({ signUps: 'open' }, { proxyPace: { admit: async () => {}, count: () => {} } });
  ada = await api.signUp('ada');
});
afterAll(() => api[Symbol.asyncDispose]());

const plant = async (records: object[]) => {
  const { id } = await plantProxy(api.store.db, ada.userId, { records: JSON.stringify(records) });
  return id;
};
const read = async (id: string) => bodyOf<ProxyRecord>(await ada.call(`GET /api/proxies/${id}`), 200);
const add = async (id: string, rule: object) =>
  ada.call(`POST /api/proxies/${id}/rules`, {
    ...{ version: (await read(id)).version, path: `/${randomName()}`, type: 'simple' },
    ...{ target: 'https://a.example.net', ...rule },
  });
const withSnippet = (bytes: number) => ({ ...plantedRule(randomUUID()), injection: 'x'.repeat(bytes) });
const bytesOf = async (id: string) =>
  (
    await api.store.db
      .selectFrom('proxies')
      .select('rule_bytes')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).rule_bytes;

it('refuses a pattern of 245 letters that compiles to 22,000 instructions, beside its field', async () => {
  const id = await plant([]);
  const answer = await add(id, { pathRewriteSrc: `^/${'(?:.?){999}'.repeat(22)}$` });
  expect(await bodyOf(answer, 400)).toMatchObject({
    fields: { pathRewriteSrc: expect.stringContaining('256 instructions') },
  });
  expect((await read(id)).rules).toEqual([]);
});

it('refuses a pattern that the proxy’s other patterns leave no room for, beside its field', async () => {
  const pattern = { pathRewriteSrc: '^/a{240}', pathRewriteDest: '/' };
  const count = Math.floor(proxyLimits.patternInstructionsOfProxy / 245);
  const id = await plant(
    Array.from({ length: count }, (_, n) => ({ ...plantedRule(randomUUID()), path: `/r${n}`, ...pattern })),
  );
  const answers = [await add(id, pattern), await add(id, pattern)];
  const refused = answers.find(({ status }) => status === 400);
  expect(refused && (await bodyOf(refused, 400))).toMatchObject({
    fields: { pathRewriteSrc: expect.stringContaining('together') },
  });
});

it('refuses a rule that takes the rules of a domain over their bytes, and keeps them up to the edge', async () => {
  const id = await plant(Array.from({ length: 15 }, () => withSnippet(64 * 1024)));
  const room = proxyLimits.bytes - (await bytesOf(id));
  const empty = await plant([]);
  const path = `/${randomName()}`;
  expect((await add(empty, { path, injection: 'y' })).status).toBe(201);
  // Without the brackets of the list, with the comma before the rule, and without the one letter.
  const frame = (await bytesOf(empty)) - 2 + 2 - 1;
  const same = (length: number) => ({ path, injection: 'y'.repeat(length) });
  const over = await add(id, same(room - frame + 1));
  expect(await bodyOf(over, 409)).toMatchObject({
    fields: { injection: expect.stringContaining('At most 1 MiB is possible.') },
  });
  expect((await add(id, same(room - frame))).status).toBe(201);
  expect(await bytesOf(id)).toBe(proxyLimits.bytes);
});

it('lets rules that were over their bytes before become less', async () => {
  const id = await plant(Array.from({ length: 40 }, () => withSnippet(64 * 1024)));
  const { rules, version } = await read(id);
  const answer = await ada.call(`POST /api/proxies/${id}/rules/${rules[0]?.id}/delete`, { version });
  expect(answer.status).toBe(200);
  expect((await add(id, { injection: 'x' })).status).toBe(409);
});

it('refuses saved URLs that lead to more bytes than a proxy may save, before anything is kept', async () => {
  const rule = {
    ...plantedRule(randomUUID()),
    path: '/',
    type: 'simple',
    pathRewriteSrc: '^/([ab]*)$',
    pathRewriteDest: `/${'$1'.repeat(100)}`,
  };
  const id = await plant([rule]);
  const { version, domain } = await read(id);
  const urls = (count: number, length: number) =>
    Array.from(
      { length: count },
      (_, n) =>
        `https://${domain}/${n.toString(2).replaceAll('0', 'a').replaceAll('1', 'b').padStart(length, 'a')}`,
    );
  const save = (asked: string[]) => ada.call(`PUT /api/proxies/${id}/tests`, { version, urls: asked });
  const refused = await bodyOf<{ message: string }>(await save(urls(90, 500)), 409);
  expect(refused).toMatchObject({
    code: 'limit_reached',
    message: expect.stringContaining('At most 256 KiB'),
  });
  expect((await read(id)).tests).toEqual([]);
  expect((await save(urls(4, 500))).status).toBe(200);
});

it('says that a rule without HTML is too many bytes, and points at no field', async () => {
  const id = await plant(Array.from({ length: 16 }, () => withSnippet(64 * 1024)));
  const refused = await bodyOf<{ fields?: { injection?: string } }>(await add(id, {}), 409);
  expect(refused).toMatchObject({ code: 'limit_reached', message: expect.stringContaining('At most 1 MiB') });
  expect(refused.fields?.injection).toBeUndefined();
});

it('refuses a rule that takes the account over its bytes, also of two that come at once', async () => {
  const own = await api.signUp('eve');
  const many = Array.from({ length: 15 }, () => withSnippet(64 * 1024));
  for (let n = 0; n < 17; n += 1)
    await plantProxy(api.store.db, own.userId, { records: JSON.stringify(many) });
  const proxies = await Promise.all(
    [0, 1].map(async () => plantProxy(api.store.db, own.userId, { records: '[]' })),
  );
  const { held } = await api.store.db
    .selectFrom('proxies')
    .select(({ fn }) => fn.sum<string>('rule_bytes').as('held'))
    .where('owner_id', '=', own.userId)
    .executeTakeFirstOrThrow();
  const room = proxyLimits.bytesOfAccount - Number(held);
  // One rule has room, two have not.
  const length = Math.floor(room * 0.6);
  expect(length).toBeGreaterThan(0);
  expect(length).toBeLessThan(proxyLimits.injectionBytes);
  const answers = await Promise.all(
    proxies.map(async ({ id, version }) =>
      own.call(`POST /api/proxies/${id}/rules`, {
        ...{ version, path: '/a', type: 'simple', target: 'https://a.example.net' },
        injection: 'x'.repeat(length),
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
});

it('counts the rules of the list without reading them', async () => {
  const own = await api.signUp('ina');
  for (let n = 0; n < 16; n += 1)
    await plantProxy(api.store.db, own.userId, {
      records: JSON.stringify(Array.from({ length: 15 }, () => withSnippet(64 * 1024))),
    });
  const before = process.memoryUsage().external + process.memoryUsage().heapUsed;
  const list = await bodyOf<ProxySummary[]>(await own.call('GET /api/proxies'), 200);
  const after = process.memoryUsage().external + process.memoryUsage().heapUsed;
  expect(list.map(({ rules }) => rules)).toEqual(list.map(() => 15));
  expect(after - before).toBeLessThan(8 * 1024 * 1024);
});

it('refuses one rule more than a proxy may have', async () => {
  const rules = Array.from({ length: proxyLimits.rules }, (_, n) => ({
    ...plantedRule(randomUUID()),
    path: `/r${n}`,
  }));
  const id = await plant(rules);
  expect(await bodyOf<{ detail?: string }>(await add(id, {}), 409)).toMatchObject({
    code: 'limit_reached',
  });
  const { rules: kept } = await read(id);
  expect(kept).toHaveLength(proxyLimits.rules);
});

it('refuses one saved URL more than a proxy may have, and saves as many as it may', async () => {
  const id = await plant([]);
  const { version } = await read(id);
  const urls = Array.from({ length: proxyLimits.savedUrls + 1 }, (_, n) => `/${n}`);
  const save = (some: string[]) => ada.call(`PUT /api/proxies/${id}/tests`, { version, urls: some });
  expect(await bodyOf(await save(urls), 400)).toMatchObject({
    fields: { urls: expect.stringContaining('at most 100 URLs') },
  });
  expect(bodyOf<ProxyRecord>(await save(urls.slice(1)), 200).tests).toHaveLength(proxyLimits.savedUrls);
});
