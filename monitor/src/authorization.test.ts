import type { RouteSchemas } from '@homeport/contract/route';
import { monitorRoutes } from '@homeport/contract/stats/schema';
import { databaseSeries, nameContainers } from '@homeport/store';
import { watchWrites } from '@homeport/store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeReport, type TestMonitor, testMonitor } from './testing.ts';

/** Derived from the route table. The test tries a new route without any change here, or fails until it can try that route. */
const table = Object.entries(monitorRoutes) as [keyof typeof monitorRoutes, RouteSchemas][];

/** The kind of record that a path's parameter names, by the words before the parameter. */
const kinds: Record<string, keyof Things> = {
  '/monitor/dump/': 'server',
  '/monitor/apps/': 'app',
  '/monitor/databases/': 'database',
  '/monitor/uptime/': 'app',
};
/** The kind of record that a list shows of its owner. */
const listed: Record<string, keyof Things> = {
  '/monitor/dumps': 'server',
  '/monitor/apps': 'app',
  '/monitor/databases': 'database',
  '/monitor/uptime': 'app',
  '/metrics': 'server',
};
type Things = { owner: string; server: string; app: string; database: string };

describe.each(table)('%s', (key, { access }) => {
  let monitor: TestMonitor;
  let mine: Things;
  let theirs: Things;
  let written: () => Promise<string[]>;
  beforeAll(async () => {
    monitor = await testMonitor();
    mine = await plant(monitor, 'mine');
    theirs = await plant(monitor, 'theirs');
    written = await watchWrites(monitor.database.store);
  });
  afterAll(() => monitor[Symbol.asyncDispose]());

  const [method = '', path = ''] = key.split(' ');
  const before = path.slice(0, path.indexOf(':') + 1).slice(0, -1);
  const after = /:[^/]+(.*)$/.exec(path)?.[1] ?? '';
  const call = (things: Things, headers: Record<string, string>) =>
    monitor.app.inject({
      method: method as 'GET',
      url: before ? before + things[kinds[before] ?? 'owner'] + after : path,
      headers,
    });

  it('answers a request without a session or token with 401', async () => {
    expect((await call(mine, {})).statusCode).toBe(401);
  });

  if (method === 'GET') {
    it('writes nothing', async () => {
      await written();
      expect((await call(mine, { 'x-user': mine.owner })).statusCode).toBe(200);
      expect(await written()).toEqual([]);
    });
  }

  if (access === 'agent') {
    it('refuses a session, and every token that is not a server’s', async () => {
      const headers = [
        { 'x-user': mine.owner },
        { authorization: `Bearer ${'a'.repeat(43)}`, 'x-user': mine.owner },
        { authorization: 'Basic YTpi' },
      ];
      for (const one of headers) expect((await call(mine, one)).statusCode).toBe(401);
    });
  } else if (before) {
    it('answers 404 for another person’s record, and 200 for one’s own', async () => {
      expect(Object.keys(kinds), 'what its parameter names').toContain(before);
      expect((await call(theirs, { 'x-user': mine.owner })).statusCode).toBe(404);
      expect((await call(mine, { 'x-user': mine.owner })).statusCode).toBe(200);
    });
  } else {
    it('shows one’s own records and nobody else’s', async () => {
      const { body } = await call(mine, { 'x-user': mine.owner });
      expect(Object.keys(listed), 'what it lists').toContain(path);
      expect(body).toContain(mine[listed[path] ?? 'owner']);
      for (const value of Object.values(theirs)) expect(body).not.toContain(value);
    });
  }

  it('is for signed-in persons or for agents', () => {
    expect(['signed-in', 'agent']).toContain(access);
  });
});

/** Adds a person with a server, and an app and a database on that server, all measured. */
async function plant(monitor: TestMonitor, name: string): Promise<Things> {
  const { id, token, monitorId, owner } = await monitor.addServer(name);
  const { pool } = monitor.database.store;
  const app = `app-${name}`;
  await pool.query(
    `with app as (
       insert into apps (owner_id, server_id, name, longname, monitor_id, plan, created_at)
       values ($1, $2, 'shop', 'shop', $3, 3, 0) returning id)
     insert into checks (app_id, domain, created_at) select id, 'shop.example.com', 0 from app`,
    [owner, id, app],
  );
  const containerId = 'c'.repeat(64);
  await nameContainers(pool, id, 'shop', [containerId]);
  const { rows } = await pool.query<{ id: string }>(
    `insert into databases (owner_id, server_id, name, longname, type, created_at)
     values ($1, $2, 'ledger', 'ledger', 'postgres', 0) returning id`,
    [owner, id],
  );
  const ledger = 'd'.repeat(64);
  await nameContainers(pool, id, databaseSeries('postgres', 'ledger'), [ledger]);
  const apps = [containerId, ledger].map((each) => ({ id: each, memory: 1 }));
  expect(await monitor.post(token, [makeReport(monitor.clock.now, { apps })])).toMatchObject({ status: 200 });
  return { owner, server: monitorId, app, database: rows[0]?.id ?? '' };
}
