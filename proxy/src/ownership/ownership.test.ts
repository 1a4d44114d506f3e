import { notify, readSiteChanges } from '@homeport/store';
import { type TestDatabase, testDatabase } from '@homeport/store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planeLimits } from '../limits.ts';
import { startPlane } from '../testing/start-plane.ts';
import { createGate } from '../upstream/gate.ts';
import { createPools } from '../upstream/pools.ts';
import { askArrival } from './ask-arrival.ts';
import { checkDomain, type DomainCheckParts } from './check-domain.ts';
import { beginDueChecks, startDomainChecks } from './check-domains.ts';
import { judgeDomain } from './judge-domain.ts';
import type { LookUp } from './look-up.ts';

type Zone = {
  cname?: Record<string, string>;
  addresses?: Record<string, string[]>;
  txt?: Record<string, string[]>;
};

/** DNS as the test writes it. A name in `silent` gets no answer. */
function dnsOf(zone: Zone, silent: readonly string[] = []): LookUp {
  const answer = async (name: string, found: string[]) => {
    if (silent.includes(name)) throw new Error('ETIMEOUT');
    return found;
  };
  return {
    cname: (name) => answer(name, zone.cname?.[name] ? [zone.cname[name]] : []),
    addresses: (name) => answer(name, zone.addresses?.[name] ?? []),
    txt: (name) => answer(name, zone.txt?.[name] ?? []),
  };
}

const host = { 'proxy.test': ['192.0.2.1', '2001:db8::1'] };
const asked = { domain: 'a.test', proof: 'token', isGranted: false, isInZone: false };
function parts(dns: LookUp, more: Partial<DomainCheckParts> = {}): DomainCheckParts {
  return {
    dns,
    proxyName: 'proxy.test',
    isLocal: false,
    arrives: async () => false,
    readCertificate: async () => null,
    ...more,
  };
}
const check = (zone: Zone, more: Partial<DomainCheckParts> = {}, who: Partial<typeof asked> = {}) =>
  checkDomain(
    { ...asked, ...who },
    parts(dnsOf({ ...zone, addresses: { ...host, ...zone.addresses } }), more),
  );

describe('a domain points here', () => {
  it('by a chain of CNAMEs that reaches the proxy host', async () => {
    const cname = { 'a.test': 'B.test.', 'b.test': 'proxy.test' };
    expect(await check({ cname })).toMatchObject({
      pointing: 'yes',
      found: { way: 'cname', cnames: ['b.test', 'proxy.test'] },
    });
  });

  it('by the addresses of the proxy host, and only partly with a stray one', async () => {
    expect(await check({ addresses: { 'a.test': ['192.0.2.1'] } })).toMatchObject({
      pointing: 'yes',
      found: { way: 'addresses' },
    });
    const partly = await check({ addresses: { 'a.test': ['192.0.2.1', '198.51.100.7'] } });
    expect(partly).toMatchObject({ pointing: 'partly', found: { stray: ['198.51.100.7'] } });
  });

  it('behind other addresses, when a request for it arrives here', async () => {
    const zone = { addresses: { 'a.test': ['198.51.100.7'] } };
    expect(await check(zone)).toMatchObject({ pointing: 'no' });
    expect(await check(zone, { arrives: async () => true })).toMatchObject({
      pointing: 'yes',
      found: { way: 'asked' },
    });
  });

  it('not by a circle of CNAMEs', async () => {
    const cname = { 'a.test': 'b.test', 'b.test': 'a.test' };
    expect(await check({ cname })).toMatchObject({ pointing: 'no' });
  });

  it('on this machine alone, when it is under localhost', async () => {
    const who = { domain: 'merged.localhost' };
    expect(await check({}, { isLocal: true }, who)).toMatchObject({ pointing: 'yes', owned: 'granted' });
    expect(await check({}, {}, who)).toMatchObject({ pointing: 'no', owned: 'missing' });
  });
});

