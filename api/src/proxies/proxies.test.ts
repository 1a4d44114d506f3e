import { messages } from '@homeport/contract/messages';
import { proxyLimits, zoneProvesMs } from '@homeport/contract/proxies/facts';
import type { ProxyRecord, ProxySummary } from '@homeport/contract/proxies/schema';
import { claimDomains, keepDomainCheck } from '@homeport/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { plantProxy, randomName } from '../testing/plant.ts';

let api: TestApi;
let ada: TestPerson;
let eve: TestPerson;
/** The TXT records that DNS has. */
const txt = new Map<string, string[]>();
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' }, { readTxt: async (name) => txt.get(name) ?? [] });
  ada = await api.signUp('ada');
  eve = await api.signUp('eve');
});
afterAll(() => api[Symbol.asyncDispose]());

const freshDomain = () => `${randomName()}.example.com`;
const add = async (person: TestPerson, body: object = {}): Promise<ProxyRecord> =>
  bodyOf<ProxyRecord>(
    await person.call('POST /api/proxies', { domain: freshDomain(), source: 'www.example.net', ...body }),
    201,
  );
const blog = { path: '/blog', type: 'subdirectory', target: 'https://blog.example.net' };
const addRule = async (proxy: ProxyRecord, rule: object = blog): Promise<ProxyRecord> =>
  bodyOf<ProxyRecord>(
    await ada.call(`POST /api/proxies/${proxy.id}/rules`, { version: proxy.version, ...rule }),
    201,
  );
const pathsOf = (proxy: ProxyRecord) => proxy.rules.map(({ path }) => path);

describe('a new proxy', () => {
  it('is named after its domain, and gets https where no scheme was typed', async () => {
    const domain = freshDomain();
    expect(await add(ada, { domain, subdomain: 'www' })).toMatchObject({
      name: `www.${domain}`,
      domain: `www.${domain}`,
      subdomain: 'www',
      source: 'https://www.example.net',
      rules: [],
      standing: {
        state: 'waiting',
        wanted: [
          { type: 'CNAME', name: `www.${domain}`, content: 'proxy.homeport.example' },
          {
            type: 'TXT',
            name: `_homeport.www.${domain}`,
            content: expect.stringMatching(/^homeport-\w{32}$/),
          },
        ],
      },
    });
    expect(await add(ada, { name: 'Shop' })).toMatchObject({ name: 'Shop', subdomain: null });
  });

  it('is refused without a domain or a website, and nothing is added', async () => {
    const count = async () => bodyOf<ProxySummary[]>(await ada.call('GET /api/proxies'), 200).length;
    const before = await count();
    for (const body of [{ domain: freshDomain() }, { source: 'https://a.test' }, {}])
      expect((await ada.call('POST /api/proxies', body)).status).toBe(400);
    expect(await count()).toBe(before);
  });

  it.each(['ftp://a.example.net', 'https://me:secret@a.example.net', 'https://a.example.net/?q', 'https://'])(
    'refuses %s as a website, beside its field',
    async (source) => {
      const { status, body } = await ada.call('POST /api/proxies', { domain: freshDomain(), source });
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { fields: { source: expect.any(String) } },
      });
    },
  );

  it('is refused for a domain that the person has in another proxy', async () => {
    const { domain } = await add(ada);
    const again = await ada.call('POST /api/proxies', { domain, source: 'https://a.example.net' });
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'conflict', fields: { domain: expect.any(String) } },
    });
  });

  it('does not take a domain away from another person, nor after that person deleted it', async () => {
    const first = await add(ada);
    const second = await add(eve, { domain: first.domain });
    expect(second.standing).toMatchObject({
      ownedBy: null,
      reason: expect.stringContaining('has or lately had'),
    });
    bodyOf(await ada.call(`POST /api/proxies/${first.id}/delete`, { confirmation: 'delete' }), 200);
    bodyOf(await eve.call(`POST /api/proxies/${second.id}/delete`, { confirmation: 'delete' }), 200);
    const { rows } = await api.store.pool.query('select holds from proxies where id = $1', [
      (await add(eve, { domain: first.domain })).id,
    ]);
    expect(rows).toEqual([{ holds: false }]);
  });
});

