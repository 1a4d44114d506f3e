import { gzipSync } from 'node:zlib';
import { nameContainers } from '@homeport/store';
import { expect, test } from 'vitest';
import { makeReport, testMonitor } from '../testing.ts';
import { triesAMinute } from './unknown-tokens.ts';

const step = 180_000;
const ok = (accepted: number, repeated = 0, refused = 0) => ({
  status: 200,
  body: { status: 'ok', accepted, repeated, refused },
});

test('a report is stored before it is answered, and shown with its series', async () => {
  await using monitor = await testMonitor();
  const { token, monitorId, owner } = await monitor.addServer('web');
  const now = monitor.clock.now;
  const net = [{ name: 'eth0', rx: 19_000, tx: 9_500 }];
  const cpu_jiffies = [150, 0, 150, 1000, 100, 0, 0, 0];
  const two = [makeReport(now - step), makeReport(now, { net, cpu_jiffies, load: [3, 2, 1], ping_us: 80.5 })];
  expect(await monitor.post(token, gzipSync(JSON.stringify(two)), { 'content-encoding': 'gzip' })).toEqual(
    ok(2),
  );
  const dump = await monitor.app.inject({ url: `/monitor/dump/${monitorId}`, headers: { 'x-user': owner } });
  expect(dump.json()).toMatchObject({
    key: monitorId,
    status: 'active',
    update_time: now,
    load: [3, 2, 1],
    load_percent: 75,
    ram_percent: 75,
    disk_percent: 50,
    rx: 19_000,
    rx_gap: 18_000,
    tx_gap: 9_000,
    gap_seconds: 180,
    ipv6: null,
    installed: now,
    recent_load: [1, 3],
    processes_array: [{ user: 'root', cpu: 1.5, rss: 4096, name: 'init' }],
    timeseries: {
      all: [
        { ts: now - step, rx_gap: null, load_avg: 1, load_cpu: null },
        { ts: now, rx_gap: 18_000, load_avg: 3, load_cpu: 25, load_io: 25, ping_us: 80.5, ping_eu: null },
      ],
      hourly: [
        {
          ts: now - (now % 3_600_000),
          seconds: 360,
          rx_gap: 18_000,
          load_avg: 2,
          min: { load_avg: 1 },
          max: { load_avg: 3 },
          ping_us: 80.5,
        },
      ],
      daily: [{ ts: Date.UTC(2026, 5, 15), load_avg: 2 }],
      monthly: [{ ts: Date.UTC(2026, 5, 1), load_avg: 2 }],
    },
  });
});

test('repeated reports change nothing, whichever replica takes them', async () => {
  await using monitor = await testMonitor();
  const { token } = await monitor.addServer('web');
  const reports = [0, 1, 2].map((index) => makeReport(monitor.clock.now - (2 - index) * step));
  const second = await monitor.another();
  const inject = (payload: unknown) => ({
    method: 'POST' as const,
    url: '/api/v2/report',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify(payload),
  });
  // The second replica still has the server in memory.
  await second.inject(inject([reports[0]]));
  expect(await monitor.post(token, reports)).toEqual(ok(2, 1));
  expect((await second.inject(inject(reports))).json()).toMatchObject({ repeated: 3 });
  const { rows } = await monitor.database.store.pool.query('select n, seconds from series.server_hourly');
  expect(rows).toEqual([{ n: 3, seconds: 540 }]);
});

test('simultaneous posts of one server at two replicas are counted once each', async () => {
  await using monitor = await testMonitor();
  const { token } = await monitor.addServer('web');
  const second = await monitor.another();
  const reports = Array.from({ length: 20 }, (_, index) =>
    makeReport(monitor.clock.now - (20 - index) * step),
  );
  const answers = await Promise.all(
    reports.flatMap((report) =>
      [monitor.app, second].map((app) =>
        app.inject({
          method: 'POST',
          url: '/api/v2/report',
          headers: { authorization: `Bearer ${token}` },
          body: JSON.stringify([report]),
        }),
      ),
    ),
  );
  expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
  const { pool } = monitor.database.store;
  const raw = await pool.query('select count(*) as n from series.server_raw');
  const month = await pool.query('select n from series.server_monthly');
  expect(month.rows).toEqual(raw.rows);
});

