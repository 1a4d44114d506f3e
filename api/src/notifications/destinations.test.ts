import { claimMessages, keepMessage, planMessages, raiseFailedOperations } from '@homeport/store';
import { expect, test } from 'vitest';
import { type Owned, startTold } from './testing.ts';

const minute = 60_000;
const shares = { ofOwner: 9, underWay: {} };

/** A second destination, of a kind that the api does not know. */
const addDestination = ({ store }: Awaited<ReturnType<typeof startTold>>, { owner }: Owned) =>
  store.pool.query(
    `insert into notice_destinations (owner_id, kind, created_at) values ($1, 'another kind', 0)`,
    [owner],
  );

test('everybody has the address of the account as a destination, from the beginning', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  const rows = await told.store.db.selectFrom('notice_destinations').selectAll().execute();
  expect(rows).toMatchObject([{ owner_id: ada.owner, kind: 'email', created_at: expect.any(Number) }]);
});

test('each destination gets the news in an order of its own, and waits for no other one', async () => {
  await using told = await startTold();
  const { pool, db } = told.store;
  const ada = await told.addPerson('Ada');
  await addDestination(told, ada);
  await told.failWork(ada, 'First work');
  await told.failWork(ada, 'Second work');
  await raiseFailedOperations(pool, told.clock.now);
  await planMessages(db, told.clock.now);
  expect(await told.messages()).toHaveLength(4);

  const { now } = told.clock;
  const claim = () => claimMessages(pool, { now, endsAt: now + minute, atMost: 10, ...shares });
  const kindsOf = (claimed: Awaited<ReturnType<typeof claim>>) =>
    claimed.map(({ destination }) => destination.kind).toSorted();
  const first = await claim();
  expect(kindsOf(first)).toEqual(['another kind', 'email']);
  for (const message of first)
    await keepMessage(
      pool,
      message,
      message.destination.kind === 'email'
        ? { state: 'waiting', answer: 'The mail server could not be reached.', dueAt: now + minute }
        : { state: 'sent', answer: 'ok' },
      now,
    );
  expect(kindsOf(await claim())).toEqual(['another kind']);
});

test('the limit of an hour counts for each destination', async () => {
  await using told = await startTold();
  const { pool, db } = told.store;
  const ada = await told.addPerson('Ada');
  await addDestination(told, ada);
  for (let work = 1; work <= 12; work += 1) await told.failWork(ada, `Work ${work}`);
  await raiseFailedOperations(pool, told.clock.now);
  await planMessages(db, told.clock.now);
  expect(await told.messages()).toHaveLength(20);
});

test('three accounts whose destinations take nothing keep no news of another one from leaving', async () => {
  await using told = await startTold();
  const { pool, db } = told.store;
  const { now } = told.clock;
  const names = ['Eve', 'Mallory', 'Trudy'];
  for (const name of names) {
    const full = await told.addPerson(name);
    for (let added = 1; added < 18; added += 1) await addDestination(told, full);
    await told.failWork(full, 'Their work');
  }
  await pool.query(
    `insert into notice_messages (owner_id, destination_id, summary, created_at, due_at)
      select owner_id, id, false, 0, $1 from notice_destinations, generate_series(1, 10)`,
    [now + 60 * minute],
  );
  await raiseFailedOperations(pool, now);
  told.clock.now += minute;
  const ada = await told.addPerson('Ada');
  await pool.query(
    `update notice_destinations set id = 'ffffffff-ffff-4fff-bfff-ffffffffffff' where owner_id = $1`,
    [ada.owner],
  );
  await told.failWork(ada, 'Our work');
  await raiseFailedOperations(pool, told.clock.now);
  await planMessages(db, told.clock.now);
  const messages = await told.messages();
  expect(messages.filter(({ owner_id }) => owner_id === ada.owner)).toHaveLength(1);
  expect(messages, 'those without room wait').toHaveLength(names.length * 18 * 10 + 1);
});