describe('the page hears of DNS', () => {
  const reasonWith = async (pointing: 'partly' | 'no', found: object) => {
    const { id } = await plantProxy(api.store.db, ada.userId, {
      ...{ domain: 'reasons.example.com', pointing, found: JSON.stringify(found) },
    });
    const { standing } = bodyOf<ProxyRecord>(await ada.call(`GET /api/proxies/${id}`), 200);
    bodyOf(await ada.call(`POST /api/proxies/${id}/delete`, { confirmation: 'delete' }), 200);
    return standing.reason;
  };

  it('where the domain leads instead, and which names got no answer', async () => {
    expect(await reasonWith('partly', { stray: ['198.51.100.7'] })).toContain('lead elsewhere: 198.51.100.7');
    expect(await reasonWith('no', { cnames: ['old.example.net'] })).toContain('leads to old.example.net');
    expect(await reasonWith('no', { addresses: ['192.0.2.1', '192.0.2.2'] })).toContain(
      '192.0.2.1, 192.0.2.2',
    );
    expect(await reasonWith('no', { unanswered: ['reasons.example.com'] })).toContain('did not answer');
    expect(await reasonWith('no', {})).toBeNull();
  });
});

describe('a rule', () => {
  it('is kept in its normal form; an empty destination of a rewrite becomes /', async () => {
    const proxy = await addRule(await add(ada), {
      ...{ path: ' /docs/* ', type: 'simple', target: 'docs.example.net/', pathRewriteSrc: '/docs' },
    });
    expect(proxy.rules).toMatchObject([
      { path: '/docs', target: 'https://docs.example.net', pathRewriteSrc: '/docs', pathRewriteDest: '/' },
    ]);
  });

  it('of type subdirectory cannot have the path /', async () => {
    const proxy = await add(ada);
    const answer = await ada.call(`POST /api/proxies/${proxy.id}/rules`, {
      ...{ version: proxy.version, ...blog, path: '/' },
    });
    expect(answer).toMatchObject({ status: 400, body: { fields: { path: messages.subdirectoryOfAll } } });
  });

  it.each([
    ['path', 'blog'],
    ['path', '/a?b'],
    ['target', 'javascript:alert(1)'],
    ['target', 'https://x.example.net:22'],
    ['xForwardedHost', 'a b'],
    ['proxyPathPrefix', '/a?b'],
    ['pathRewriteSrc', '^/(?=a)'],
  ])('with the %s %s is refused beside its field', async (field, value) => {
    const proxy = await add(ada);
    const answer = await ada.call(`POST /api/proxies/${proxy.id}/rules`, {
      ...{ version: proxy.version, ...blog, [field]: value },
    });
    expect(answer).toMatchObject({ status: 400, body: { fields: { [field]: expect.any(String) } } });
  });

  it('is replaced in its place, moved within the bounds, and deleted', async () => {
    let proxy = await add(ada);
    for (const path of ['/a', '/b', '/c']) proxy = await addRule(proxy, { ...blog, path });
    const [first] = proxy.rules;
    const at = `/api/proxies/${proxy.id}/rules/${first?.id}`;
    const moved = await ada.call(`POST ${at}/move`, { version: proxy.version, to: 999 });
    proxy = bodyOf<ProxyRecord>(moved, 200);
    expect(pathsOf(proxy)).toEqual(['/b', '/c', '/a']);
    proxy = bodyOf<ProxyRecord>(
      await ada.call(`PUT ${at}`, { version: proxy.version, ...blog, path: '/d' }),
      200,
    );
    expect(pathsOf(proxy)).toEqual(['/b', '/c', '/d']);
    proxy = bodyOf<ProxyRecord>(await ada.call(`POST ${at}/delete`, { version: proxy.version }), 200);
    expect(pathsOf(proxy)).toEqual(['/b', '/c']);
    expect((await ada.call(`POST ${at}/delete`, { version: proxy.version })).status).toBe(404);
  });

  it('may have 64 KiB of HTML, and no more', async () => {
    const proxy = await add(ada);
    const of = (injection: string) => ({ version: proxy.version, ...blog, injection });
    const tooLong = await ada.call(`POST /api/proxies/${proxy.id}/rules`, of('é'.repeat(40_000)));
    expect(tooLong).toMatchObject({ status: 400, body: { fields: { injection: 'Use at most 64 KiB.' } } });
    const quotes = await ada.call(`POST /api/proxies/${proxy.id}/rules`, of('"'.repeat(65_536)));
    expect(quotes.status).toBe(201);
  });
});

