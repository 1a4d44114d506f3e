import { expect, test } from 'vitest';
import { z } from 'zod';
import { makeReport, testMonitor } from '../testing.ts';
import { watchOnce } from './start-watch.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const gib = 2 ** 30;

/** A report of a machine that runs since the year began. */
const reportAt = (ts: number, more: Record<string, unknown> = {}) =>
  makeReport(ts, { uptime: (ts - Date.UTC(2026, 0, 1)) / 1000, ...more });

type Watched = Awaited<ReturnType<typeof startWatched>>;

/** A monitor with one server, whose time a test makes pass by watching. */
async function startWatched({
  networkIsThere = () => true,
  onFailure = (...words) => expect.fail(JSON.stringify(words)),
}: {
  networkIsThere?: () => boolean;
  /** Takes what is logged of a look that failed. */
  onFailure?: (...words: unknown[]) => void;
} = {}) {
  const monitor = await testMonitor(Date.now());
  const server = await monitor.addServer('lantern');
  const { pool } = monitor.database.store;
  const look = () =>
    watchOnce({
      pool,
      network: { isThere: () => Promise.resolve(networkIsThere()) },
      log: { error: onFailure },
      clock: () => monitor.clock.now,
    });
  return {
    monitor,
    server,
    pool,
    look,
    /** Lets time pass, with a look each half minute. */
    async watch(ms: number) {
      for (const end = monitor.clock.now + ms; monitor.clock.now < end; monitor.clock.now += minute / 2)
        await look();
      await look();
    },
    async report(usedGib = 50) {
      const fs = [{ dev: '/dev/vda', mount: '/', total: 100 * gib, used: usedGib * gib }];
      const answer = await monitor.post(server.token, [reportAt(monitor.clock.now, { fs })]);
      expect(answer).toMatchObject({ status: 200, body: { accepted: 1 } });
    },
    /** What was raised, in order. */
    async events(): Promise<{ event: string; incident: string; facts: Record<string, unknown> }[]> {
      const { rows } = await pool.query(
        'select n.event, t.incident, n.facts from notices n join notice_threads t on t.id = n.thread_id order by n.number',
      );
      return rows;
    },
    [Symbol.asyncDispose]: () => monitor[Symbol.asyncDispose](),
  };
}

const names = async (watched: Watched) => (await watched.events()).map(({ event }) => event);

test('a server is told of as offline after two missed reports, and as back after two in a row', async () => {
  await using watched = await startWatched();
  const { monitor } = watched;
  await watched.report();
  const since = monitor.clock.now;
  await watched.watch(7 * minute);
  expect(await names(watched)).toEqual([]);
  await watched.watch(2 * minute);
  expect(await watched.events()).toMatchObject([
    { event: 'server.went-silent', facts: { since, serverName: expect.stringMatching(/^lantern/) } },
  ]);

  await watched.report();
  const until = monitor.clock.now;
  await watched.watch(2 * minute);
  expect(await names(watched), 'one report is no return').toHaveLength(1);
  await watched.report();
  await watched.watch(minute);
  const events = await watched.events();
  expect(events).toMatchObject([{}, { event: 'server.came-back', facts: { since, until } }]);
  expect(new Set(events.map(({ incident }) => incident)).size).toBe(1);
});

test('a server that reports once and is silent again is not back, and its silence is one incident', async () => {
  await using watched = await startWatched();
  await watched.report();
  await watched.watch(9 * minute);
  await watched.report();
  await watched.watch(10 * minute);
  await watched.report();
  await watched.watch(10 * minute);
  expect(await names(watched)).toEqual(['server.went-silent']);
});

test('silence while the console was away, or had no network, is not the server’s', async () => {
  let there = true;
  await using watched = await startWatched({ networkIsThere: () => there });
  await watched.report();
  await watched.watch(minute);
  watched.monitor.clock.now += hour;
  await watched.watch(7 * minute);
  expect(await names(watched)).toEqual([]);
  there = false;
  await watched.watch(5 * minute);
  expect(await names(watched)).toEqual([]);
  there = true;
  await watched.watch(minute);
  expect(await names(watched)).toEqual(['server.went-silent']);
});

test('simulated servers are no news', async () => {
  await using watched = await startWatched();
  await watched.pool.query('update servers set simulated = true');
  await watched.report(99);
  await watched.watch(3 * minute);
  await watched.report(99);
  await watched.watch(10 * minute);
  expect(await names(watched)).toEqual([]);
});

