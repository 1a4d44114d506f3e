import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '../migrate.ts';
import { readMigrations } from '../read-migrations.ts';
import { administer, testServerUrl, withDatabase } from '../testing.ts';

/** A store as the program wrote it before news had destinations. */

const name = `test_destinations_${process.pid}`;
const introducedBy = 64;
let client: pg.Client;
beforeEach(async () => {
  await administer(testServerUrl(), (admin) => admin.query(`create database ${name}`));
  client = new pg.Client({ connectionString: withDatabase(testServerUrl(), name) });
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await administer(testServerUrl(), (admin) => admin.query(`drop database ${name} with (force)`));
});

test('messages and undecided news of an older store go to the address of their person', async () => {
  const all = await readMigrations();
  await migrate(
    client,
    all.filter(({ number }) => number < introducedBy),
  );
  await client.query(`
    with people as (insert into auth."user" (name, email, "emailVerified")
        values ('Ada', 'ada@example.com', true), ('Bea', 'bea@example.com', true) returning id),
      threads as (insert into notice_threads (owner_id, kind, incident, started_at)
        select id, 'operation', 'operation of ' || id, 0 from people returning id, owner_id),
      kept as (insert into notices (thread_id, owner_id, event, mark, facts, created_at)
        select id, owner_id, 'operation.failed', mark, '{}', 0 from threads, generate_series(1, 2) mark returning id, owner_id, mark),
      messages as (insert into notice_messages (owner_id, channel, summary, created_at, due_at)
        select id, 'email', false, 0, 0 from people returning id, owner_id)
    insert into notice_deliveries (notice_id, channel, owner_id, message_id)
      select k.id, 'email', k.owner_id, case when k.mark = 1 then m.id end from kept k join messages m on m.owner_id = k.owner_id`);

  await migrate(client, all);
  const { rows } = await client.query(`
    select u.name, d.kind, m.owner_id = u.id as "ofPerson",
      (select count(*) from notice_deliveries o where o.destination_id = d.id and o.message_id = m.id) as sent,
      (select count(*) from notice_deliveries o where o.destination_id = d.id and o.message_id is null) as undecided
    from auth."user" u join notice_destinations d on d.owner_id = u.id join notice_messages m on m.destination_id = d.id
    order by u.name`);
  expect(rows.map((row) => ({ ...row, sent: Number(row.sent), undecided: Number(row.undecided) }))).toEqual([
    { name: 'Ada', kind: 'email', ofPerson: true, sent: 1, undecided: 1 },
    { name: 'Bea', kind: 'email', ofPerson: true, sent: 1, undecided: 1 },
  ]);
});