describe('a domain is owned', () => {
  it('by a zone, a TXT record with this proxy’s token, or the word of the console’s owner', async () => {
    expect(await check({})).toMatchObject({ owned: 'missing' });
    expect(await check({ txt: { '_homeport.a.test': ['other', 'token'] } })).toMatchObject({ owned: 'txt' });
    expect(await check({}, {}, { isInZone: true })).toMatchObject({ owned: 'zone' });
    const both = { '_homeport.a.test': ['token'] };
    expect(await check({ txt: both }, {}, { isInZone: true })).toMatchObject({ owned: 'txt' });
    expect(await check({}, {}, { isGranted: true })).toMatchObject({ owned: 'granted' });
  });

  it('not by a shared CNAME: everybody may have that one', async () => {
    expect(await check({ cname: { 'a.test': 'proxy.test' } })).toMatchObject({
      pointing: 'yes',
      owned: 'missing',
    });
  });

  it('as far as DNS answers, and the page hears which name did not', async () => {
    const found = await checkDomain(asked, parts(dnsOf({ addresses: host }, ['_homeport.a.test'])));
    expect(found).toMatchObject({ owned: 'missing', found: { unanswered: ['_homeport.a.test'] } });
  });
});

describe('the time of the next check', () => {
  const hour = 3_600_000;
  const waiting = { allowed: false, createdAt: 0, failures: 0, failingSince: null };
  const bad = { owned: 'txt', pointing: 'no' } as const;
  const good = { owned: 'txt', pointing: 'yes' } as const;
  const judge = (
    state: typeof waiting | Parameters<typeof judgeDomain>[0],
    finding: typeof bad | typeof good,
    now: number,
  ) => judgeDomain(state, finding, now, 0.5);

  it('comes soon at first, then every ten minutes, and hourly after two days', () => {
    const waits: number[] = [];
    let state: Parameters<typeof judgeDomain>[0] = waiting;
    for (let step = 0; step < 8; step += 1) {
      const verdict = judge(state, bad, 1_000);
      waits.push((verdict.dueAt - 1_000) / 1_000);
      state = { ...state, ...verdict };
    }
    expect(waits).toEqual([5, 15, 30, 60, 120, 300, 600, 600]);
    expect(judge(state, bad, 49 * hour).dueAt).toBe(50 * hour);
  });

  it('comes hourly once the domain is allowed', () => {
    expect(judge(waiting, good, 0)).toEqual({ allowed: true, failures: 0, failingSince: null, dueAt: hour });
  });

  it('finds a domain served for 72 hours of failing checks, and then no more', () => {
    const allowed = { ...waiting, allowed: true };
    const first = judge(allowed, bad, 0);
    expect(first).toMatchObject({ allowed: true, failures: 1, failingSince: 0 });
    expect(judge({ ...allowed, ...first }, bad, 71 * hour).allowed).toBe(true);
    expect(judge({ ...allowed, ...first }, bad, 72 * hour).allowed).toBe(false);
    expect(judge({ ...allowed, ...first }, good, 71 * hour)).toMatchObject({
      failures: 0,
      failingSince: null,
    });
  });
});

