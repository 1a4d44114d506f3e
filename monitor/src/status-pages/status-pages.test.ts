import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { statusPageRules } from '@homeport/contract/status-pages/facts';
import {
  addProxyUse,
  claimStatusPages,
  keepStatusRenders,
  makeStatusPageDue,
  readStatusPage,
  renderTimes,
  tendPartitions,
} from '@homeport/store';
import { type TestDatabase, testDatabase } from '@homeport/store/testing';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openPageMemory, type PageMemory } from './page-memory.ts';
import { statusPageRoutes } from './routes.ts';
import { renderDuePages, startRenderer } from './start-renderer.ts';
import { dayMs, plantCheckedApp, plantPage } from './testing.ts';

/** Noon, so that no test passes midnight. */
const noon = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2;
const publicUrl = 'https://console.example.com';

let database: TestDatabase;
let app: FastifyInstance;
let memory: PageMemory;
let renderer: { close(): Promise<void> };
let now = noon;
let planted: { owner: string; app: string; check: number; page: string; slug: string };

beforeAll(async () => {
  database = await testDatabase();
  const { store } = database;
  await tendPartitions(store.pool, noon);
  app = Fastify();
  const shared = { pool: store.pool, listener: store.listener, log: app.log, publicUrl, clock: () => now };
  memory = await openPageMemory(shared);
  renderer = await startRenderer(shared);
  await statusPageRoutes(app, memory);
});
afterAll(async () => {
  await app?.close();
  await renderer?.close();
  await memory?.close();
  await database?.close();
});

beforeEach(async () => {
  now = noon;
  const made = await plantCheckedApp(database.store, { now });
  const slug = `page-${randomUUID().slice(0, 8)}`;
  planted = { ...made, slug, page: await plantPage(database.store, { ...made, slug }) };
  await vi.waitFor(
    async () => {
      await renderAt(now);
      expect((await get()).statusCode).toBe(200);
    },
    { timeout: 15_000 },
  );
});

const get = (rest = '', headers: Record<string, string> = {}) =>
  app.inject({ url: `/status/${planted.slug}${rest}`, headers });
/** Renders what is due, without the messages of this file's renderer. */
const renderAt = (at: number) =>
  renderDuePages({ pool: database.store.pool, publicUrl, clock: () => at, log: app.log });

/** Goes on until a page that changed has had its next turn. */
const until = (check: () => Promise<void>) => {
  now += renderTimes.gap;
  return vi.waitFor(
    async () => {
      await renderAt(now);
      await check();
    },
    { timeout: 15_000 },
  );
};
const query = (text: string, values: unknown[]) => database.store.pool.query(text, values);