test('a disk is told of when two reports in a row have it at 90 %, and again when two have it under 85 %', async () => {
  await using watched = await startWatched();
  const reports = async (...used: number[]) => {
    for (const each of used) {
      await watched.report(each);
      await watched.watch(3 * minute);
    }
  };
  await reports(50, 91, 89, 91);
  expect(await names(watched)).toEqual([]);
  await reports(92);
  expect(await watched.events()).toMatchObject([{ event: 'disk.filled', facts: { percent: 92 } }]);
  await reports(95, 88, 91, 84, 86, 84);
  expect(await names(watched)).toEqual(['disk.filled']);
  await reports(80);
  expect(await watched.events()).toMatchObject([{}, { event: 'disk.eased', facts: { percent: 80 } }]);
  await reports(93, 93);
  const incidents = (await watched.events()).map(({ incident }) => incident);
  expect(incidents).toHaveLength(3);
  expect(incidents[2]).not.toBe(incidents[0]);
});

test('a resource that stays over its limit is told of once, and when it eased', async () => {
  await using watched = await startWatched();
  let seq = 0;
  const reports = async (count: number, more: Record<string, unknown>) => {
    for (let sent = 0; sent < count; sent += 1) {
      seq += 1;
      const report = reportAt(watched.monitor.clock.now, { seq, ...more });
      expect(await watched.monitor.post(watched.server.token, [report])).toMatchObject({
        status: 200,
        body: { accepted: 1 },
      });
      await watched.watch(3 * minute);
    }
  };
  const mem = (percent: number) => ({ mem: { total: 1000, available: 1000 - 10 * percent } });
  await reports(4, mem(96));
  await reports(1, mem(94));
  expect(await names(watched), 'a dip begins the time anew').toEqual([]);
  await reports(5, mem(97));
  expect(await watched.events()).toMatchObject([
    { event: 'server.strained', facts: { resource: 'ram', percent: 97 } },
  ]);
  await reports(3, mem(92));
  await reports(1, mem(50));
  expect(await names(watched), 'one report is no ease').toEqual(['server.strained']);
  await reports(2, mem(50));
  expect((await watched.events()).at(-1)).toMatchObject({
    event: 'server.eased',
    facts: { resource: 'ram', percent: 50 },
  });
  await reports(6, { load: [13, 13, 13] });
  expect((await watched.events()).at(-1)).toMatchObject({
    event: 'server.strained',
    facts: { resource: 'load', percent: 325 },
  });
  expect(await names(watched)).toHaveLength(3);
});

/** Posts reports with these disks, an hour apart, each seen by one look. */
async function reportHourly(watched: Watched, usedGib: readonly number[]): Promise<void> {
  for (const used of usedGib) {
    watched.monitor.clock.now += hour;
    await watched.report(used);
    await watched.look();
  }
}
const growing = (from: number, each: number, hours: number) =>
  Array.from({ length: hours }, (_, index) => from + each * index);
const ofGrowth = async (watched: Watched) =>
  (await watched.events()).filter(({ event }) => event === 'disk.filling' || event === 'disk.steadied');

test('a disk that will be full within two days is told of once, and that it slowed down', async () => {
  await using watched = await startWatched();
  await reportHourly(watched, growing(50, 1, 9));
  expect(await ofGrowth(watched), 'a few hours are no trend').toEqual([]);
  await reportHourly(watched, growing(59, 1, 6));
  const [filling, ...more] = await ofGrowth(watched);
  expect(more).toEqual([]);
  const { since, percent, fullAt } = z
    .object({ since: z.number(), percent: z.number(), fullAt: z.number() })
    .parse(filling?.facts);
  expect((fullAt - since) / hour).toBeCloseTo(100 - percent, 0);
  await reportHourly(watched, Array(14).fill(65));
  expect(await ofGrowth(watched)).toMatchObject([
    { event: 'disk.filling' },
    { event: 'disk.steadied', facts: { since, percent: 65 } },
  ]);
});

