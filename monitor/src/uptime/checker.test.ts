import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createSecureContext } from 'node:tls';
import { fileURLToPath } from 'node:url';
import type { UptimeWithSeries } from '@homeport/contract/uptime/schema';
import { claimChecks, ownerFromSession, releaseChecks, removeCheck, setUpCheck } from '@homeport/store';
import { expect, test } from 'vitest';
import { makeCertificate } from '../../testing/certificates.ts';
import { startWebServer, type WebServer } from '../../testing/web-server.ts';
import { type TestMonitor, testMonitor } from '../testing.ts';
import { createCheckGate } from './check-gate.ts';
import { type Checker, createChecker } from './checker.ts';
import { createResolver } from './resolver.ts';

const minute = 60_000;
const authority = makeCertificate({});

type Options = { networkIsThere?: () => boolean; allowed?: string[]; inFlightAtMost?: number };

const nowhere = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));

/** A monitor whose apps answer as the test says, and a checker whose clock the test moves. */
type Status = {
  now: number;
  /** Of single apps, by the first part of their host. */
  of?: Record<string, number>;
};

async function startBench(status: Status = { now: 200 }) {
  const monitor = await testMonitor(Date.now());
  const web = await startWebServer(({ headers }, response) =>
    response.writeHead(status.of?.[headers.host?.split('.')[0] ?? ''] ?? status.now).end('hello'),
  );
  const { pool } = monitor.database.store;
  const checkerOf = ({
    networkIsThere = () => true,
    allowed = ['127.0.0.0/8'],
    inFlightAtMost = 500,
  }: Options = {}): Checker =>
    createChecker({
      pool,
      reach: {
        gate: createCheckGate(
          { allowedNetworks: allowed, consolePorts: [] },
          createResolver(() => monitor.clock.now, nowhere),
        ),
        trusted: createSecureContext({ ca: [authority.cert] }),
        deadlineMs: 5_000,
      },
      network: { isThere: () => Promise.resolve(networkIsThere()) },
      log: { error: (...words: unknown[]) => expect.fail(JSON.stringify(words)) },
      clock: () => monitor.clock.now,
      inFlightAtMost,
    });
  return {
    monitor,
    web,
    status,
    checkerOf,
    checker: checkerOf(),
    app: await addApp(monitor, web.port, 'shop'),
  };
}

type App = { id: string; key: string; owner: string };
/** `server`: by default the app has one of its own. */
type AppOptions = { deployed?: boolean; https?: boolean; server?: { id: string; owner: string } };

async function addApp(
  { addServer, database, clock }: TestMonitor,
  port: number,
  name: string,
  { deployed = true, https = false, server }: AppOptions = {},
): Promise<App> {
  const { id, owner } = server ?? (await addServer(name));
  const { store } = database;
  const { rows } = await store.pool.query<{ id: string }>(
    `insert into apps (owner_id, server_id, name, longname, monitor_id, plan, created_at, domains, url, deploy_status)
     values ($1, $2, $3, $3, 'nq-' || $3, 3, 0, array[$3 || '.localhost'], $4, $5) returning id`,
    [
      owner,
      id,
      name,
      `${https ? 'https' : 'http'}://${name}.localhost:${port}`,
      deployed ? 'succeeded' : 'never',
    ],
  );
  const app = { id: rows[0]?.id ?? '', key: `nq-${name}`, owner };
  await setUpCheck(
    { owner: ownerFromSession(owner), db: store.db },
    { appId: app.id, domain: `${name}.localhost`, path: '/', now: clock.now },
  );
  return app;
}

async function read({ app }: TestMonitor, { key, owner }: App): Promise<UptimeWithSeries | null> {
  const answer = await app.inject({ url: `/monitor/uptime/${key}`, headers: { 'x-user': owner } });
  return answer.json<{ uptime: UptimeWithSeries | null }>().uptime;
}

/** Lets time pass and makes the checks that are due then. */
async function beat({ clock }: TestMonitor, checker: Checker, ms = minute * 1.5): Promise<void> {
  clock.now += ms;
  await checker.claim();
  await checker.finish();
}

async function end({ monitor, web }: { monitor: TestMonitor; web: WebServer }): Promise<void> {
  await web[Symbol.asyncDispose]();
  await monitor[Symbol.asyncDispose]();
}

