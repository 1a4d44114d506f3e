import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { notificationRules } from '@homeport/contract/notifications/kinds';
import { planRepeats } from '@homeport/store';
import { expect, test } from 'vitest';
import { startReceiver } from '../../testing/webhook-receiver.ts';
import { claimMs } from '../deliver-messages.ts';
import { addTarget, type Owned, raise, startTold, subjectsOf, type Told } from '../testing.ts';

const minute = 60_000;
const hour = 60 * minute;
const { groupMs } = notificationRules;
const delivery = fileURLToPath(new URL('../../testing/delivery-process.ts', import.meta.url));

const names = ({ server }: Owned) => ({ serverName: 'lantern', serverKey: server.key });
const filled = (told: Told, who: Owned, thing = 'it') =>
  raise(told, who, 'server.disk', thing, {
    ...{ event: 'disk.filled', ...names(who), since: told.clock.now, percent: 92 },
  });
const silent = (told: Told, who: Owned) =>
  raise(told, who, 'server.offline', 'it', {
    ...{ event: 'server.went-silent', ...names(who), since: told.clock.now },
  });

type Change = { ended_at?: number; acknowledged_at?: number | null; acknowledged_by?: string | null };
const change = ({ store }: Told, to: Change) => store.db.updateTable('notice_threads').set(to).execute();
const acknowledge = (told: Told) => change(told, { acknowledged_at: told.clock.now, acknowledged_by: 'Ada' });
const repeat = ({ store }: Told, repeat_hours = 1) =>
  store.db.updateTable('notice_destinations').set({ repeat_hours }).execute();

const pass = async (told: Told, ms: number) => {
  told.clock.now += ms;
  await told.tell();
};

test('what goes on is repeated until somebody acknowledges it, in the thread of its first message', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await filled(told, ada);
  await pass(told, 0);
  await pass(told, hour);
  expect(told.mail.mails, 'nobody asked for it').toHaveLength(1);
  await repeat(told);
  await pass(told, minute);
  expect(subjectsOf(told.mail.mails)).toEqual(['Disk of lantern', 'Re: Disk of lantern']);
  expect(told.mail.mails[1]?.text).toContain('Still so after 1 h 1 min: The disk of lantern is 92.0 % full.');
  expect(told.mail.mails[1]?.headers['in-reply-to']).toBe(told.mail.mails[0]?.headers['message-id']);
  await pass(told, hour - 1);
  expect(told.mail.mails).toHaveLength(2);
  await pass(told, minute);
  expect(told.mail.mails).toHaveLength(3);

  await acknowledge(told);
  await pass(told, 3 * hour);
  expect(told.mail.mails).toHaveLength(3);
  await change(told, { acknowledged_at: null, acknowledged_by: null });
  await pass(told, minute);
  expect(told.mail.mails).toHaveLength(4);
  await change(told, { ended_at: told.clock.now });
  await pass(told, 3 * hour);
  expect(told.mail.mails).toHaveLength(4);
});

test('however much goes on, one message reminds of all of it', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await repeat(told);
  for (let thing = 0; thing < 6; thing += 1) {
    await filled(told, ada, `disk ${thing}`);
    await pass(told, 5 * minute);
  }
  expect(told.mail.mails).toHaveLength(6);
  await pass(told, 35 * minute);
  expect(subjectsOf(told.mail.mails).slice(6)).toEqual([
    '6 incidents go on, and nobody has acknowledged them',
  ]);
  let sent = told.mail.mails.length;
  for (let later = 0; later < 12; later += 1) {
    await pass(told, 5 * minute);
    expect(told.mail.mails.length - sent).toBeLessThanOrEqual(1);
  }
  sent = told.mail.mails.length - 7;
  expect(sent, 'in one hour').toBeGreaterThanOrEqual(1);
  expect(sent).toBeLessThanOrEqual(2);
});

test('a reminder counts within the hour, and leaves the last place to news', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await repeat(told);
  await told.store.db.updateTable('notice_destinations').set({ per_hour: 2 }).execute();
  await filled(told, ada);
  await pass(told, 0);
  await pass(told, 30 * minute);
  await filled(told, ada, 'another');
  await pass(told, 0);
  await pass(told, 30 * minute);
  expect(told.mail.mails, 'one place is left, and news may come').toHaveLength(2);
  await pass(told, 30 * minute);
  expect(told.mail.mails).toHaveLength(3);
  await told.failWork(ada, 'Start');
  await pass(told, minute);
  await told.failWork(ada, 'Stop');
  await pass(told, minute);
  expect(told.mail.mails, 'the reminder took a place').toHaveLength(4);
});