test.each([
  { name: 'that takes longer than two days', used: growing(50, 0.5, 16) },
  { name: 'that is less than half full', used: growing(20, 1.9, 16) },
  { name: 'that one large file has filled', used: [...Array(8).fill(50), ...Array(8).fill(80)] },
  {
    name: 'that is emptied as fast as it is filled',
    used: [50, 60, 70, 55, 65, 75, 52, 62, 72, 51, 61, 71, 50, 60],
  },
])('a disk $name is not told of as filling', async ({ used }) => {
  await using watched = await startWatched();
  await reportHourly(watched, used);
  expect(await ofGrowth(watched)).toEqual([]);
});

test('a server that started anew is told of once, and the first start that it reports is none', async () => {
  await using watched = await startWatched();
  const { monitor, server } = watched;
  const report = async (uptimeMs: number, seq: number) => {
    const body = [reportAt(monitor.clock.now, { seq, uptime: uptimeMs / 1000 })];
    expect(await monitor.post(server.token, body)).toMatchObject({ status: 200, body: { accepted: 1 } });
    await watched.look();
  };
  await report(minute, 1);
  const lastReportAt = monitor.clock.now;
  monitor.clock.now += 20 * minute;
  const bootedAt = monitor.clock.now - 2 * minute;
  await report(2 * minute, 2);
  monitor.clock.now += 3 * minute;
  // Its clock was set right meanwhile.
  await report(5 * minute + 20_000, 3);
  expect((await watched.events()).filter(({ event }) => event === 'server.rebooted')).toMatchObject([
    { facts: { at: bootedAt, lastReportAt, serverName: expect.stringMatching(/^lantern/) } },
  ]);
});

test('an uptime that no machine has is no start, and ends no look at others', async () => {
  await using watched = await startWatched();
  await watched.report();
  // As the first protocol takes it.
  await watched.pool.query(
    `update series.server set state = jsonb_set(state::jsonb, '{uptime}', '7.2e16')::text where state is not null`,
  );
  await watched.look();
  expect(await names(watched)).toEqual([]);
});

test('a look that fails is logged, and holds no other one up', async () => {
  const failures: unknown[] = [];
  await using watched = await startWatched({ onFailure: (failure) => failures.push(failure) });
  await watched.pool.query('alter table incidents rename to incidents_away');
  for (const used of [91, 92]) {
    await watched.report(used);
    await watched.watch(3 * minute);
  }
  expect(failures).toContainEqual(expect.objectContaining({ look: 'standings' }));
  expect(await names(watched)).toEqual(['disk.filled']);
});

test('a server that reports seldom, or without a figure, is under no pressure', async () => {
  await using watched = await startWatched();
  for (let sent = 1; sent <= 8; sent += 1) {
    const swap = sent % 2 === 0 ? { total: 1000, free: 0 } : null;
    const report = reportAt(watched.monitor.clock.now, {
      seq: sent,
      swap,
      mem: { total: 1000, available: 0 },
    });
    expect(await watched.monitor.post(watched.server.token, [report])).toMatchObject({ status: 200 });
    await watched.watch(5 * minute);
  }
  expect(await names(watched)).toEqual([]);
});

/** An app of the server with a check, as its last check left it. */
async function addCheckedApp({ pool, server, monitor }: Watched): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `with app as (insert into apps (owner_id, server_id, name, longname, monitor_id, plan, created_at, domains, deploy_status)
       values ($1, $2, 'shop', 'shop-abc', 'nq-shop', 3, 0, '{shop.example.com}', 'succeeded') returning id)
     insert into checks (app_id, domain, created_at, due_at, confirmed, confirmed_at)
     select id, 'shop.example.com', 0, $3, 'up', 0 from app returning id`,
    [server.owner, server.id, monitor.clock.now],
  );
  return rows[0]?.id ?? 0;
}

/** As `keepChecks` leaves an app that went down, and one that came up. */
async function goDown({ pool, monitor }: Watched, check: number): Promise<void> {
  await pool.query(`update checks set confirmed = 'down', confirmed_at = $2 where id = $1`, [
    check,
    monitor.clock.now,
  ]);
  await pool.query(
    `insert into incidents (check_id, started_at, cause, reason) values ($1, $2, 'status', 'It answered 502.')`,
    [check, monitor.clock.now],
  );
}
async function comeUp({ pool, monitor }: Watched, check: number): Promise<void> {
  await pool.query(`update checks set confirmed = 'up', confirmed_at = $2 where id = $1`, [
    check,
    monitor.clock.now,
  ]);
  await pool.query('update incidents set ended_at = $2 where check_id = $1 and ended_at is null', [
    check,
    monitor.clock.now,
  ]);
}

