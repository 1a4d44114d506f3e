import { destinationLimits } from '@homeport/contract/destinations/facts';
import { expect, test } from 'vitest';
import { startReceiver } from '../testing/webhook-receiver.ts';
import { addTarget, type Owned, startTold, subjectsOf } from './testing.ts';

type Told = Awaited<ReturnType<typeof startTold>>;

const addWebhook = ({ store }: Told, person: Owned, url: string) =>
  addTarget(store, person, { kind: 'webhook', url });

const messagesTo = ({ store }: Told, destination: string) =>
  store.db
    .selectFrom('notice_messages')
    .selectAll()
    .where('destination_id', '=', destination)
    .orderBy('number')
    .execute();

const never = () => new Promise<void>(() => {});

test('destinations that never answer hold no other one, also where one account has more than its places', async () => {
  await using told = await startTold();
  await using slow = await startReceiver(never);
  await using quick = await startReceiver();
  const [eve, ada] = [await told.addPerson('Eve'), await told.addPerson('Ada')];
  for (let n = 0; n < 2 * destinationLimits.underWayOfOwner; n += 1) await addWebhook(told, eve, slow.url);
  await told.failWork(eve, 'Work of Eve');
  const telling = told.tell();
  await expect.poll(() => slow.received.length, { timeout: 10_000 }).toBeGreaterThan(0);

  // While the tries of Eve go on, news of Ada is found, planned and sent.
  const destination = await addWebhook(told, ada, quick.url);
  told.clock.now += 20_000;
  await told.failWork(ada, 'Work of Ada');
  await expect.poll(() => quick.received.length, { timeout: 15_000 }).toBe(1);
  expect(slow.received.length).toBeLessThanOrEqual(destinationLimits.underWayOfOwner);
  expect(await messagesTo(told, destination)).toMatchObject([
    { state: expect.stringMatching(/sent|waiting/) },
  ]);
  await slow[Symbol.asyncDispose]();
  await telling;
}, 60_000);

test('a failed try is repeated with the same id, later each time, and given up at last', async () => {
  const statuses = [503, 500, 429, 408, 425, 502, 504];
  await using told = await startTold();
  await using hook = await startReceiver(
    (response) => void response.writeHead(statuses.shift() ?? 204).end(),
  );
  const ada = await told.addPerson('Ada');
  const destination = await addWebhook(told, ada, hook.url);
  await told.failWork(ada, 'Work');
  let before = 0;
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    await told.tell();
    const [message] = await messagesTo(told, destination);
    expect(message).toMatchObject({ attempts: attempt, state: attempt < 7 ? 'waiting' : 'refused' });
    if (!message || attempt === 7) continue;
    expect(message.due_at - told.clock.now).toBeGreaterThan(before);
    before = message.due_at - told.clock.now;
    told.clock.now = message.due_at;
  }
  expect(new Set(hook.received.map(({ headers }) => headers['webhook-id']))).toHaveLength(1);
  expect(hook.received).toHaveLength(7);
});

test('waits for as long as Retry-After says, and for an hour at most', async () => {
  await using told = await startTold();
  await using hook = await startReceiver(
    (response) => void response.writeHead(429, { 'retry-after': '86400' }).end(),
  );
  const ada = await told.addPerson('Ada');
  const destination = await addWebhook(told, ada, hook.url);
  await told.failWork(ada, 'Work');
  await told.tell();
  const [message] = await messagesTo(told, destination);
  expect(message?.due_at).toBe(told.clock.now + destinationLimits.retryAfterMs);
});

test('of a destination that broke nothing that waits is sent, and the e-mail of its person goes on', async () => {
  await using told = await startTold();
  await using hook = await startReceiver((response) => void response.writeHead(410).end());
  const ada = await told.addPerson('Ada');
  const destination = await addWebhook(told, ada, hook.url);
  for (const work of ['First', 'Second', 'Third']) await told.failWork(ada, work);
  await told.tell();
  expect(hook.received).toHaveLength(1);
  expect(await messagesTo(told, destination)).toMatchObject([
    { state: 'refused', answer: expect.stringContaining('410 Gone') },
    { state: 'unsent' },
    { state: 'unsent' },
  ]);
  told.clock.now += 60_000;
  await told.failWork(ada, 'Fourth');
  await told.tell();
  expect(hook.received).toHaveLength(1);
  const subjects = subjectsOf(told.mail.mails);
  expect(subjects, 'four failures, and once that the destination is broken').toHaveLength(5);
  expect(subjects.filter((subject) => subject === 'Destination webhook')).toHaveLength(1);
  expect(
    await told.store.db.selectFrom('notice_destinations').select(['kind', 'state']).orderBy('kind').execute(),
  ).toEqual([
    { kind: 'email', state: 'on' },
    { kind: 'webhook', state: 'broken' },
  ]);
});

test('a destination that broke by a test is no news, because its person has seen the answer', async () => {
  await using told = await startTold();
  await using hook = await startReceiver((response) => void response.writeHead(410).end());
  const ada = await told.addPerson('Ada');
  const destination = await addWebhook(told, ada, hook.url);
  await told.store.db
    .insertInto('notice_messages')
    .values({
      ...{ owner_id: ada.owner, destination_id: destination, summary: false, test: true },
      ...{ created_at: told.clock.now, due_at: told.clock.now },
    })
    .execute();
  for (let look = 0; look < 2; look += 1) {
    await told.tell();
    told.clock.now += 60_000;
  }
  expect(hook.received).toHaveLength(1);
  expect(told.mail.mails).toEqual([]);
});

test('an answer about a target that was replaced meanwhile breaks nothing', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  const replaced: string[] = [];
  await using hook = await startReceiver(async (response) => {
    await told.store.db
      .updateTable('notice_destinations')
      .set((eb) => ({ version: eb('version', '+', 1) }))
      .where('id', '=', replaced[0] ?? '')
      .execute();
    response.writeHead(404).end();
  });
  replaced.push(await addWebhook(told, ada, hook.url));
  await told.failWork(ada, 'Work');
  await told.tell();
  expect(
    await told.store.db
      .selectFrom('notice_destinations')
      .select('state')
      .where('kind', '=', 'webhook')
      .execute(),
  ).toEqual([{ state: 'on' }]);
});

test('the sealed target of one destination does not open in the row of another', async () => {
  await using told = await startTold();
  await using hook = await startReceiver();
  const [ada, eve] = [await told.addPerson('Ada'), await told.addPerson('Eve')];
  const [hers, other] = [await addWebhook(told, ada, hook.url), await addWebhook(told, eve, hook.url)];
  await told.store.pool.query(
    'update notice_destinations set sealed = (select sealed from notice_destinations where id = $1) where id = $2',
    [hers, other],
  );
  await told.failWork(eve, 'Work');
  await told.tell();
  expect(hook.received).toEqual([]);
  expect(await messagesTo(told, other)).toMatchObject([
    { state: 'refused', answer: expect.stringContaining('Replace it') },
  ]);
});
