import { expect, test, vi } from 'vitest';
import { claimLook } from '../notices/claim-look.ts';
import { claimMessages } from '../notices/claim-messages.ts';
import { claimDomains } from '../proxies/domain-checks.ts';
import { administer, testDatabase } from '../testing.ts';
import { claimChecks, nextDue } from '../uptime/claim-checks.ts';
import { confirmRestoration, readRestoration } from './restoration.ts';
import { fillTables } from './testing/fill-tables.ts';

vi.setConfig({ testTimeout: 120_000 });

test('a restored console claims no work until it is confirmed, and then what is due', async () => {
  await using database = await testDatabase();
  await administer(database.url, fillTables);
  const { pool } = database.store;
  await pool.query('update restorations set backup_at = 5, restored_at = 9, confirmed_at = null');
  await pool.query(`update backup_schedules set told = '{"cron": "0 3 * * *", "timeZone": "UTC"}'`);
  await pool.query('delete from notice_looks');
  const now = Date.UTC(2026, 5, 15, 12);
  const claims = async () => ({
    checks: (await claimChecks(pool, { until: now, endsAt: now + 1, atMost: 9 })).length,
    messages: (await claimMessages(pool, { now, endsAt: now + 1, atMost: 9, ofOwner: 9, underWay: {} }))
      .length,
    domains: (await claimDomains(pool, { now, endsAt: now + 1, atMost: 9 })).length,
    look: (await claimLook(pool, 'disks', { now, everyMs: 1, gapMs: 1 })) !== null,
  });

  expect(await readRestoration(pool)).toEqual({ backupAt: 5, restoredAt: 9 });
  expect(await claims()).toEqual({ checks: 0, messages: 0, domains: 0, look: false });
  expect(await nextDue(pool)).toBeNull();

  await confirmRestoration(pool, now);
  expect(await readRestoration(pool)).toBeNull();
  expect(await nextDue(pool)).toBe(now);
  expect(await claims()).toEqual({ checks: 3, messages: 1, domains: 3, look: true });
  // The run of the coming night: those that the console did not hear of are not missed.
  const { rows } = await pool.query('select distinct due_at from backup_schedules');
  expect(rows).toEqual([{ due_at: Date.UTC(2026, 5, 16, 3) }]);

  await confirmRestoration(pool, now + 5_000);
  expect((await pool.query('select confirmed_at from restorations')).rows).toEqual([{ confirmed_at: now }]);
  expect(await nextDue(pool)).toBe(now + 1);
});