test('an app is up after its first check, with its phases in all four horizons', async () => {
  const bench = await startBench();
  const { monitor, checker, app, web } = bench;
  expect(await read(monitor, app)).toMatchObject({
    state: 'pending',
    online: null,
    latest: null,
    incidents: [],
  });
  await beat(monitor, checker, 0);
  const at = monitor.clock.now;
  const uptime = await read(monitor, app);
  expect(uptime).toMatchObject({
    key: app.key,
    url: `http://shop.localhost:${web.port}/`,
    state: 'up',
    since: at,
    online: true,
    latest: { at, ok: true, status: 200, bytes: 5, cause: null },
    availability: { day: 100, month: 100 },
    timeseries: {
      all: [{ ts: at, up: 1, down: 0 }],
      hourly: [{ up: 1 }],
      daily: [{ up: 1 }],
      monthly: [{ up: 1 }],
    },
  });
  for (const points of Object.values(uptime?.timeseries ?? {})) {
    expect(points[0]?.total).toBeCloseTo(uptime?.latest?.total ?? -1, 3);
    expect(points[0]?.min.firstByte).toBe(points[0]?.max.firstByte);
    expect(points[0]?.tlsHandshake).toBeNull();
  }
  await end(bench);
});

test('an app is down only after its retries, with one incident, and up again after two good checks', async () => {
  const bench = await startBench();
  const { monitor, checker, app, web, status } = bench;
  await beat(monitor, checker, 0);
  status.now = 503;
  await beat(monitor, checker);
  const failedAt = monitor.clock.now;
  expect(await read(monitor, app)).toMatchObject({
    state: 'pending',
    since: failedAt,
    online: true,
    incidents: [],
  });
  // One request of the first check, then two of the failed check.
  expect(web.asked).toHaveLength(3);
  await beat(monitor, checker, 20_000);
  expect(await read(monitor, app)).toMatchObject({
    state: 'down',
    since: failedAt,
    online: false,
    latest: { ok: false, status: 503, cause: 'status' },
    incidents: [{ startedAt: failedAt, endedAt: null, cause: 'status' }],
  });
  await beat(monitor, checker);
  await beat(monitor, checker);
  expect((await read(monitor, app))?.incidents).toHaveLength(1);

  status.now = 200;
  await beat(monitor, checker);
  const cameBackAt = monitor.clock.now;
  expect(await read(monitor, app)).toMatchObject({ state: 'down', incidents: [{ endedAt: null }] });
  await beat(monitor, checker, 20_000);
  const back = await read(monitor, app);
  expect(back).toMatchObject({
    state: 'up',
    since: cameBackAt,
    online: true,
    incidents: [{ startedAt: failedAt, endedAt: cameBackAt }],
  });
  // The days together: midnight may lie between two of these checks.
  const daily = back?.timeseries.daily ?? [];
  const sum = (what: 'up' | 'down') => daily.reduce((all, point) => all + point[what], 0);
  expect([sum('up'), sum('down')]).toEqual([3, 4]);
  await end(bench);
});

test('when one app of a server goes down or comes up, the others there are checked at once', async () => {
  const status = { now: 200 };
  const bench = await startBench(status);
  const { monitor, checker, web } = bench;
  const server = await monitor.addServer('lantern');
  const apps: App[] = [];
  for (const name of ['blog', 'wiki', 'mail', 'docs'])
    apps.push(await addApp(monitor, web.port, name, { server }));
  const { pool } = monitor.database.store;
  await beat(monitor, checker, 0);
  const states = async () => Promise.all(apps.map(async (app) => (await read(monitor, app))?.state));
  expect(await states()).toEqual(['up', 'up', 'up', 'up']);
  const dueNow = async () =>
    (
      await pool.query<{ longname: string }>(
        'select a.longname from checks c join apps a on a.id = c.app_id where c.due_at <= $1 order by 1',
        [monitor.clock.now],
      )
    ).rows.map(({ longname }) => longname);
  /** Makes the next check of the blog alone. */
  const turnFirst = async () => {
    monitor.clock.now += 1_000;
    await pool.query(
      `update checks set due_at = $1 where app_id = (select id from apps where longname = 'blog')`,
      [monitor.clock.now],
    );
    await checker.claim();
    await checker.finish();
  };
  for (const [answer, before, after] of [
    [503, 'up', 'down'],
    [200, 'down', 'up'],
  ] as const) {
    status.now = answer;
    await turnFirst();
    expect(await dueNow()).toEqual(['docs', 'mail', 'wiki']);
    await beat(monitor, checker, 0);
    expect(await dueNow(), 'one check in between is enough').toEqual([]);
    expect(await states()).toEqual(before === 'up' ? Array(4).fill('pending') : Array(4).fill('down'));
    await beat(monitor, checker, 20_000);
    expect(await states()).toEqual(Array(4).fill(after));
  }
  await end(bench);
});