test('posts that arrive faster than they are written stay in the order of each server', async () => {
  await using monitor = await testMonitor();
  const { now } = monitor.clock;
  const rounds = 6;
  const servers: { token: string }[] = [];
  for (let index = 0; index < 100; index++) servers.push(await monitor.addServer(`web${index}`));
  const post = (token: string, round: number) =>
    monitor.post(token, [
      makeReport(now - (rounds - round) * step, {
        net: [{ name: 'eth0', rx: 1_000 * 2 ** round, tx: 0 }],
      }),
    ]);
  await Promise.all(servers.map(({ token }) => post(token, 0)));
  const answers = await Promise.all(
    Array.from({ length: rounds }, (_, round) => servers.map(({ token }) => post(token, round + 1))).flat(),
  );
  for (const answer of answers) expect(answer).toEqual(ok(1));
  const { rows } = await monitor.database.store.pool.query(
    'select array_agg(rx::real order by ts) as received from series.server_raw group by series',
  );
  expect(rows).toHaveLength(servers.length);
  for (const { received } of rows)
    expect(received).toEqual([null, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000]);
});

test('a counter that fell started again from 0, and its value was sent since', async () => {
  await using monitor = await testMonitor();
  const { token, monitorId, owner } = await monitor.addServer('web');
  const { now } = monitor.clock;
  const net = (rx: number) => [{ name: 'eth0', rx, tx: 0 }];
  await monitor.post(token, [
    makeReport(now - 3 * step, { net: net(999) }),
    makeReport(now - 2 * step, { net: net(1000) }),
    makeReport(now - step, { net: net(40), boot_id: 'boot-b' }),
    makeReport(now, { net: net(5000), boot_id: 'boot-c' }),
  ]);
  const dump = await monitor.app.inject({ url: `/monitor/dump/${monitorId}`, headers: { 'x-user': owner } });
  const { all } = dump.json<{ timeseries: { all: { rx_gap: number | null }[] } }>().timeseries;
  expect(all.map((point) => point.rx_gap)).toEqual([null, 1, 40, 5000]);
});

test('a gap stays a gap, and no traffic is spread over it', async () => {
  await using monitor = await testMonitor();
  const { token, monitorId, owner } = await monitor.addServer('web');
  const { now } = monitor.clock;
  await monitor.post(token, [
    makeReport(now - 10 * step),
    makeReport(now, { net: [{ name: 'eth0', rx: 9e9, tx: 0 }] }),
  ]);
  const dump = await monitor.app.inject({ url: `/monitor/dump/${monitorId}`, headers: { 'x-user': owner } });
  expect(dump.json()).toMatchObject({ rx_gap: null, gap_seconds: 180, rx: 9e9 });
});

test.each([
  ['a year ahead', 365 * 86_400_000],
  ['a year behind', -365 * 86_400_000],
])('a clock that is %s is corrected', async (_words, off) => {
  await using monitor = await testMonitor();
  const { token } = await monitor.addServer('web');
  const agentNow = monitor.clock.now + off;
  const reports = [makeReport(agentNow - step), makeReport(agentNow)];
  const headers = { 'homeport-agent-time': String(agentNow) };
  expect(await monitor.post(token, reports, headers)).toEqual(ok(2));
  monitor.clock.now += 5_000;
  expect(await monitor.post(token, reports, headers)).toEqual(ok(0, 2));
  const { rows } = await monitor.database.store.pool.query('select ts from series.server_raw order by ts');
  expect(rows.at(-1)).toEqual({ ts: monitor.clock.now - 5_000 });
});

test('reports that waited for hours keep their time, and reports older than the raw window are refused', async () => {
  await using monitor = await testMonitor();
  const { token } = await monitor.addServer('web');
  const { now } = monitor.clock;
  const headers = { 'homeport-agent-time': String(now) };
  const old = [makeReport(now - 49 * 3_600_000), makeReport(now - 20 * 3_600_000)];
  expect(await monitor.post(token, old, headers)).toEqual(ok(1, 0, 1));
  const { rows } = await monitor.database.store.pool.query('select ts from series.server_raw');
  expect(rows).toEqual([{ ts: now - 20 * 3_600_000 }]);
});

