import type { NoticeEvent } from '@homeport/contract/notifications/events';
import { expect, test } from 'vitest';
import { testDatabase } from '../testing.ts';
import { planMessages } from './plan-messages.ts';
import { raiseNotices } from './raise-notices.ts';

test('what is grave passes in quiet hours and so does the end of it, and other ends wait', async () => {
  await using database = await testDatabase();
  const { pool, db } = database.store;
  const { rows } = await pool.query<{ id: string }>(
    `insert into auth."user" (name, email, "emailVerified") values ('Ada', 'ada@example.test', true) returning id`,
  );
  const ownerId = rows[0]?.id ?? '';
  await pool.query('update notice_destinations set quiet_hours = $1', [
    JSON.stringify({ from: '22:00', to: '07:00', zone: 'Europe/Berlin', grave: true }),
  ]);
  let now = Date.parse('2026-07-01T21:00:00Z');
  /** Raises news of one incident. Returns how many messages there are when it is planned. */
  const raise = async (kind: 'proxy.domain' | 'server.disk', facts: NoticeEvent): Promise<number> => {
    now += 60_000;
    const subject = { ownerId, serverId: null, appId: null, kind, startedAt: now, mark: 0 };
    await raiseNotices(pool, [{ ...subject, incident: kind, facts }], now);
    await planMessages(db, now);
    return (await pool.query('select from notice_messages')).rowCount ?? 0;
  };
  const domain = { proxyName: 'shop', proxyId: 'p', domain: 'shop.example.com' };
  const astray = { since: now, missing: 'pointing', servedUntil: now } as const;
  const disk = { serverName: 'lantern', serverKey: 'kx7' };
  expect(await raise('server.disk', { event: 'disk.filled', ...disk, since: now, percent: 92 })).toBe(0);
  expect(await raise('proxy.domain', { event: 'domain.astray', ...domain, ...astray })).toBe(0);
  expect(await raise('proxy.domain', { event: 'domain.unserved', ...domain, at: now })).toBe(1);
  expect(await raise('server.disk', { event: 'disk.eased', ...disk, until: now, percent: 80 })).toBe(1);
  const back = { since: now - 60_000, until: now };
  expect(await raise('proxy.domain', { event: 'domain.back', ...domain, ...back })).toBe(2);
  now = Date.parse('2026-07-02T05:00:00Z');
  await planMessages(db, now);
  const messages = await pool.query('select summary from notice_messages');
  expect(messages.rows).toEqual([{ summary: false }, { summary: false }, { summary: false }]);
});