test('of a server whose apps go down and up again and again the others are checked once a minute more', async () => {
  const bench = await startBench({ now: 200, of: {} });
  const { monitor, checker, web, status } = bench;
  const { pool } = monitor.database.store;
  const server = await monitor.addServer('lantern');
  const flapping = ['blog', 'mail', 'wiki', 'docs'];
  for (const name of flapping) await addApp(monitor, web.port, name, { server });
  const steady = await addApp(monitor, web.port, 'steady', { server });
  await beat(monitor, checker, 0);
  const checksOfSteady = async () => (await read(monitor, steady))?.timeseries.all.length ?? 0;
  const before = await checksOfSteady();
  const minutes = 2;
  for (let step = 0; step < minutes * 12; step += 1) {
    monitor.clock.now += 5_000;
    const name = flapping[step % flapping.length] ?? '';
    for (const answer of [503, 200]) {
      status.of = { [name]: answer };
      await pool.query(
        'update checks set due_at = $1 where app_id = (select id from apps where longname = $2)',
        [monitor.clock.now, name],
      );
      await beat(monitor, checker, 0);
    }
    await beat(monitor, checker, 0);
  }
  const made = (await checksOfSteady()) - before;
  // Its own moment in each minute follows from its id, which is random, and may be that of a check with the others.
  expect(made).toBeGreaterThanOrEqual(minutes);
  expect(made).toBeLessThanOrEqual(2 * minutes + 2);
  await end(bench);
}, 60_000);

test('a check that says nothing makes no other one due, also of an app that had just failed', async () => {
  const bench = await startBench({ now: 200, of: {} });
  const { monitor, checker, checkerOf, web, status } = bench;
  const { pool } = monitor.database.store;
  const server = await monitor.addServer('lantern');
  for (const name of ['blog', 'steady']) await addApp(monitor, web.port, name, { server });
  await beat(monitor, checker, 0);
  status.of = { blog: 503 };
  const dueOf = async (name: string) =>
    (
      await pool.query<{ due: number }>(
        'select c.due_at as due from checks c join apps a on a.id = c.app_id where a.longname = $1',
        [name],
      )
    ).rows[0]?.due;
  const checkBlog = async (by: Checker) => {
    monitor.clock.now += 1_000;
    await pool.query(
      `update checks set due_at = $1 where app_id = (select id from apps where longname = 'blog')`,
      [monitor.clock.now],
    );
    await by.claim();
    await by.finish();
  };
  await checkBlog(checker);
  expect(await dueOf('steady'), 'a real failure makes it due').toBe(monitor.clock.now);
  await beat(monitor, checker, 0);
  const due = await dueOf('steady');
  // Another process, which has not had the others checked yet, and may not reach the app's address.
  await checkBlog(checkerOf({ allowed: [] }));
  expect(await dueOf('steady')).toBe(due);
  await end(bench);
});

test('a stopped app is paused, which is no incident, and begins anew when it is started', async () => {
  const bench = await startBench();
  const { monitor, checker, app, web, status } = bench;
  const { pool } = monitor.database.store;
  status.now = 500;
  await beat(monitor, checker, 0);
  await beat(monitor, checker, 20_000);
  expect(await read(monitor, app)).toMatchObject({ state: 'down', incidents: [{ endedAt: null }] });
  await pool.query('update apps set stopped = true');
  expect(await read(monitor, app)).toMatchObject({ state: 'paused', online: null });
  expect((await read(monitor, app))?.incidents[0]?.endedAt).not.toBeNull();
  const asked = web.asked.length;
  await beat(monitor, checker);
  expect(web.asked).toHaveLength(asked);

  await pool.query('update apps set stopped = false');
  expect(await read(monitor, app)).toMatchObject({ state: 'pending', online: null });
  status.now = 200;
  await beat(monitor, checker);
  expect(await read(monitor, app)).toMatchObject({ state: 'up' });
  await end(bench);
});