test('a report from before the newest one goes to its own hour and is not shown as the newest', async () => {
  await using monitor = await testMonitor();
  const { token, monitorId, owner } = await monitor.addServer('web');
  const { now } = monitor.clock;
  const hour = 3_600_000;
  await monitor.post(token, [makeReport(now, { seq: 1, load: [1, 1, 1] })]);
  // The machine's clock was set back, while its report numbers go on.
  const late = [makeReport(now - 2 * hour, { seq: 2, load: [9, 9, 9] }), makeReport(now - hour, { seq: 3 })];
  expect(await monitor.post(token, late)).toEqual(ok(2));
  const dump = await monitor.app.inject({ url: `/monitor/dump/${monitorId}`, headers: { 'x-user': owner } });
  const { timeseries, ...newest } = dump.json();
  expect(newest).toMatchObject({ update_time: now, load: [1, 1, 1] });
  const stamps = (points: { ts: number }[]) => points.map((point) => point.ts);
  expect(stamps(timeseries.all)).toEqual([now - 2 * hour, now - hour, now]);
  const begin = now - (now % hour);
  expect(stamps(timeseries.hourly)).toEqual([begin - 2 * hour, begin - hour, begin]);
  expect(timeseries.daily).toMatchObject([{ max: { load_avg: 9 }, min: { load_avg: 1 } }]);
});

test.each([
  ['nothing', ''],
  ['half a body', JSON.stringify([makeReport(Date.UTC(2026, 5, 15, 12, 30))]).slice(0, 300)],
  ['an object', '{}'],
  ['no report', '[]'],
  [
    'a negative size',
    JSON.stringify([makeReport(Date.UTC(2026, 5, 15, 12, 30), { mem: { total: -1, available: 0 } })]),
  ],
  ['too many', JSON.stringify(Array.from({ length: 51 }, (_, index) => makeReport(index)))],
  ['a number beyond any', JSON.stringify([makeReport(1)]).replace('"rx":1000', '"rx":1e999')],
])('%s is refused and changes nothing', async (_words, body) => {
  await using monitor = await testMonitor();
  const { token } = await monitor.addServer('web');
  expect(await monitor.post(token, body)).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  const { rows } = await monitor.database.store.pool.query('select * from series.server_raw');
  expect(rows).toEqual([]);
});

test('refuses a body that unpacks without end', async () => {
  await using monitor = await testMonitor();
  const { token } = await monitor.addServer('web');
  const bomb = gzipSync(Buffer.alloc(64_000_000, ' '));
  expect(await monitor.post(token, bomb, { 'content-encoding': 'gzip' })).toMatchObject({ status: 413 });
  expect(await monitor.post(token, Buffer.alloc(2_000_000, ' '))).toMatchObject({ status: 413 });
  expect(await monitor.post(token, 'no gzip', { 'content-encoding': 'gzip' })).toMatchObject({ status: 400 });
});

test('hostile text and impossible sums are stored or dropped, and other reports stay whole', async () => {
  await using monitor = await testMonitor();
  const bad = await monitor.addServer('bad');
  const good = await monitor.addServer('good');
  const { now } = monitor.clock;
  const hostile = makeReport(now, {
    os_name: '\'; drop table servers; --\u0000\u001e\\"',
    fs: Array.from({ length: 256 }, () => ({
      dev: '\u001e',
      mount: '<script>',
      total: 2 ** 60,
      used: 2 ** 60,
    })),
    load: [1e-300, 1e6, 0],
    mem: { total: 0.5, available: 2 ** 59 },
  });
  const answers = await Promise.all([
    monitor.post(bad.token, [hostile]),
    monitor.post(good.token, [makeReport(now)]),
  ]);
  expect(answers).toEqual([ok(1), ok(1)]);
  const list = await monitor.app.inject({ url: '/monitor/dumps', headers: { 'x-user': bad.owner } });
  expect(list.json()).toMatchObject([{ os_name: hostile.os_name, disk_array: expect.any(Array) }]);
});

