import { servedThoughFailingMs } from '@homeport/contract/proxies/facts';
import { expect, it } from 'vitest';
import { claimDomains, type DomainOutcome, keepDomainCheck } from '../proxies/domain-checks.ts';
import { addProxyUse } from '../proxies/use.ts';
import { testDatabase } from '../testing.ts';
import { muteNotices } from './mute-notices.ts';
import { raiseProxyNews } from './raise-proxy-news.ts';
import { judgeWebsites } from './watch-websites.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A served proxy of one person, whose time a test makes pass. */
async function startServed() {
  const database = await testDatabase();
  const { db, pool } = database.store;
  const clock = { now: Date.UTC(2026, 5, 15, 12, 30) };
  const { id: owner } = await db
    .insertInto('auth.user')
    .values({ name: 'Ada', email: 'ada@example.test', emailVerified: true, image: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('proxies')
    .values({
      ...{ owner_id: owner, name: 'Quay', domain: 'quay.test', source: 'https://s.test', created_at: 1 },
      ...{ proof: 'proof', holds: true, allowed: true },
      records: JSON.stringify([{ id: 'rule-1', path: '/blog' }]),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return {
    ...{ database, db, pool, clock, id },
    look: () => raiseProxyNews(pool, clock.now),
    async visit(rule: string, requests: number, errors: number) {
      const at = clock.now - (clock.now % minute);
      const sizes = { hits: 0, bytes: 0, latencyMs: 0, latencyMaxMs: 0 };
      await addProxyUse(pool, [{ proxyId: id, rule, at, requests, errors, ...sizes }]);
    },
    /** As a plane keeps a check of the domain. */
    async check(found: Partial<DomainOutcome>) {
      await pool.query('update proxies set check_due_at = 0');
      const [claimed] = await claimDomains(pool, { now: clock.now, endsAt: clock.now, atMost: 1 });
      await keepDomainCheck(pool, {
        ...{ id, checkVersion: claimed?.checkVersion ?? 0, owned: 'txt', pointing: 'yes', found: {} },
        ...{ allowed: true, failures: 0, failingSince: null, certificate: null },
        ...{ checkedAt: clock.now, dueAt: clock.now + hour },
        ...found,
      });
    },
    /** The events in order, and how many incidents are open. */
    async told() {
      const { rows } = await pool.query<{ event: string; facts: Record<string, unknown> }>(
        'select event, facts from notices order by number',
      );
      const open = await pool.query('select from notice_threads where ended_at is null');
      return { events: rows.map(({ event }) => event), facts: rows.at(-1)?.facts, open: open.rowCount };
    },
    row: () => db.selectFrom('proxies').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

it('a website is told of as failing when half of its answers are errors, and when it works again', async () => {
  await using served = await startServed();
  await served.visit('rule-1', 4, 4);
  await served.visit('source', 100, 49);
  await served.look();
  expect(await served.told()).toMatchObject({ events: [], open: 0 });

  await served.visit('rule-1', 6, 1);
  await served.look();
  expect(await served.told()).toMatchObject({
    events: ['website.failing'],
    facts: { proxyName: 'Quay', domain: 'quay.test', path: '/blog', requests: 10, errors: 5 },
    open: 1,
  });
  expect((await served.row()).failing_rules).toMatchObject({
    'rule-1': { requests: 10, errors: 5, path: '/blog' },
  });

  served.clock.now += 10 * minute;
  await served.look();
  expect(await served.told()).toMatchObject({ events: ['website.failing'], open: 1 });
  await served.visit('rule-1', 10, 1);
  await served.look();
  expect(await served.told()).toMatchObject({
    events: ['website.failing', 'website.works-again'],
    facts: { path: '/blog' },
    open: 0,
  });
  expect((await served.row()).failing_rules).toEqual({});
});

it('a failing rule follows the path that its person gives it, and goes with the rule', async () => {
  await using served = await startServed();
  await served.visit('rule-1', 10, 10);
  await served.visit('source', 10, 10);
  await served.look();
  const rename = `update proxies set records = jsonb_set(records, '{0,path}', '"/journal"')`;
  await served.pool.query(rename);
  expect((await served.row()).failing_rules).toMatchObject({
    'rule-1': { path: '/journal' },
    source: { path: null },
  });
  await served.pool.query(`update proxies set records = '[]'`);
  expect(Object.keys((await served.row()).failing_rules)).toEqual(['source']);
});

it('a failure of a rule that is gone, or that nobody asked for in a day, ends without news', async () => {
  await using served = await startServed();
  await served.visit('rule-1', 10, 10);
  await served.visit('source', 10, 10);
  await served.look();
  expect(await served.told()).toMatchObject({ events: ['website.failing', 'website.failing'], open: 2 });
  await served.pool.query(`update proxies set records = '[]'`);
  await served.look();
  expect(await served.told()).toMatchObject({ open: 1 });
  served.clock.now += 26 * hour;
  await served.look();
  const told = await served.told();
  expect([told.events.length, told.open]).toEqual([2, 0]);
});

it('a domain that leads elsewhere is told of after an hour of failed checks, then as not served, then as in order', async () => {
  await using served = await startServed();
  const since = served.clock.now;
  const astray = { pointing: 'no', failingSince: since } as const;
  await served.check({ ...astray, failures: 1 });
  await served.look();
  served.clock.now += 40 * minute;
  await served.check({ ...astray, failures: 3 });
  await served.look();
  expect(await served.told()).toMatchObject({ events: [], open: 0 });

  served.clock.now += 20 * minute;
  await served.check({ ...astray, failures: 4 });
  await served.look();
  expect(await served.told()).toMatchObject({
    events: ['domain.astray'],
    facts: { missing: 'pointing', since, servedUntil: since + servedThoughFailingMs },
    open: 1,
  });
  served.clock.now = since + servedThoughFailingMs;
  await served.check({ ...astray, failures: 200, allowed: false });
  await served.look();
  expect(await served.told()).toMatchObject({
    events: ['domain.astray', 'domain.unserved'],
    facts: { at: served.clock.now },
    open: 1,
  });
  served.clock.now += hour;
  await served.check({});
  await served.look();
  expect((await served.row()).unserved_at).toBeNull();
  expect(await served.told()).toMatchObject({
    events: ['domain.astray', 'domain.unserved', 'domain.back'],
    open: 0,
  });
});

it('a domain that never was served is no news', async () => {
  await using served = await startServed();
  await served.pool.query('update proxies set allowed = false');
  await served.check({ allowed: false, pointing: 'no', failures: 300, failingSince: 1 });
  await served.look();
  expect(await served.told()).toMatchObject({ events: [], open: 0 });
});

it('a certificate is told of at its last days, and its renewal ends the news', async () => {
  await using served = await startServed();
  const shown = (fingerprint: string, left: number) => ({
    certificate: {
      ...{ fingerprint, validFrom: served.clock.now - 60 * day },
      validTo: served.clock.now + left,
    },
  });
  await served.check(shown('a', 15 * day));
  await served.look();
  expect(await served.told()).toMatchObject({ events: [] });
  await served.check(shown('a', 13 * day));
  await served.look();
  await served.look();
  // The front could not be asked this time: what is known stays.
  await served.check({ certificate: null });
  await served.look();
  expect(await served.told()).toMatchObject({
    events: ['proxy-certificate.ends'],
    facts: { days: 14 },
    open: 1,
  });
  await served.check(shown('b', 90 * day));
  await served.look();
  expect(await served.told()).toMatchObject({ events: ['proxy-certificate.ends'], open: 0 });
});

it('news of a proxy is not raised while its kind is switched off', async () => {
  await using served = await startServed();
  await muteNotices({ db: served.db }, { proxyId: served.id }, { kind: 'proxy.website', on: false });
  await served.visit('rule-1', 10, 10);
  await served.look();
  expect(await served.told()).toMatchObject({ events: [], open: 0 });
  await muteNotices({ db: served.db }, { proxyId: served.id }, { kind: 'proxy.website', on: true });
  await served.look();
  expect(await served.told()).toMatchObject({ events: ['website.failing'] });
});

it('a domain that is not served any more has no failing websites', () => {
  const failing = { source: { since: 1, requests: 5, errors: 5, path: null } };
  const seen = { failing, recent: null, unseen: null, paths: null };
  expect(judgeWebsites({ ...seen, served: true }, 2)).toEqual({ next: failing, recovered: [] });
  expect(judgeWebsites({ ...seen, served: false }, 2)).toEqual({ next: {}, recovered: [] });
});