describe('an edit', () => {
  it('of an old version is refused with the proxy as it is now', async () => {
    const proxy = await add(ada);
    const edits = await Promise.all(
      ['quay', 'pier', 'mole'].map((name) =>
        ada.call(`PATCH /api/proxies/${proxy.id}`, { version: proxy.version, name }),
      ),
    );
    expect(edits.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const stale = edits.find(({ status }) => status === 409);
    expect(stale?.body).toMatchObject({ code: 'stale_edit', current: { id: proxy.id } });
  });

  it('of the domain needs a proof that the domain is the person’s', async () => {
    const proxy = await add(ada);
    const domain = freshDomain();
    const edit = () => ada.call(`PATCH /api/proxies/${proxy.id}`, { version: proxy.version, domain });
    expect(await edit()).toMatchObject({
      status: 400,
      body: { fields: { domain: messages.domainNotOwned } },
    });
    txt.set(`_homeport.${domain}`, ['another text', proxy.proof]);
    expect(bodyOf<ProxyRecord>(await edit(), 200)).toMatchObject({ domain, standing: { state: 'waiting' } });
  });

  it('of the domain drops the result of a check that began before', async () => {
    const { pool } = api.store;
    const proxy = await add(ada);
    const claimed = (await claimDomains(pool, { now: Date.now(), endsAt: Date.now(), atMost: 100 })).find(
      ({ id }) => id === proxy.id,
    );
    if (!claimed) throw new Error('A new proxy is not due.');
    const domain = freshDomain();
    txt.set(`_homeport.${domain}`, [proxy.proof]);
    const answer = await ada.call(`PATCH /api/proxies/${proxy.id}`, { version: proxy.version, domain });
    expect(answer.status).toBe(200);
    await keepDomainCheck(pool, {
      ...{ id: proxy.id, checkVersion: claimed.checkVersion, owned: 'txt', pointing: 'yes', found: {} },
      ...{ allowed: true, failures: 0, failingSince: null, checkedAt: 1, dueAt: 2 },
      certificate: null,
    });
    const now = bodyOf<ProxyRecord>(await ada.call(`GET /api/proxies/${proxy.id}`), 200);
    expect(now).toMatchObject({ domain, standing: { state: 'waiting', pointing: null, lookedAt: null } });
  });

  it('of the domain needs no other proof inside an active zone of the person', async () => {
    const zone = freshDomain();
    const { db } = api.store;
    const account = await db
      .insertInto('linked_accounts')
      .values({
        ...{ owner_id: ada.userId, service: 'cloudflare', kind: 'token', sealed: Buffer.alloc(40) },
        ...{ last_four: 'abcd', linked_at: 1, checked_at: Date.now() },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const plantZone = (id: string, name: string, status: string) =>
      db
        .insertInto('zones')
        .values({
          ...{ account_id: account.id, owner_id: ada.userId, id: id.repeat(32), name, status },
          ...{ type: 'full', paused: false, created_at: 1 },
        })
        .execute();
    await plantZone('a', zone, 'active');
    const pending = freshDomain();
    await plantZone('b', pending, 'pending');
    const proxy = await add(ada);
    const edit = (domain: string) =>
      ada.call(`PATCH /api/proxies/${proxy.id}`, { version: proxy.version, domain });
    expect((await edit(`www.${pending}`)).status).toBe(400);
    expect((await edit(`not${zone}`)).status).toBe(400);
    const readAt = (checked_at: number) =>
      db.updateTable('linked_accounts').set({ checked_at }).where('id', '=', account.id).execute();
    await readAt(Date.now() - zoneProvesMs);
    expect((await edit(`www.${zone}`)).status).toBe(400);
    await readAt(Date.now());
    expect(bodyOf<ProxyRecord>(await edit(`www.${zone}`), 200).domain).toBe(`www.${zone}`);
  });

  it('of the domain to a subdomain of a proven one needs no other proof', async () => {
    const { id, version, domain } = await plantProxy(api.store.db, ada.userId, {
      owned: 'txt',
      pointing: 'yes',
    });
    const answer = await ada.call(`PATCH /api/proxies/${id}`, { version, domain: `shop.${domain}` });
    expect(bodyOf<ProxyRecord>(answer, 200).domain).toBe(`shop.${domain}`);
  });

  it('that makes a rule lead to the proxy itself is refused', async () => {
    const { domain } = await plantProxy(api.store.db, ada.userId, { owned: 'txt' });
    const proxy = await addRule(await add(ada), {
      ...{ path: '/x', type: 'simple', target: `https://sub.${domain}` },
    });
    const answer = await ada.call(`PATCH /api/proxies/${proxy.id}`, {
      ...{ version: proxy.version, domain: `sub.${domain}` },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { fields: { domain: expect.stringMatching(/^Rule 1: /) } },
    });
  });
});

describe('saved URLs', () => {
  it('refuse a change that answers one otherwise, until the new answers are wanted', async () => {
    let proxy = await addRule(await add(ada));
    const saved = await ada.call(`PUT /api/proxies/${proxy.id}/tests`, {
      ...{ version: proxy.version, urls: ['/blog/x', '/about', '/blog/x'] },
    });
    proxy = bodyOf<ProxyRecord>(saved, 200);
    const [rule] = proxy.rules;
    expect(proxy.tests).toEqual([
      { url: '/blog/x', takenBy: rule?.id, gets: 'https://blog.example.net/x' },
      { url: '/about', takenBy: 'source', gets: 'https://www.example.net/about' },
    ]);

    const change = { version: proxy.version, ...blog, path: '/journal' };
    const at = `PUT /api/proxies/${proxy.id}/rules/${rule?.id}`;
    const refused = await ada.call(at, change);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'conflict',
        fields: {
          'tests.0':
            '/blog/x was answered by rule 1 with https://blog.example.net/x, and would be by the current website with https://www.example.net/blog/x.',
        },
      },
    });
    expect(bodyOf<ProxyRecord>(await ada.call(`GET /api/proxies/${proxy.id}`), 200)).toEqual(proxy);
    const kept = bodyOf<ProxyRecord>(await ada.call(at, { ...change, newAnswers: 'save' }), 200);
    expect(kept.tests[0]).toMatchObject({ takenBy: 'source' });
    const other = { version: kept.version, ...blog, path: '/shop' };
    expect((await ada.call(`POST /api/proxies/${proxy.id}/rules`, other)).status).toBe(201);
  });
});