describe('the proof of arrival', () => {
  it('is given by a plane of this console, for every domain, and by nobody else', async () => {
    const plane = await startPlane();
    const gate = createGate(
      { allowPrivate: ['127.0.0.0/8'], own: { ports: [], names: [] } },
      // Every name of this test is this machine.
      (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    );
    const pools = createPools(gate, planeLimits);
    expect(await askArrival(pools, Buffer.alloc(32, 7), plane.port)('unknown.test')).toBe(true);
    expect(await askArrival(pools, Buffer.alloc(32, 8), plane.port)('unknown.test')).toBe(false);
    await pools.close();
    await plane.close();
    expect(await askArrival(pools, Buffer.alloc(32, 7), 1)('unknown.test')).toBe(false);
  });
});

describe('two accounts with one domain', () => {
  let database: TestDatabase;
  let clock = 1_000_000;
  const txt: Record<string, string[]> = {};
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.close());

  async function plant(name: string, domain: string, holds: boolean): Promise<string> {
    const { db } = database.store;
    const user = await db
      .insertInto('auth.user')
      .values({ name, email: `${name}@example.test`, emailVerified: true, image: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id } = await db
      .insertInto('proxies')
      .values({
        owner_id: user.id,
        name,
        domain,
        source: 'https://s.test',
        created_at: clock,
        proof: `proof-${name}`,
        holds,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }
  const row = (id: string) =>
    database.store.db.selectFrom('proxies').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  async function checkAll(times = 1): Promise<void> {
    const names = ['shared.test', 'dangling.test', 'told.test', 'granted.test', 'sold.test', 'left.test'];
    const dns = dnsOf({ cname: Object.fromEntries(names.map((name) => [name, 'proxy.test'])), txt });
    for (let left = times; left > 0; left -= 1) {
      clock += 2 * 3_600_000;
      const checking = { store: database.store, parts: parts(dns), clock: () => clock };
      await Promise.all((await beginDueChecks(checking)).map(({ ended }) => ended));
    }
  }

  it('are told apart by the proof, and the name changes hands only when its holder’s proof is gone', async () => {
    const ada = await plant('ada', 'shared.test', true);
    const eve = await plant('eve', 'shared.test', false);
    await checkAll();
    expect(await row(ada)).toMatchObject({ allowed: false, owned: 'missing', pointing: 'yes' });
    txt['_homeport.shared.test'] = ['proof-ada'];
    await checkAll();
    expect([(await row(ada)).allowed, (await row(eve)).allowed]).toEqual([true, false]);
    txt['_homeport.shared.test'] = ['proof-ada', 'proof-eve'];
    await checkAll(4);
    expect([(await row(ada)).allowed, (await row(eve)).holds]).toEqual([true, false]);
    txt['_homeport.shared.test'] = ['proof-eve'];
    await checkAll(4);
    expect(await row(ada)).toMatchObject({ holds: false, allowed: false, unserved_at: expect.any(Number) });
    expect(await row(eve)).toMatchObject({ holds: true, allowed: true });
  });

  it('do not wait for one another, although the name server of somebody’s many domains does not answer', async () => {
    let answer: (records: string[]) => void = () => undefined;
    const silent = new Promise<string[]>((resolve) => {
      answer = resolve;
    });
    const asked: string[] = [];
    const dns = dnsOf({});
    const checks = startDomainChecks({
      store: () => database.store,
      parts: parts(
        {
          ...dns,
          txt: (name) => {
            asked.push(name);
            return name.includes('silent') ? silent : dns.txt(name);
          },
        },
        { isLocal: true },
      ),
      clock: () => clock,
      report: (error) => {
        throw error;
      },
    });
    try {
      const { owner_id, name, source, proof, created_at } = await row(
        await plant('sil', 'silent.test', false),
      );
      const more = Array.from({ length: 40 }, (_, n) => ({
        owner_id,
        name,
        source,
        proof,
        created_at,
        domain: `silent-${n}.test`,
      }));
      await database.store.db.insertInto('proxies').values(more).execute();
      await expect.poll(() => asked.filter((name) => name.includes('silent'))).toHaveLength(5);
      const quick = await plant('qui', 'quick.localhost', false);
      await expect.poll(async () => (await row(quick)).allowed).toBe(true);
    } finally {
      answer([]);
      await checks.stop();
    }
  });

  it('cannot take a name over by a CNAME that was left behind', async () => {
    const ada = await plant('ann', 'dangling.test', true);
    txt['_homeport.dangling.test'] = ['proof-ann'];
    await checkAll();
    expect((await row(ada)).allowed).toBe(true);
    await database.store.db.deleteFrom('proxies').where('id', '=', ada).execute();
    delete txt['_homeport.dangling.test'];
    const eve = await plant('eva', 'dangling.test', false);
    await checkAll(3);
    expect(await row(eve)).toMatchObject({ holds: false, allowed: false, pointing: 'yes' });
    txt['_homeport.dangling.test'] = ['proof-eva'];
    await checkAll();
    expect(await row(eve)).toMatchObject({ holds: true, allowed: true });
  });

  /** Links an account of Cloudflare whose zones were read now. */
  async function linkZone(proxyId: string, name: string): Promise<void> {
    const { owner_id } = await row(proxyId);
    const { id } = await database.store.db
      .insertInto('linked_accounts')
      .values({
        ...{ owner_id, service: 'cloudflare', kind: 'token', sealed: Buffer.alloc(40) },
        ...{ last_four: 'abcd', linked_at: clock, checked_at: clock },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await database.store.db
      .insertInto('zones')
      .values({
        ...{ account_id: id, owner_id, id: 'a'.repeat(32), name, status: 'active' },
        ...{ type: 'full', paused: false, created_at: 1 },
      })
      .execute();
  }

  it('know a zone that was read days ago for no proof, and the domain goes to somebody who proves it', async () => {
    const seller = await plant('sam', 'left.test', true);
    await linkZone(seller, 'left.test');
    await checkAll(35);
    expect(await row(seller)).toMatchObject({ owned: 'zone', allowed: true, failures: 0 });
    await checkAll();
    expect(await row(seller)).toMatchObject({ owned: 'missing', allowed: true, failures: 1 });
    const buyer = await plant('bea', 'left.test', false);
    await linkZone(buyer, 'left.test');
    // The seller's proof has to fail three times.
    await checkAll(3);
    expect(await row(seller)).toMatchObject({ holds: false, allowed: false });
    expect(await row(buyer)).toMatchObject({ holds: true, allowed: true, owned: 'zone' });
  });

  it('know a TXT record for newer than a zone: the name goes to who shows it, and does not come back by the zone', async () => {
    const seller = await plant('sid', 'sold.test', true);
    await linkZone(seller, 'sold.test');
    const buyer = await plant('bob', 'sold.test', false);
    await checkAll();
    expect([(await row(seller)).allowed, (await row(buyer)).allowed]).toEqual([true, false]);
    txt['_homeport.sold.test'] = ['proof-bob'];
    await checkAll();
    expect(await row(buyer)).toMatchObject({ holds: true, allowed: true, owned: 'txt' });
    await checkAll(3);
    expect(await row(seller)).toMatchObject({ holds: false, allowed: false });
    expect(await row(buyer)).toMatchObject({ holds: true, allowed: true });
  });

  it('lose a domain 72 hours after its proof vanished, and have it again with the proof', async () => {
    const ida = await plant('ida', 'granted.test', true);
    const change = (granted_at: number | null) =>
      database.store.db.updateTable('proxies').set({ granted_at }).where('id', '=', ida).execute();
    await change(1);
    await checkAll();
    expect(await row(ida)).toMatchObject({ allowed: true, owned: 'granted' });
    await change(null);
    await checkAll(36);
    expect(await row(ida)).toMatchObject({ allowed: true, owned: 'missing', unserved_at: null });
    await checkAll();
    expect(await row(ida)).toMatchObject({ allowed: false, holds: true, unserved_at: clock });
    const { sites } = await readSiteChanges(database.store.pool, (await row(ida)).version - 1);
    expect(sites).toMatchObject([{ id: ida, served: false }]);
    txt['_homeport.granted.test'] = ['proof-ida'];
    await checkAll();
    expect(await row(ida)).toMatchObject({ allowed: true, owned: 'txt', unserved_at: null });
  });

  it('hear of a check that found something new, and of no other one', async () => {
    const heard: string[] = [];
    await database.store.listener.on('changed', ({ topic, id }) => {
      if (topic === 'proxies' || topic === 'servers') heard.push(id ?? '');
    });
    const own = await plant('pia', 'told.test', true);
    const other = await plant('pat', 'told.test', false);
    /** A message of our own ends the wait for the others: notifications arrive in their order. */
    const told = async (id: string) => {
      const end = crypto.randomUUID();
      await notify(database.store.db, 'changed', { owner: 'nobody', topic: 'servers', id: end });
      await expect.poll(() => heard.includes(end)).toBe(true);
      return heard.splice(0).filter((each) => each === id).length;
    };
    await checkAll();
    expect(await told(own)).toBe(1);
    await checkAll();
    expect(await told(own)).toBe(0);
    txt['_homeport.told.test'] = ['proof-pia'];
    await checkAll();
    expect(await told(own)).toBe(1);
    txt['_homeport.told.test'] = ['proof-pat'];
    // The two accounts are checked at the same time, so the domain goes over in one round or in the next one.
    await checkAll(5);
    expect(await row(other)).toMatchObject({ holds: true });
    // The proof is gone, then it was gone for an hour, and then the domain went to the other account.
    expect(await told(own)).toBe(3);
  });
});