test('a check that runs while its app is stopped is not stored', async () => {
  const bench = await startBench();
  const { monitor, checker, app } = bench;
  await checker.claim();
  await monitor.database.store.pool.query('update apps set stopped = true');
  await checker.finish();
  expect(await read(monitor, app)).toMatchObject({ state: 'paused', latest: null, timeseries: { all: [] } });
  await end(bench);
});

test('a domain that is no longer the app’s is not checked', async () => {
  const bench = await startBench();
  const { monitor, checker, app, web } = bench;
  const { pool } = monitor.database.store;
  await pool.query(`update apps set domains = '{}'`);
  await beat(monitor, checker);
  expect(web.asked).toEqual([]);
  expect(await read(monitor, app)).toMatchObject({ state: 'paused' });
  await pool.query(`update apps set domains = array['other.localhost', 'shop.localhost']`);
  await beat(monitor, checker);
  expect(await read(monitor, app)).toMatchObject({ state: 'up' });
  await end(bench);
});

test('nothing counts as down while the console’s own network is down', async () => {
  const bench = await startBench();
  const { monitor, app, checkerOf, web } = bench;
  let isThere = true;
  const checker = checkerOf({ networkIsThere: () => isThere, allowed: ['127.0.0.0/8'] });
  await beat(monitor, checker, 0);
  // A name that cannot be resolved counts as an address on the internet.
  await monitor.database.store.pool.query(
    `update apps set domains = array['shop.invalid'], url = 'http://shop.invalid:${web.port}'`,
  );
  await setUpCheck(
    { owner: ownerFromSession(app.owner), db: monitor.database.store.db },
    { appId: app.id, domain: 'shop.invalid', path: '/', now: monitor.clock.now },
  );
  isThere = false;
  for (let i = 0; i < 3; i += 1) await beat(monitor, checker);
  expect(await read(monitor, app)).toMatchObject({
    state: 'unknown',
    online: null,
    latest: { cause: 'checker', ok: false },
    incidents: [],
    timeseries: { all: [{ up: 1, down: 0 }] },
  });
  isThere = true;
  await beat(monitor, checker);
  await beat(monitor, checker, 20_000);
  expect(await read(monitor, app)).toMatchObject({ state: 'down', incidents: [{ cause: 'dns' }] });
  await end(bench);
});

test('the anchors say nothing about an app on a private network', async () => {
  const bench = await startBench();
  const { monitor, app, checkerOf, web } = bench;
  const checker = checkerOf({ networkIsThere: () => expect.fail('the anchors were asked') });
  await web[Symbol.asyncDispose]();
  await beat(monitor, checker, 0);
  await beat(monitor, checker, 20_000);
  expect(await read(monitor, app)).toMatchObject({
    state: 'down',
    incidents: [{ cause: 'connect_refused' }],
  });
  await monitor[Symbol.asyncDispose]();
});

test('a private address is not checked, and not shown as down', async () => {
  const bench = await startBench();
  const { monitor, app, checkerOf, web } = bench;
  const checker = checkerOf({ allowed: [] });
  await beat(monitor, checker, 0);
  await beat(monitor, checker);
  expect(await read(monitor, app)).toMatchObject({
    state: 'unknown',
    latest: { cause: 'blocked_address' },
    incidents: [],
  });
  expect(web.asked).toEqual([]);
  await end(bench);
});

test('an app that was never deployed is not down, and its checks count after the first deploy', async () => {
  const bench = await startBench({ now: 502 });
  const { monitor, checker, web } = bench;
  const fresh = await addApp(monitor, web.port, 'fresh', { deployed: false });
  for (let i = 0; i < 3; i += 1) await beat(monitor, checker);
  expect(await read(monitor, fresh)).toMatchObject({
    state: 'pending',
    online: null,
    incidents: [],
    availability: { day: null, month: null },
    timeseries: { all: [] },
  });
  await monitor.database.store.pool.query(`update apps set deploy_status = 'succeeded'`);
  await beat(monitor, checker);
  await beat(monitor, checker, 20_000);
  expect(await read(monitor, fresh)).toMatchObject({ state: 'down', availability: { day: 0, month: 0 } });
  await end(bench);
});