it('a purge names the http and the https form, of the whole domain or of one path', async () => {
  const { id, domain } = await plantProxy(api.store.db, ada.userId, { allowed: true });
  expect((await ada.call(`POST /api/proxies/${id}/purge`, {})).body).toEqual({
    purged: [`http://${domain}/`, `https://${domain}/`],
  });
  expect((await ada.call(`POST /api/proxies/${id}/purge`, { path: '/blog/' })).body).toEqual({
    purged: [`http://${domain}/blog/`, `https://${domain}/blog/`],
  });
  expect((await ada.call(`POST /api/proxies/${id}/purge`, { path: 'blog' })).status).toBe(400);
  expect(await purgesOf(domain)).toHaveLength(4);
});

const purgesOf = async (domain: string): Promise<string[]> => {
  const { rows } = await api.store.pool.query<{ starts_with: string }>(
    `select starts_with from purges where starts_with like '%//' || $1 || '/%'`,
    [domain],
  );
  return rows.map(({ starts_with }) => starts_with);
};

it('a purge is refused for a domain that the proxy has not proven, or that is another account’s', async () => {
  const { domain } = await plantProxy(api.store.db, ada.userId, { allowed: true });
  const evil = await add(eve, { domain });
  const unproven = await add(eve);
  const given = await plantProxy(api.store.db, eve.userId, { holds: false, allowed: true });
  for (const one of [evil, unproven, given]) {
    expect(await eve.call(`POST /api/proxies/${one.id}/purge`, {})).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: expect.stringContaining(`does not serve ${one.domain}`) },
    });
    expect(await purgesOf(one.domain)).toEqual([]);
  }
});