describe('a published page', () => {
  test('is finished bytes without a script, with a policy that allows none', async () => {
    const { headers, body } = await get();
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toContain(
      "default-src 'none'; style-src 'self'; img-src 'self'",
    );
    expect(headers['cache-control']).toContain('public, max-age=30');
    expect(body).toContain('<h1>Our services</h1>');
    expect(body).toContain('Everything is up');
    expect(body).not.toMatch(/<script|style=|onload/);
  });

  test('comes compressed to whom takes that, and as 304 to whom has it', async () => {
    const packed = await get('', { 'accept-encoding': 'br, gzip;q=0.8' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(packed.rawPayload).toString()).toBe((await get()).body);
    expect((await get('', { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined();
    const etag = String(packed.headers.etag);
    for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      const again = await get('', { 'if-none-match': known });
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag]);
    }
    expect((await get('', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  test('names nothing of the app, its server, its address or why it is down', async () => {
    await query(
      `insert into incidents (check_id, started_at, cause, reason) values ($1, $2, 'dns', 'hidden-reason')`,
      [planted.check, now],
    );
    await query(`update checks set confirmed = 'down' where id = $1`, [planted.check]);
    await until(async () => expect((await get()).body).toContain('class="overall down"'));
    for (const file of ['', '/feed.atom', '/status.json', '/badge.svg']) {
      const { statusCode, body } = await get(file);
      expect(statusCode).toBe(200);
      expect(body).not.toMatch(/hidden/);
      for (const id of [planted.app, planted.owner]) expect(body).not.toContain(id);
    }
  });

  test('has a feed, JSON and a badge that say the same', async () => {
    expect((await get('/status.json')).json()).toMatchObject({
      ...{ title: 'Our services', state: 'up' },
      components: [{ name: 'Shop', group: '', state: 'up', uptimePercent: null }],
    });
    const feed = await get('/feed.atom');
    expect(feed.headers['content-type']).toBe('application/atom+xml; charset=utf-8');
    expect(feed.body).toContain(`<link rel="alternate" href="${publicUrl}/status/${planted.slug}"/>`);
    const badge = await get('/badge.svg');
    expect(badge.headers['content-security-policy']).toContain('sandbox');
    expect(badge.body).toContain('<title>Our services: up</title>');
  });

  test('shows values as text, whatever they hold', async () => {
    const hostile = `</title><script>alert(1)</script>"'&]]>`;
    await query('update status_pages set title = $2 where id = $1', [planted.page, hostile]);
    await query('update status_components set name = $2, group_name = $2 where page_id = $1', [
      planted.page,
      hostile,
    ]);
    const { rows } = await query(
      `insert into status_posts (page_id, kind, title, created_at) values ($1, 'incident', $2, 1) returning id`,
      [planted.page, hostile],
    );
    await query(`insert into status_updates (post_id, state, text, at) values ($1, 'watching', $2, 2)`, [
      rows[0].id,
      `${hostile}\n\njavascript:alert(1) https://example.com/"><script> https://a:b@example.com/`,
    ]);
    await until(async () => expect((await get()).body).toContain('Watching'));
    for (const file of ['', '/feed.atom', '/badge.svg'])
      expect((await get(file)).body).not.toContain('<script');
    const { body } = await get();
    expect(body).not.toMatch(/href="(?!\/status\/|https:\/\/example\.com\/%22%3E%3Cscript%3E")/);
    expect((await get('/status.json')).json()).toMatchObject({ title: hostile });
  });

  test('is gone at once when it is hidden, moves with its slug, and ends with its account', async () => {
    const { slug, page, owner } = planted;
    await query('update status_pages set slug = $2 where id = $1', [page, `${slug}-b`]);
    await until(async () => expect((await get()).statusCode).toBe(404));
    planted.slug = `${slug}-b`;
    await until(async () => expect((await get()).statusCode).toBe(200));
    await query('update status_pages set published = false where id = $1', [page]);
    await until(async () => expect((await get()).statusCode).toBe(404));
    await query('update status_pages set published = true, due_at = 0 where id = $1', [page]);
    await until(async () => expect((await get()).statusCode).toBe(200));
    await query('delete from auth."user" where id = $1', [owner]);
    await until(async () => expect((await get()).statusCode).toBe(404));
  });

  test('loses an app with the app', async () => {
    await query('delete from apps where id = $1', [planted.app]);
    await until(async () => expect((await get()).body).not.toContain('Shop'));
  });
});

describe('a state', () => {
  const stateAt = async (at: number) => {
    now = at;
    await query('update status_pages set due_at = 0 where id = $1', [planted.page]);
    await renderAt(at);
    // The renderer of this file may have been first.
    const renderedAt = async () =>
      (await query('select rendered_at from status_pages where id = $1', [planted.page])).rows[0].rendered_at;
    await expect.poll(renderedAt).toBe(at);
    const { rows } = await query(
      `select body from status_renders where page_id = $1 and file = 'status.json'`,
      [planted.page],
    );
    return JSON.parse(String(rows[0].body)).components[0].state;
  };

  test('is unknown where nothing was checked for five minutes, and where the check is paused', async () => {
    expect(await stateAt(noon + 300_000)).toBe('up');
    expect(await stateAt(noon + 300_001)).toBe('unknown');
    await query('update checks set due_at = null where id = $1', [planted.check]);
    expect(await stateAt(noon + 1)).toBe('unknown');
  });

  test('is maintenance from its begin to its end, also while the app is down', async () => {
    await query(
      `insert into status_posts (page_id, kind, title, created_at, starts_at, ends_at) values ($1, 'maintenance', 'Disks', 1, $2, $3)`,
      [planted.page, noon + 10_000, noon + 20_000],
    );
    await query(`update checks set confirmed = 'down' where id = $1`, [planted.check]);
    expect(await stateAt(noon + 9_999)).toBe('down');
    expect(await stateAt(noon + 10_000)).toBe('maintenance');
    expect(await stateAt(noon + 20_000)).toBe('down');
  });

  test('is slow where the last checks took over three times as long as usual, and over a second', async () => {
    const average = async (ms: number) => {
      await query('delete from series.check_raw where series = $1', [planted.check]);
      for (let each = 1; each <= 5; each += 1)
        await query('insert into series.check_raw (series, ts, ok, total) values ($1, $2, true, $3)', [
          ...[planted.check, noon - each * 60_000, ms],
        ]);
    };
    await query(
      `insert into series.check_hourly select (json_populate_record(null::series.check_hourly, json_object_agg(column_name,
         case column_name when 'series' then $1::bigint when 'ts' then $2 when 'up' then 60 when 'down' then 0
           when 'total_n' then 60 when 'total_sum' then 60 * 400 else 0 end))).*
       from information_schema.columns where table_schema = 'series' and table_name = 'check_hourly'`,
      [planted.check, noon - dayMs],
    );
    await average(1_200);
    expect(await stateAt(noon)).toBe('up');
    await average(1_201);
    expect(await stateAt(noon + 1)).toBe('slow');
  });
});

test('the percentage leaves out the hours of a maintenance, and nothing else of its day', async () => {
  const hour = 3_600_000;
  const day = noon - dayMs / 2 - dayMs;
  const add = (table: string, ts: number, up: number, down: number) =>
    query(
      `insert into series.${table} select (json_populate_record(null::series.${table}, json_object_agg(column_name,
         case column_name when 'series' then $1::bigint when 'ts' then $2 when 'up' then $3 when 'down' then $4 else 0 end))).*
       from information_schema.columns where table_schema = 'series' and table_name = '${table}'`,
      [planted.check, ts, up, down],
    );
  await add('check_daily', day, 140, 60);
  await add('check_hourly', day, 50, 0);
  await add('check_hourly', day + hour, 0, 50);
  await add('check_hourly', day + 2 * hour, 40, 10);
  await add('check_hourly', day + 3 * hour, 50, 0);
  const percent = async () => {
    await query('update status_pages set title = title || $2 where id = $1', [planted.page, '.']);
    const { rows } = await query('select title from status_pages where id = $1', [planted.page]);
    let answer = { title: '', components: [{ uptimePercent: 0 }] };
    await until(async () => {
      answer = (await get('/status.json')).json();
      expect(answer.title).toBe(rows[0].title);
    });
    return answer.components[0]?.uptimePercent;
  };
  expect(await percent()).toBe(70);
  await query(
    `insert into status_posts (page_id, kind, title, created_at, starts_at, ends_at) values ($1, 'maintenance', 'Disks', 1, $2, $3)`,
    [planted.page, day + hour, day + 2 * hour],
  );
  expect(await percent()).toBe(93.33);
  // A window that concerns another app leaves everything as it is.
  await query('update status_posts set affects = $2 where page_id = $1', [planted.page, [randomUUID()]]);
  expect(await percent()).toBe(70);
});

test('an address without a page, and one that no page can have, are 404 with the same policy', async () => {
  for (const slug of ['nobody', 'UPPER', 'a--b', '..%2f', 'x'.repeat(90)]) {
    const { statusCode, headers } = await app.inject(`/status/${slug}`);
    expect(statusCode, slug).toBe(404);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  }
});

describe('with no renderer but the test', () => {
  beforeAll(() => renderer.close());

  test('a page due by time is rendered while five pages of another account are changed in a loop', async () => {
    const other = await plantCheckedApp(database.store, { now });
    const busy: string[] = [];
    for (let each = 0; each < 5; each += 1)
      busy.push(await plantPage(database.store, { ...other, slug: `busy-${randomUUID().slice(0, 8)}` }));
    await query('update status_pages set due_at = $2 where id = $1', [planted.page, now + 60_000]);
    let isOver = false;
    const editing = (async () => {
      for (let each = 0; !isOver; each += 1)
        await query('update status_pages set title = $2 where id = any ($1)', [busy, `Title ${each}`]);
    })();
    const claimOf = async (id: string) =>
      Number((await query('select claim from status_pages where id = $1', [id])).rows[0].claim);
    const before = await claimOf(planted.page);
    const busyBefore = await Promise.all(busy.map(claimOf));
    try {
      now += 60_000;
      await renderAt(now);
      expect(await claimOf(planted.page)).toBe(before + 1);
    } finally {
      isOver = true;
      await editing;
    }
    // However often they changed at this moment, each had one turn; two where its first one came before this.
    for (const [index, id] of busy.entries())
      expect((await claimOf(id)) - (busyBefore[index] ?? 0)).toBeLessThanOrEqual(2);
  });

  test('a claim takes one page of an account, the longest due first', async () => {
    const { pool } = database.store;
    const second = await plantPage(database.store, { ...planted, slug: `busy-${randomUUID().slice(0, 8)}` });
    const other = await plantCheckedApp(database.store, { now });
    const third = await plantPage(database.store, { ...other, slug: `busy-${randomUUID().slice(0, 8)}` });
    await renderAt(now);
    for (const [index, id] of [planted.page, second, third].entries())
      await query('update status_pages set due_at = $2 where id = $1', [id, 1 + index]);
    const ids = async () =>
      (await claimStatusPages(pool, { now, until: 3, atMost: 4 })).map(({ id }) => id).sort();
    expect(await ids()).toEqual([planted.page, third].sort());
    expect(await ids()).toEqual([second]);
  });

  test('of two processes that hear of a change, one renders', async () => {
    const { pool } = database.store;
    const { rows } = await query(
      'update status_pages set title = title where id = $1 returning pg_current_xact_id()::text as tx',
      [planted.page],
    );
    const change = { page: planted.page, tx: String(rows[0].tx) };
    const claims = async () =>
      (await query('select claim from status_pages where id = $1', [planted.page])).rows[0].claim;
    const before = await claims();
    now += renderTimes.gap;
    for (let process = 0; process < 2; process += 1) {
      await makeStatusPageDue(pool, change, now);
      await renderAt(now);
      now += renderTimes.gap;
    }
    expect(await claims()).toBe(before + 1);
  });

  test('what did not change is written again for its time after ten minutes only', async () => {
    const { page } = planted;
    // Without an app there is nothing that time alone turns.
    await query('delete from status_components where page_id = $1', [page]);
    const written = async (at: number) => {
      await query('update status_pages set due_at = $2 where id = $1', [page, at]);
      now = at;
      await renderAt(at);
      const { rows } = await query('select file, at, xmin::text from status_renders where page_id = $1', [
        page,
      ]);
      return new Map(rows.map(({ file, at, xmin }) => [file, `${at} ${xmin}`]));
    };
    const start = noon + 3_600_000;
    const first = await written(start);
    expect(await written(start + renderTimes.writtenEvery - 1)).toEqual(first);
    const last = await written(start + renderTimes.writtenEvery);
    expect(last.get('page')).not.toBe(first.get('page'));
    expect(last.get('feed.atom')).toBe(first.get('feed.atom'));
  });

  test('a page whose render fails holds no other, and is tried again soon', async () => {
    const other = await plantCheckedApp(database.store, { now });
    const second = await plantPage(database.store, { ...other, slug: `other-${randomUUID().slice(0, 8)}` });
    await renderAt(now);
    await query('update checks set latest = $2 where id = $1', [planted.check, '{}']);
    for (const [index, id] of [planted.page, second].entries())
      await query('update status_pages set due_at = $2, rendered_at = 0 where id = $1', [id, 1 + index]);
    await renderAt(now);
    const { rows } = await query(
      'select id, due_at, rendered_at from status_pages where id = any ($1) order by created_at, id = $2',
      [[planted.page, second], second],
    );
    expect(rows[0]).toMatchObject({ due_at: now + renderTimes.again, rendered_at: 0 });
    expect(rows[1]).toMatchObject({ due_at: now + statusPageRules.renderEveryMs, rendered_at: now });
  });

  test('a proxied domain counts minutes, however many requests somebody sends in one', async () => {
    const { store } = database;
    const { id: proxy } = await store.db
      .insertInto('proxies')
      .values({
        ...{ owner_id: planted.owner, name: 'shop', domain: `${randomUUID().slice(0, 8)}.example.com` },
        ...{ source: 'https://www.example.net', proof: randomUUID(), created_at: 1 },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await query('update status_components set app_id = null, proxy_id = $2 where page_id = $1', [
      planted.page,
      proxy,
    ]);
    const minute = (ago: number, requests: number, errors: number) => ({
      ...{ proxyId: proxy, rule: 'source', at: noon - 7_200_000 + ago * 60_000, requests, errors },
      ...{ hits: 0, bytes: 0, latencyMs: 1, latencyMaxMs: 1 },
    });
    await addProxyUse(store.pool, [
      ...[minute(0, 1, 0), minute(1, 2, 0), minute(2, 100_000, 0)],
      // Too few to say anything, and enough.
      ...[minute(3, 4, 4), minute(4, 100_000, 100_000)],
    ]);
    const percent = async () => {
      await query('update status_pages set due_at = 0 where id = $1', [planted.page]);
      await renderAt(now);
      const { rows } = await query(
        `select body from status_renders where page_id = $1 and file = 'status.json'`,
        [planted.page],
      );
      return JSON.parse(String(rows[0].body)).components[0].uptimePercent;
    };
    expect(await percent()).toBe(75);
    // Counted again, and after the minutes are gone, it is the same.
    expect(await percent()).toBe(75);
    await query('delete from proxy_use where proxy_id = $1', [proxy]);
    expect(await percent()).toBe(75);
  });

  test('an outage stays in the percentage after the hours of its day are gone, also on a day with a maintenance', async () => {
    const day = noon - dayMs / 2 - 70 * dayMs;
    await query(
      `insert into series.check_daily select (json_populate_record(null::series.check_daily, json_object_agg(column_name,
       case column_name when 'series' then $1::bigint when 'ts' then $2 when 'up' then 14 when 'down' then 10 else 0 end))).*
     from information_schema.columns where table_schema = 'series' and table_name = 'check_daily'`,
      [planted.check, day],
    );
    await query(
      `insert into status_posts (page_id, kind, title, created_at, starts_at, ends_at) values ($1, 'maintenance', 'Disks', 1, $2, $3)`,
      [planted.page, day, day + 300_000],
    );
    const page = await readStatusPage(database.store.pool, planted.page, noon);
    expect(page?.components[0]?.days.filter(({ up, down }) => up + down > 0)).toEqual([
      { up: 14, down: 10, planned: false },
    ]);
  });

  test('maintenances that overlap leave out each of their hours once, and only those', async () => {
    const day = noon - dayMs / 2 - 10 * dayMs;
    const hour = (index: number) => day + index * 3_600_000;
    for (const index of [0, 1, 2, 3, 4])
      await query(
        `insert into series.check_hourly select (json_populate_record(null::series.check_hourly, json_object_agg(column_name,
         case column_name when 'series' then $1::bigint when 'ts' then $2 when 'up' then 1 else 0 end))).*
       from information_schema.columns where table_schema = 'series' and table_name = 'check_hourly'`,
        [planted.check, hour(index)],
      );
    for (const [from, to] of [
      [hour(1), hour(2)],
      [hour(1) + 1, hour(3)],
      [hour(2), hour(2) + 1],
    ])
      await query(
        `insert into status_posts (page_id, kind, title, created_at, starts_at, ends_at) values ($1, 'maintenance', 'Disks', 1, $2, $3)`,
        [planted.page, from, to],
      );
    const page = await readStatusPage(database.store.pool, planted.page, noon);
    // A maintenance that ends with an hour does not touch the next one.
    expect(page?.components[0]?.days.filter(({ planned }) => planned)).toEqual([
      { up: 3, down: 0, planned: true },
    ]);
  });

  test('a page that is hidden while it is rendered keeps nothing of that', async () => {
    const { page } = planted;
    const { rows } = await query('select claim from status_pages where id = $1', [page]);
    await query('update status_pages set published = false where id = $1', [page]);
    await query('delete from status_renders where page_id = $1', [page]);
    const render = { file: 'page' as const, body: Buffer.from('a'), gzip: Buffer.from('a'), etag: '"a"' };
    await keepStatusRenders(
      database.store.pool,
      { id: page, claim: rows[0].claim },
      { renders: [render], at: now },
    );
    expect((await query('select from status_renders where page_id = $1', [page])).rowCount).toBe(0);
  });
});