test('quiet hours delay a reminder, save of what passes then', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await repeat(told);
  const hours = { from: '22:00', to: '07:00', zone: 'UTC' };
  const set = (grave: boolean) =>
    told.store.db
      .updateTable('notice_destinations')
      .set({ quiet_hours: JSON.stringify({ ...hours, grave }) })
      .execute();
  told.clock.now = Date.parse('2026-07-01T21:30:00Z');
  await filled(told, ada);
  await silent(told, ada);
  await pass(told, groupMs);
  expect(told.mail.mails).toHaveLength(2);
  await set(false);
  told.clock.now = Date.parse('2026-07-02T02:00:00Z');
  await pass(told, 0);
  expect(told.mail.mails).toHaveLength(2);
  await set(true);
  await pass(told, minute);
  expect(subjectsOf(told.mail.mails).slice(2), 'the outage alone').toEqual(['Re: Reports of lantern']);
  told.clock.now = Date.parse('2026-07-02T07:00:00Z');
  await pass(told, 0);
  expect(subjectsOf(told.mail.mails).slice(3)).toEqual([
    '2 incidents go on, and nobody has acknowledged them',
  ]);
});

test('behind a destination that does not answer one reminder waits, however long that takes', async () => {
  let answers = true;
  await using hook = await startReceiver((response) => {
    if (!answers) response.writeHead(503).end();
  });
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  const id = await addTarget(told.store, ada, { kind: 'webhook', url: hook.url });
  await told.store.db
    .updateTable('notice_destinations')
    .set({ repeat_hours: 1 })
    .where('id', '=', id)
    .execute();
  await filled(told, ada);
  await pass(told, 0);
  answers = false;
  for (let later = 0; later < 12; later += 1) await pass(told, hour);
  const waiting = (await told.messages()).filter(({ repeats }) => repeats !== null);
  expect(waiting).toMatchObject([{ state: 'waiting' }]);
});

test('destinations without room keep nobody else from being reminded', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await filled(told, ada);
  const full = Array.from(
    { length: 51 },
    (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  );
  await told.store.db
    .insertInto('notice_destinations')
    .values(
      full.map((id) => ({
        id,
        owner_id: ada.owner,
        kind: 'webhook',
        created_at: 0,
        per_hour: 2,
        repeat_hours: 1,
      })),
    )
    .execute();
  await told.store.pool.query(
    `with sent as (insert into notice_messages (owner_id, destination_id, summary, state, created_at, due_at, ended_at)
       select owner_id, id, false, 'sent', $1, $1, $1 from notice_destinations where kind = 'webhook' returning id, owner_id, destination_id)
     insert into notice_deliveries (notice_id, destination_id, owner_id, message_id)
       select n.id, s.destination_id, s.owner_id, s.id from notices n, sent s`,
    [told.clock.now - hour],
  );
  // The hour of each of them is full.
  await told.store.pool.query(
    `insert into notice_messages (owner_id, destination_id, summary, state, created_at, due_at, ended_at)
     select owner_id, id, false, 'sent', $1, $1, $1 from notice_destinations, generate_series(1, 2) where kind = 'webhook'`,
    [told.clock.now + hour],
  );
  await told.store.db
    .updateTable('notice_destinations')
    .set({ repeat_hours: 1 })
    .where('kind', '=', 'email')
    .execute();
  await pass(told, 0);
  await pass(told, hour + minute);
  expect(subjectsOf(told.mail.mails)).toEqual(['Disk of lantern', 'Re: Disk of lantern']);
});

test('replicas that look at once repeat once', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await repeat(told);
  await filled(told, ada);
  await pass(told, 0);
  told.clock.now += hour;
  await Promise.all(Array.from({ length: 4 }, () => planRepeats(told.store.db, told.clock.now)));
  expect(await told.messages()).toHaveLength(2);
});

test('what is acknowledged between the decision and the sending is not repeated', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await repeat(told);
  await filled(told, ada);
  await pass(told, 0);
  told.clock.now += hour;
  await planRepeats(told.store.db, told.clock.now);
  await acknowledge(told);
  await told.tell();
  expect(told.mail.mails).toHaveLength(1);
  const repeatedAt = await told.store.db.selectFrom('notice_deliveries').select('repeated_at').execute();
  expect(repeatedAt, 'the page says of none that it was').toEqual([{ repeated_at: null }]);
  expect((await told.messages()).at(-1)).toMatchObject({
    ...{ state: 'unsent', answer: 'It was not repeated: it was over or acknowledged by then.' },
  });
});

test('a console that is killed while it repeats loses no reminder, and the next one decides on no second', async () => {
  const sent: (string | undefined)[] = [];
  let answers = true;
  await using told = await startTold(async ({ headers }) => {
    sent.push(headers['message-id']);
    return answers ? null : new Promise<never>(() => {});
  });
  const ada = await told.addPerson('Ada');
  await repeat(told);
  told.clock.now = Date.now() - hour;
  await filled(told, ada);
  await told.tell();
  answers = false;
  const teller = fork(delivery, {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, DATABASE_URL: told.database.url, SMTP_URL: told.mail.url },
  });
  const killed = once(teller, 'exit');
  await expect.poll(() => sent.length, { timeout: 40_000 }).toBe(2);
  teller.kill('SIGKILL');
  await killed;

  answers = true;
  told.clock.now = Date.now() + claimMs;
  await told.tell();
  expect(sent).toHaveLength(3);
  expect(sent[2]).toBe(sent[1]);
  expect(await told.messages()).toMatchObject([{ state: 'sent' }, { state: 'sent', attempts: 2 }]);
}, 60_000);