it('a proxy is purged a few times a minute, however many ask at once, and another one all the same', async () => {
  const [one, other] = await Promise.all([
    plantProxy(api.store.db, ada.userId, { allowed: true }),
    plantProxy(api.store.db, ada.userId, { allowed: true }),
  ]);
  const purge = ({ id }: { id: string }) => ada.call(`POST /api/proxies/${id}/purge`, {});
  const answers = await Promise.all(
    Array.from({ length: proxyLimits.purgesPerMinute + 3 }, () => purge(one)),
  );
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([
    ...Array.from({ length: proxyLimits.purgesPerMinute }, () => 200),
    429,
    429,
    429,
  ]);
  expect(answers.find(({ status }) => status === 429)?.body).toMatchObject({
    message: `A proxy’s cache is purged at most ${proxyLimits.purgesPerMinute} times a minute.`,
    retryAfterSeconds: expect.any(Number),
  });
  expect(await purgesOf(one.domain)).toHaveLength(2 * proxyLimits.purgesPerMinute);
  expect((await purge(other)).status).toBe(200);
  // The oldest of the minute is over.
  await api.store.pool.query(
    'update purges set created_at = created_at - 60000 where version in (select min(version) from purges where proxy_id = $1 group by starts_with)',
    [one.id],
  );
  expect([(await purge(one)).status, (await purge(one)).status]).toEqual([200, 429]);
});

it('a check of the domain is no edit: who began before it saves after it', async () => {
  const proxy = await add(ada);
  const pool = api.store.pool;
  const [claimed] = (
    await claimDomains(pool, { now: Date.now() + 1e9, endsAt: Date.now() + 2e9, atMost: 1_000 })
  ).filter(({ id }) => id === proxy.id);
  await keepDomainCheck(pool, {
    ...{ id: proxy.id, checkVersion: claimed?.checkVersion ?? 0, owned: 'txt', pointing: 'yes', found: {} },
    ...{ allowed: true, failures: 0, failingSince: null, certificate: null },
    ...{ checkedAt: Date.now(), dueAt: Date.now() + 3e9 },
  });
  const read = async () => bodyOf<ProxyRecord>(await ada.call(`GET /api/proxies/${proxy.id}`), 200);
  expect(await read()).toMatchObject({ version: proxy.version, standing: { state: 'serving' } });
  const versionOfPlanes = async () =>
    (await pool.query<{ version: number }>('select version from proxies where id = $1', [proxy.id])).rows[0]
      ?.version ?? 0;
  const before = await versionOfPlanes();
  const edited = await addRule(proxy);
  expect(edited.version).toBe(proxy.version + 1);
  expect(await versionOfPlanes()).toBeGreaterThan(before);
  // A second edit on the first version is stale, as ever.
  const again = await ada.call(`POST /api/proxies/${proxy.id}/rules`, { version: proxy.version, ...blog });
  expect(again).toMatchObject({ status: 409, body: { code: 'stale_edit' } });
});

it('figures are those of the asked horizon', async () => {
  const { id } = await add(ada);
  const minute = Date.now() - (Date.now() % 60_000);
  const { addProxyUse } = await import('@homeport/store');
  const counts = { requests: 3, errors: 1, hits: 1, bytes: 4_096, latencyMs: 30, latencyMaxMs: 20 };
  await addProxyUse(api.store.pool, [{ proxyId: id, rule: 'source', at: minute, ...counts }]);
  const all = await ada.call(`GET /api/proxies/${id}/use`);
  expect(all.body).toEqual([{ rule: 'source', at: minute, ...counts }]);
  const hourly = await ada.call(`GET /api/proxies/${id}/use?horizon=hourly`);
  expect(hourly.body).toEqual([{ rule: 'source', at: minute - (minute % 3_600_000), ...counts }]);
});