test('an app that checks found down is told of, and that it is up again', async () => {
  await using watched = await startWatched();
  const check = await addCheckedApp(watched);
  for (let outage = 1; outage <= 2; outage += 1) {
    await goDown(watched, check);
    await watched.watch(5 * minute);
    await comeUp(watched, check);
    await watched.watch(5 * minute);
  }
  const events = await watched.events();
  expect(events).toMatchObject([
    { event: 'app.went-down', facts: { reason: 'It answered 502.', url: 'http://shop.example.com/' } },
    { event: 'app.came-up', facts: { appName: 'shop' } },
    { event: 'app.went-down' },
    { event: 'app.came-up' },
  ]);
  const incidents = events.map(({ incident }) => incident);
  expect(incidents[0]).toBe(incidents[1]);
  expect(incidents[2]).toBe(incidents[3]);
  expect(incidents[0]).not.toBe(incidents[2]);
});

test('an outage that began and ended while nobody watched is told of as both', async () => {
  await using watched = await startWatched();
  const check = await addCheckedApp(watched);
  await goDown(watched, check);
  watched.monitor.clock.now += hour;
  await comeUp(watched, check);
  await watched.watch(minute);
  expect(await names(watched)).toEqual(['app.went-down', 'app.came-up']);
});

test('an app that was stopped, or is checked no longer, is not told of as up', async () => {
  await using watched = await startWatched();
  const check = await addCheckedApp(watched);
  await goDown(watched, check);
  await watched.watch(minute);
  await watched.pool.query('update apps set stopped = true');
  await watched.watch(minute);
  await watched.pool.query('update apps set stopped = false');
  await comeUp(watched, check);
  await watched.watch(minute);
  await goDown(watched, check);
  await watched.watch(minute);
  await watched.pool.query('delete from checks');
  await watched.watch(minute);
  expect(await names(watched)).toEqual(['app.went-down', 'app.went-down']);
  const { rows } = await watched.pool.query('select id from notice_threads where ended_at is null');
  expect(rows).toEqual([]);
});

test('a certificate is told of 14, 7, 3 and 1 days before its end, once each', async () => {
  await using watched = await startWatched();
  const { pool, monitor, look } = watched;
  const check = await addCheckedApp(watched);
  const show = (fingerprint: string, validTo: number, lifeDays = 90) =>
    pool.query('update checks set latest = $2 where id = $1', [
      check,
      JSON.stringify({ certificate: { fingerprint, validFrom: validTo - lifeDays * day, validTo } }),
    ]);
  const validTo = monitor.clock.now + 20 * day;
  await show('AA', validTo);
  const days = async () => (await watched.events()).map(({ facts }) => facts.days);
  for (let passed = 0; passed < 21; passed += 0.5) {
    await look();
    monitor.clock.now += day / 2;
  }
  expect(await days()).toEqual([14, 7, 3, 1]);
  expect(await watched.events()).toMatchObject(
    Array.from({ length: 4 }, () => ({
      event: 'certificate.ends',
      facts: { domain: 'shop.example.com', validTo },
    })),
  );

  await show('BB', monitor.clock.now + 5 * day);
  await look();
  expect(await days(), 'one that is found late is told of once').toEqual([14, 7, 3, 1, 7]);
  monitor.clock.now += day;
  await show('CC', monitor.clock.now + 5 * day, 6);
  await look();
  expect(await days(), 'one that lives for six days has not reached the last half').toHaveLength(5);
});

test('of each check the newest two hundred incidents are kept, and one that is open', async () => {
  await using watched = await startWatched();
  const { pool, look, monitor } = watched;
  const check = await addCheckedApp(watched);
  await pool.query(
    `insert into incidents (check_id, started_at, ended_at, cause, reason, noticed)
     select $1, n, case when n > 1 then n end, 'status', 'It answered 502.', true from generate_series(1, 300) n`,
    [check],
  );
  monitor.clock.now += 2 * hour;
  await look();
  const { rows } = await pool.query<{ kept: number; open: number; oldest: number }>(
    `select count(*) as kept, count(*) filter (where ended_at is null) as open,
       min(started_at) filter (where ended_at is not null) as oldest from incidents`,
  );
  expect(rows[0]).toEqual({ kept: 201, open: 1, oldest: 101 });
});