test('unknown tokens get 401 and then have to wait, while known servers from the same address go on', async () => {
  await using monitor = await testMonitor();
  const { token } = await monitor.addServer('web');
  await monitor.post(token, [makeReport(monitor.clock.now)]);
  for (let attempt = 0; attempt < triesAMinute; attempt++)
    expect(await monitor.post(`wrong_0123456789_${attempt}`, [])).toMatchObject({ status: 401 });
  expect(await monitor.post('wrong_0123456789_last', [])).toMatchObject({
    status: 429,
    body: { retryAfterSeconds: 60 },
  });
  monitor.clock.now += step;
  expect(await monitor.post(token, [makeReport(monitor.clock.now)])).toEqual(ok(1));
  expect(await monitor.post('wrong_0123456789_last', [])).toMatchObject({ status: 401 });
});

test('a replaced token is refused at once, and the new token’s reports may start at any number', async () => {
  await using monitor = await testMonitor();
  const { id, token } = await monitor.addServer('web');
  await monitor.post(token, [makeReport(monitor.clock.now)]);
  await monitor.database.store.pool.query(
    "update servers set agent_token_hash = sha256('another_0123456789abcdef') where id = $1",
    [id],
  );
  monitor.clock.now += step;
  expect(await monitor.post(token, [makeReport(monitor.clock.now)])).toMatchObject({ status: 401 });
  const report = makeReport(monitor.clock.now, { seq: 1 });
  expect(await monitor.post('another_0123456789abcdef', [report])).toEqual(ok(1));
});

test('a removed server leaves no series behind', async () => {
  await using monitor = await testMonitor();
  const { id, token } = await monitor.addServer('web');
  await monitor.post(token, [makeReport(monitor.clock.now)]);
  const { pool } = monitor.database.store;
  await pool.query('delete from servers where id = $1', [id]);
  for (const table of ['raw', 'hourly', 'daily', 'monthly'])
    expect((await pool.query(`select * from series.server_${table}`)).rows).toEqual([]);
  monitor.clock.now += step;
  expect(await monitor.post(token, [makeReport(monitor.clock.now)])).toMatchObject({ status: 401 });
});

test('stored reports send a notification with their monitor ids, and what is not stored sends none', async () => {
  await using monitor = await testMonitor();
  const [web, mail] = [await monitor.addServer('web'), await monitor.addServer('mail')];
  const heard: string[] = [];
  const stop = await monitor.database.store.listener.on('reports', (told) => heard.push(...told.monitorIds));
  const report = [makeReport(monitor.clock.now)];
  await Promise.all([web, mail].map(({ token }) => monitor.post(token, report)));
  await expect.poll(() => heard.toSorted()).toEqual([web.monitorId, mail.monitorId].sort());
  // A repeated report is stored once.
  await monitor.post(web.token, report);
  monitor.clock.now += step;
  await monitor.post(mail.token, [makeReport(monitor.clock.now)]);
  await expect.poll(() => heard.slice(2)).toEqual([mail.monitorId]);
  stop();
});

test('containers are summed by app, and a deploy that replaces them causes no jump', async () => {
  await using monitor = await testMonitor();
  const { id, token } = await monitor.addServer('web');
  const [a = '', b = '', c = ''] = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
  const { pool } = monitor.database.store;
  await nameContainers(pool, id, 'shop', [a, b, c]);
  const { now } = monitor.clock;
  const used = (containerId: string, cpu_usec: number) => ({
    id: containerId,
    cpu_usec,
    memory: 300,
    inactive_file: 100,
    memory_max: 400,
    rx: cpu_usec,
    tx: 0,
  });
  await monitor.post(token, [
    makeReport(now - 2 * step, { apps: [used(a, 1e6), used(b, 1e6)] }),
    makeReport(now - step, { apps: [used(a, 91e6), used(b, 91e6)] }),
    makeReport(now, { apps: [used(b, 181e6), used(c, 5)] }),
  ]);
  const { rows } = await pool.query('select cpu_percent, mem_usage, rx from series.app_raw order by ts');
  expect(rows).toEqual([
    { cpu_percent: null, mem_usage: 400, rx: null },
    { cpu_percent: 100, mem_usage: 400, rx: 180e6 },
    { cpu_percent: 50, mem_usage: 400, rx: 90e6 },
  ]);
  const daily = await pool.query('select n, cpu_percent_max, rx from series.app_daily');
  expect(daily.rows).toEqual([{ n: 3, cpu_percent_max: 100, rx: 270e6 }]);
});
