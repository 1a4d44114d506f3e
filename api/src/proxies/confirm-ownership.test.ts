import type { DomainClaim, ProxyRecord } from '@homeport/contract/proxies/schema';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { plantProxy } from '../testing/plant.ts';

let api: TestApi;
let owner: TestPerson;
let ada: TestPerson;
let eve: TestPerson;
beforeAll(async () => {
  api = await startTestApi();
  owner = await api.signUp('owner');
  [ada, eve] = [await api.signUp('ada'), await api.signUp('eve')];
});
afterAll(() => api[Symbol.asyncDispose]());

let serial = 0;
/** Both accounts have a proxy of one domain; the first one holds its name. */
async function plantBoth(first: Parameters<typeof plantProxy>[2] = {}) {
  serial += 1;
  const domain = `claimed-${serial}.example.com`;
  const { db } = api.store;
  const mine = await plantProxy(db, ada.userId, { domain, ...first });
  const other = await plantProxy(db, eve.userId, { domain, holds: false });
  return { domain, mine: mine.id, other: other.id };
}
const vouch = (id: string, vouched: boolean) => owner.call(`POST /api/proxies/${id}/vouch`, { vouched });
const row = (id: string) =>
  api.store.db.selectFrom('proxies').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

it('the owner of the console sees domains that nothing proves, with their accounts, and nobody else does', async () => {
  const { domain, mine, other } = await plantBoth();
  const proven = await plantProxy(api.store.db, ada.userId, { owned: 'txt' });
  const claims = bodyOf<DomainClaim[]>(await owner.call('GET /api/proxies/claims'), 200);
  expect(claims.filter((each) => each.domain === domain)).toMatchObject([
    { id: mine, email: ada.email, vouchedAt: null },
    { id: other, email: eve.email, vouchedAt: null },
  ]);
  expect(claims.map(({ id }) => id)).not.toContain(proven.id);
  expect((await ada.call('GET /api/proxies/claims')).status).toBe(403);
});

it('the owner’s word gives a domain to one of two accounts, and both read how it stands', async () => {
  const { mine, other } = await plantBoth({ owned: 'missing', pointing: 'yes', allowed: true });
  expect(bodyOf<DomainClaim>(await vouch(other, true), 200).vouchedAt).toBeGreaterThan(0);
  expect(await row(mine)).toMatchObject({ holds: false, allowed: false, owned: 'missing' });
  expect(await row(other)).toMatchObject({ holds: true, owned: 'granted', allowed: false });
  const read = async (person: TestPerson, id: string) =>
    bodyOf<ProxyRecord>(await person.call(`GET /api/proxies/${id}`), 200).standing;
  expect(await read(eve, other)).toMatchObject({ ownedBy: 'owner' });
  expect(await read(ada, mine)).toMatchObject({ ownedBy: null, state: 'not_owned' });

  await vouch(mine, true);
  expect(await row(mine)).toMatchObject({ holds: true, owned: 'granted' });
  expect(await row(other)).toMatchObject({ holds: false, granted_at: null, owned: 'missing' });
});

it('a word that is taken back ends the serving at once, but not where DNS proves the domain too', async () => {
  const { mine } = await plantBoth({ owned: 'granted', granted_at: 1, allowed: true });
  await vouch(mine, false);
  expect(await row(mine)).toMatchObject({
    ...{ granted_at: null, owned: 'missing', allowed: false, holds: true },
    unserved_at: expect.any(Number),
  });
  const proven = await plantBoth({ owned: 'txt', granted_at: 1, allowed: true });
  await vouch(proven.mine, false);
  expect(await row(proven.mine)).toMatchObject({ granted_at: null, owned: 'txt', allowed: true });
});

it('a proof in DNS wins over the owner’s word', async () => {
  const { domain, mine, other } = await plantBoth({ owned: 'txt', allowed: true });
  const refused = await vouch(other, true);
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({ message: `Another account proved ${domain} in DNS, and keeps it.` });
  expect(await row(mine)).toMatchObject({ holds: true, allowed: true });
  expect(await row(other)).toMatchObject({ holds: false, granted_at: null });
});

it('an account with many domains hides no other account’s, and those that the owner vouched for are all listed', async () => {
  const mia = await api.signUp('mia');
  for (let index = 0; index < 45; index += 1)
    await plantProxy(api.store.db, mia.userId, { created_at: index, granted_at: index < 22 ? 1 : null });
  const claims = bodyOf<DomainClaim[]>(await owner.call('GET /api/proxies/claims'), 200);
  const of = (person: TestPerson) => claims.filter(({ email }) => email === person.email);
  expect(of(mia).filter(({ vouchedAt }) => vouchedAt === null)).toHaveLength(20);
  expect(of(mia).filter(({ vouchedAt }) => vouchedAt !== null)).toHaveLength(22);
  expect(of(eve).length).toBeGreaterThan(0);
});