test.each(['deploying', 'failed'])('an app whose first deploy is %s has no downtime yet', async (status) => {
  const bench = await startBench({ now: 502 });
  const { monitor, checker, web, status: answer } = bench;
  const { pool } = monitor.database.store;
  const first = await addApp(monitor, web.port, 'first', { deployed: false });
  await pool.query(`update apps set deploy_status = $1 where longname = 'first'`, [status]);
  const served = await addApp(monitor, web.port, 'served');
  await pool.query(`update apps set deploy_status = $1, deployed_at = 7 where longname = 'served'`, [status]);
  for (let i = 0; i < 3; i += 1) await beat(monitor, checker);
  expect(await read(monitor, first)).toMatchObject({
    state: 'pending',
    online: null,
    incidents: [],
    availability: { day: null, month: null },
    timeseries: { all: [] },
  });
  expect(await read(monitor, served)).toMatchObject({ state: 'down', availability: { day: 0 } });

  // The first success: from here on, the checks count.
  answer.now = 200;
  await pool.query(`update apps set deploy_status = 'succeeded', deployed_at = 8 where longname = 'first'`);
  await beat(monitor, checker);
  expect(await read(monitor, first)).toMatchObject({
    state: 'up',
    incidents: [],
    availability: { day: 100 },
  });
  await end(bench);
});

test('a check that began before a deploy does not count, and the app is checked again at once', async () => {
  const bench = await startBench();
  const { monitor, checker } = bench;
  const { pool } = monitor.database.store;
  await using web = await startWebServer((_request, response) => {
    // A failed check is repeated at once.
    if (web.asked.length > 2) return response.end('new');
    void pool
      .query(`update apps set deployed_at = 7, url = url || '/' where longname = 'moving'`)
      .then(() => response.writeHead(500).end('old'));
  });
  const app = await addApp(monitor, web.port, 'moving');
  await beat(monitor, checker, 0);
  expect(web.asked).toHaveLength(2);
  expect(await read(monitor, app)).toMatchObject({ state: 'pending', latest: null, timeseries: { all: [] } });
  // The deploy made the check due by the store's clock, which goes on while this one stands.
  await beat(monitor, checker, Date.now() - monitor.clock.now);
  expect(await read(monitor, app)).toMatchObject({ state: 'up', latest: { ok: true, status: 200 } });
  await end(bench);
});

test('failures before a deploy do not count after the deploy', async () => {
  const bench = await startBench({ now: 500 });
  const { monitor, checker, app } = bench;
  await beat(monitor, checker, 0);
  await monitor.database.store.pool.query('update apps set deployed_at = 7');
  await beat(monitor, checker, 20_000);
  expect(await read(monitor, app)).toMatchObject({ state: 'pending', incidents: [] });
  await beat(monitor, checker, 20_000);
  expect(await read(monitor, app)).toMatchObject({ state: 'down' });
  await end(bench);
});

test('a certificate that ends soon is marked while the app is up', async () => {
  const bench = await startBench();
  const to = bench.monitor.clock.now + 2.5 * 86_400_000;
  const certificate = makeCertificate({ names: ['safe.localhost'], by: authority, to });
  await using web = await startWebServer((_request, response) => response.end(), { certificate });
  const app = await addApp(bench.monitor, web.port, 'safe', { https: true });
  await beat(bench.monitor, bench.checker, 0);
  expect(await read(bench.monitor, app)).toMatchObject({
    state: 'up',
    latest: { certificate: { mark: 3, nameMatches: true, refusedFor: null } },
  });
  await end(bench);
});

test('two claimers share the checks, and no check is made twice', async () => {
  const bench = await startBench();
  const { monitor, checkerOf, web } = bench;
  for (let i = 0; i < 40; i += 1) await addApp(monitor, web.port, `app${i}`);
  const { pool } = monitor.database.store;
  const claim = { until: monitor.clock.now, endsAt: monitor.clock.now + minute, atMost: 30 };
  const claims = await Promise.all([claimChecks(pool, claim), claimChecks(pool, claim)]);
  expect(claims.map(({ length }) => length).sort()).toEqual([11, 30]);
  expect(new Set(claims.flat().map(({ id }) => id)).size).toBe(41);
  await releaseChecks(pool, claims.flat());

  const both = [checkerOf({ inFlightAtMost: 30 }), checkerOf({ inFlightAtMost: 30 })];
  await Promise.all(both.map((checker) => checker.claim()));
  await Promise.all(both.map((checker) => checker.finish()));
  expect(web.asked).toHaveLength(41);
  const { rows } = await pool.query(
    `select count(*) as checks, count(*) filter (where confirmed = 'up') as up from checks`,
  );
  expect(rows).toEqual([{ checks: 41, up: 41 }]);
  await end(bench);
});

