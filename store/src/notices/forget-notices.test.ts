import { notificationRules } from '@homeport/contract/notifications/kinds';
import { expect, it } from 'vitest';
import { testDatabase } from '../testing.ts';
import { forgetNotices } from './forget-notices.ts';
import { raiseBrokenDestinations } from './raise-broken-destinations.ts';

it('a destination that stays broken is told of once, also after its news is forgotten', async () => {
  await using database = await testDatabase();
  const { pool } = database.store;
  const brokenAt = Date.UTC(2026, 5, 15);
  await pool.query(
    `with person as (insert into auth."user" (name, email, "emailVerified")
        values ('ada', 'ada@example.test', true) returning id)
      insert into notice_destinations (owner_id, kind, name, shown, sealed, created_at, state, problem, broken_at)
      select id, 'webhook', 'Ours', 'hooks.example.com', '', 0, 'broken', 'gone', $1 from person`,
    [brokenAt],
  );
  const count = async (table: 'notices' | 'notice_threads') =>
    (await pool.query(`select from ${table}`)).rowCount;
  await raiseBrokenDestinations(pool, brokenAt);
  expect([await count('notices'), await count('notice_threads')]).toEqual([1, 1]);

  const later = brokenAt + notificationRules.keptMs + 1;
  await forgetNotices(pool, later);
  await raiseBrokenDestinations(pool, later);
  expect([await count('notices'), await count('notice_threads')]).toEqual([0, 1]);

  await pool.query(`update notice_destinations set state = 'on', problem = null, broken_at = null`);
  await forgetNotices(pool, later);
  expect(await count('notice_threads')).toBe(0);
});

it('the start of a server is forgotten, since it has no end; what goes on is remembered', async () => {
  await using database = await testDatabase();
  const { pool } = database.store;
  const at = Date.UTC(2026, 5, 15);
  await pool.query(
    `with person as (insert into auth."user" (name, email, "emailVerified") values ('ada', 'ada@example.test', true) returning id)
      insert into notice_threads (owner_id, kind, incident, started_at)
      select id, kind, kind, $1 from person, unnest(array['server.reboot', 'server.filling']) as kind`,
    [at],
  );
  await forgetNotices(pool, at + notificationRules.keptMs + 1);
  expect((await pool.query('select kind from notice_threads')).rows).toEqual([{ kind: 'server.filling' }]);
});