/** A database of the server, with a schedule that is due each day. */
async function addScheduled({ pool, server, monitor }: Watched): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into databases (owner_id, server_id, name, longname, type, created_at)
     values ($1, $2, 'orders', 'orders-x', 'postgres', 0) returning id`,
    [server.owner, server.id],
  );
  const id = rows[0]?.id ?? '';
  const at = new Date(monitor.clock.now + 10 * minute);
  const told = { cron: `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`, timeZone: 'UTC' };
  await pool.query(
    'insert into backup_schedules (database_id, owner_id, told, due_at) values ($1, $2, $3, $4)',
    [id, server.owner, JSON.stringify(told), Math.floor((monitor.clock.now + 10 * minute) / minute) * minute],
  );
  return id;
}
const addRun = ({ pool, server, monitor }: Watched, id: string, state: 'running' | 'succeeded' | 'failed') =>
  pool.query(
    `insert into backup_runs (database_id, id, owner_id, state, began_at, duration_s, target)
     values ($1, gen_random_uuid(), $2, $3, $4, 1, 'server')`,
    [id, server.owner, state, monitor.clock.now],
  );
const problemOf = async ({ pool }: Watched, id: string) =>
  (await pool.query('select backup_problem($1) as problem', [id])).rows[0].problem;

test('a scheduled backup that does not come is told of once, and that backups work again', async () => {
  await using watched = await startWatched();
  const id = await addScheduled(watched);
  for (let turn = 0; turn < 12; turn += 1) {
    await watched.report();
    await watched.watch(3 * minute);
  }
  expect(await names(watched)).toEqual(['backup.missed']);
  expect(await problemOf(watched, id)).toMatchObject({ kind: 'missed' });
  await addRun(watched, id, 'running');
  await watched.watch(minute);
  expect(await names(watched)).toEqual(['backup.missed']);
  await watched.pool.query(`update backup_runs set state = 'succeeded'`);
  await watched.watch(2 * minute);
  expect(await names(watched)).toEqual(['backup.missed', 'backup.works-again']);
  expect(await problemOf(watched, id)).toBeNull();
});

test('a backup that is due while its server is silent is not missed before the server reports again', async () => {
  await using watched = await startWatched();
  const id = await addScheduled(watched);
  await watched.report();
  await watched.watch(40 * minute);
  expect(await names(watched)).toEqual(['server.went-silent']);
  expect(await problemOf(watched, id)).toBeNull();
  await watched.report();
  await watched.watch(minute);
  expect(await names(watched)).toEqual(['server.went-silent', 'backup.missed']);
});

test('a backup that runs, or came at its time, is not missed', async () => {
  await using watched = await startWatched();
  const id = await addScheduled(watched);
  for (let turn = 0; turn < 12; turn += 1) {
    await watched.report();
    await watched.watch(3 * minute);
    if (turn === 3) await addRun(watched, id, 'running');
  }
  expect(await names(watched)).toEqual([]);
});

test('a schedule that fails again and again is one incident', async () => {
  await using watched = await startWatched();
  const id = await addScheduled(watched);
  for (let turn = 0; turn < 3; turn += 1) {
    await addRun(watched, id, 'failed');
    await watched.watch(minute);
  }
  expect(await names(watched)).toEqual(['backup.failed']);
  expect((await watched.events())[0]?.facts).toMatchObject({
    ...{ databaseId: id, databaseName: 'orders', longname: 'orders-x' },
  });
  await addRun(watched, id, 'succeeded');
  await watched.watch(minute);
  await addRun(watched, id, 'failed');
  await watched.watch(2 * minute);
  expect(await names(watched)).toEqual(['backup.failed', 'backup.works-again', 'backup.failed']);
});

test('a paused schedule has no problem', async () => {
  await using watched = await startWatched();
  const id = await addScheduled(watched);
  await addRun(watched, id, 'failed');
  await watched.watch(minute);
  await watched.pool.query('update backup_schedules set due_at = null');
  await watched.watch(60 * minute);
  expect(await names(watched)).toEqual(['backup.failed']);
  const { rows } = await watched.pool.query('select id from notice_threads where ended_at is null');
  expect(rows).toEqual([]);
});