test('another claimer takes the unfinished checks of a stopped claimer at once', async () => {
  const bench = await startBench();
  const { monitor, checkerOf, app } = bench;
  await using silent = await startWebServer(() => {});
  await monitor.database.store.pool.query('update apps set url = $1', [
    `http://shop.localhost:${silent.port}`,
  ]);
  const stopping = checkerOf();
  await stopping.claim();
  await expect.poll(() => silent.asked.length).toBe(1);
  await stopping.stop();
  await monitor.database.store.pool.query('update apps set url = $1', [
    `http://shop.localhost:${bench.web.port}`,
  ]);
  await beat(monitor, bench.checker, 0);
  expect(await read(monitor, app)).toMatchObject({ state: 'up', timeseries: { all: [{ up: 1, down: 0 }] } });
  await end(bench);
});

test('another claimer takes the checks of a killed claimer when its claim ends', async () => {
  const bench = await startBench();
  const { monitor, checkerOf, app } = bench;
  const { pool } = monitor.database.store;
  let silent = true;
  await using web = await startWebServer((_request, response) => silent || response.end());
  await pool.query('update apps set url = $1', [`http://shop.localhost:${web.port}`]);
  const claimer = fork(fileURLToPath(new URL('../../testing/claimer-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, DATABASE_URL: monitor.database.url },
  });
  const killed = once(claimer, 'exit');
  await expect.poll(() => web.asked.length, { timeout: 15_000 }).toBe(1);
  claimer.kill('SIGKILL');
  await killed;
  silent = false;
  const next = checkerOf();
  await beat(monitor, next, 1_000);
  expect(web.asked).toHaveLength(1);
  await beat(monitor, next, minute + 20_000);
  expect(await read(monitor, app)).toMatchObject({ state: 'up', timeseries: { all: [{ up: 1, down: 0 }] } });
  await end(bench);
}, 60_000);

test('a check is removed with all its measurements, and with its app', async () => {
  const bench = await startBench();
  const { monitor, checker, app, web } = bench;
  const { store } = monitor.database;
  const other = await addApp(monitor, web.port, 'other');
  await beat(monitor, checker, 0);
  const left = async () => {
    const { rows } = await store.pool.query<{ left: number }>(
      `select (select count(*) from checks) + (select count(*) from series.check_raw) + (select count(*) from series.check_hourly)
        + (select count(*) from series.check_daily) + (select count(*) from series.check_monthly) as left`,
    );
    return rows[0]?.left;
  };
  expect(await left()).toBe(10);
  const stranger = { owner: ownerFromSession(other.owner), db: store.db };
  expect(await removeCheck(stranger, app.id)).toBe(false);
  expect(await removeCheck({ ...stranger, owner: ownerFromSession(app.owner) }, app.id)).toBe(true);
  expect(await read(monitor, app)).toBeNull();
  expect(await left()).toBe(5);
  await store.pool.query('delete from apps where id = $1', [other.id]);
  expect(await left()).toBe(0);
  await end(bench);
});

test('another domain begins anew and ends the incident of the old domain; the same domain changes nothing', async () => {
  const bench = await startBench({ now: 500 });
  const { monitor, checker, app } = bench;
  await monitor.database.store.pool.query(
    `update apps set domains = array['shop.localhost', 'new.localhost']`,
  );
  await beat(monitor, checker, 0);
  await beat(monitor, checker, 20_000);
  const scope = { owner: ownerFromSession(app.owner), db: monitor.database.store.db };
  const setUp = (domain: string) =>
    setUpCheck(scope, { appId: app.id, domain, path: '/', now: monitor.clock.now });
  await setUp('shop.localhost');
  expect(await read(monitor, app)).toMatchObject({ state: 'down', incidents: [{ endedAt: null }] });
  await setUp('new.localhost');
  expect(await read(monitor, app)).toMatchObject({
    domain: 'new.localhost',
    state: 'pending',
    latest: null,
    incidents: [{ endedAt: monitor.clock.now }],
  });
  await end(bench);
});

test('each stored check sends a notification to pages', async () => {
  const bench = await startBench();
  const { monitor, checker, app } = bench;
  const told: string[] = [];
  await monitor.database.store.listener.on('reports', ({ monitorIds }) => told.push(...monitorIds));
  await beat(monitor, checker, 0);
  await expect.poll(() => told).toEqual([app.key]);
  await end(bench);
});
