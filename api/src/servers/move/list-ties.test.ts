import { randomUUID } from 'node:crypto';
import type { ServerTies } from '@homeport/contract/servers/schema';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../../http/testing.ts';
import { plantApp, plantDatabase, plantedRule, plantProxy, plantServer } from '../../testing/plant.ts';

let api: TestApi;
let ines: TestPerson;
beforeAll(async () => {
  api = await startTestApi();
  ines = await api.signUp('ines');
});
afterAll(() => api?.[Symbol.asyncDispose]());

const tiesOf = async (id: string) => bodyOf<ServerTies>(await ines.call(`GET /api/servers/${id}/ties`), 200);
const namesIn = (ties: ServerTies) => ({
  apps: ties.apps.map(({ name, domains }) => [name, ...domains]),
  deployments: ties.deployments.map(({ name }) => name),
  exposed: ties.exposed.map(({ name }) => name),
  proxies: ties.proxies.map(({ name }) => name),
});

it('names what holds the address of a server, and nothing of a server whose address begins alike', async () => {
  const { db } = api.store;
  const { id } = await plantServer(db, ines.userId, { ip: '192.0.2.1' });
  const other = await plantServer(db, ines.userId, { ip: '192.0.2.10' });
  const shop = await plantApp(db, ines.userId, id, {
    ...{ name: 'shop', domains: ['shop.192.0.2.1.sslip.io', 'shop.example.com'] },
  });
  await plantApp(db, ines.userId, id, { name: 'blog', domains: ['blog.example.com'] });
  await plantApp(db, ines.userId, other.id, { name: 'wiki', domains: ['wiki.192.0.2.10.sslip.io'] });
  await db
    .insertInto('continuous_deployments')
    .values({
      ...{ app_id: shop.id, owner_id: ines.userId, repository: 'ines/shop', branch: 'main' },
      created_at: Date.now(),
    })
    .execute();
  await plantDatabase(db, ines.userId, id, { name: 'inside' });
  await plantDatabase(db, ines.userId, id, {
    name: 'orders',
    ports: JSON.stringify([{ name: 'default', number: 5432, host: { port: 21000, address: null } }]),
  });
  await plantProxy(db, ines.userId, { name: 'by source', source: 'http://192.0.2.1' });
  await plantProxy(db, ines.userId, {
    name: 'by rule',
    records: JSON.stringify([{ ...plantedRule(randomUUID()), target: 'https://shop.192.0.2.1.sslip.io/a' }]),
  });
  await plantProxy(db, ines.userId, { name: 'alike', source: 'http://192.0.2.10' });
  await plantProxy(db, ines.userId, { name: 'dots are dots', source: 'http://192a0b2c1.example' });
  const otto = await api.signUp('otto');
  await plantProxy(db, otto.userId, { name: 'of another person', source: 'http://192.0.2.1' });

  expect(namesIn(await tiesOf(id))).toEqual({
    apps: [['shop', 'shop.192.0.2.1.sslip.io']],
    deployments: ['shop'],
    exposed: ['orders'],
    proxies: ['by rule', 'by source'],
  });
  expect(namesIn(await tiesOf(other.id))).toEqual({
    ...{ apps: [['wiki', 'wiki.192.0.2.10.sslip.io']], deployments: [], exposed: [], proxies: ['alike'] },
  });
});
