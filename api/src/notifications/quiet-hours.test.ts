import type { QuietHours } from '@homeport/contract/destinations/quiet-hours';
import { noticeEventSchema } from '@homeport/contract/notifications/events';
import { graveEvents } from '@homeport/contract/notifications/kinds';
import { expect, test } from 'vitest';
import { startReceiver } from '../testing/webhook-receiver.ts';
import { addTarget, type Owned, raise, startTold, subjectsOf, type Told } from './testing.ts';

const minute = 60_000;
const hour = 60 * minute;
const berlin = { from: '22:00', to: '07:00', zone: 'Europe/Berlin', grave: false };

/** Half past eleven in the evening of Berlin, in summer, and seven on the morning after. */
const evening = Date.parse('2026-07-01T21:30:00Z');
const morning = Date.parse('2026-07-02T05:00:00Z');

const setHours = ({ store }: Told, { owner }: Owned, hours: QuietHours | null) =>
  store.db
    .updateTable('notice_destinations')
    .set({ quiet_hours: hours && JSON.stringify(hours) })
    .where('owner_id', '=', owner)
    .where('kind', '=', 'email')
    .execute();

const names = ({ server }: Owned) => ({ serverName: 'lantern', serverKey: server.key });
const silent = (told: Told, who: Owned) =>
  raise(told, who, 'server.offline', 'it', {
    ...{ event: 'server.went-silent', ...names(who), since: told.clock.now },
  });
const back = (told: Told, who: Owned, since: number) =>
  raise(told, who, 'server.offline', 'it', {
    ...{ event: 'server.came-back', ...names(who), since, until: told.clock.now },
  });
const filled = (told: Told, who: Owned) =>
  raise(told, who, 'server.disk', 'it', {
    ...{ event: 'disk.filled', ...names(who), since: told.clock.now, percent: 92 },
  });
const eased = (told: Told, who: Owned) =>
  raise(told, who, 'server.disk', 'it', {
    ...{ event: 'disk.eased', ...names(who), until: told.clock.now, percent: 80 },
  });

test('news waits for the end of the night in its person’s zone, and for no other destination', async () => {
  await using told = await startTold();
  await using hook = await startReceiver();
  const ada = await told.addPerson('Ada');
  await addTarget(told.store, ada, { kind: 'webhook', url: hook.url });
  await setHours(told, ada, berlin);
  told.clock.now = evening;
  for (const work of ['First', 'Second']) await told.failWork(ada, work);
  await told.tell();
  expect(told.mail.mails).toEqual([]);
  expect(hook.received).toHaveLength(2);
  told.clock.now = morning - minute;
  await told.tell();
  expect(told.mail.mails).toEqual([]);
  told.clock.now = morning;
  await told.tell();
  expect(subjectsOf(told.mail.mails)).toEqual(
    ['First', 'Second'].map((work) => `${work}: ${ada.app.longname}`),
  );
});

test('news of hours that are over, and of hours that its person ends, leaves', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await setHours(told, ada, { ...berlin, from: '23:00', to: '23:30' });
  told.clock.now = evening - minute;
  await told.failWork(ada, 'Within');
  await told.tell();
  expect(told.mail.mails).toEqual([]);
  told.clock.now = evening;
  await told.tell();
  expect(told.mail.mails, 'the end is outside').toHaveLength(1);
  await setHours(told, ada, berlin);
  told.clock.now += minute;
  await told.failWork(ada, 'Within others');
  await told.tell();
  expect(told.mail.mails).toHaveLength(1);
  await setHours(told, ada, null);
  await told.tell();
  expect(told.mail.mails).toHaveLength(2);
});

test('what ends within quiet hours is one message with its duration', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await setHours(told, ada, berlin);
  told.clock.now = evening;
  await silent(told, ada);
  await filled(told, ada);
  told.clock.now = evening + 2 * hour;
  await back(told, ada, evening);
  told.clock.now = evening + 3 * hour;
  await eased(told, ada);
  await told.tell();
  expect(told.mail.mails).toEqual([]);
  told.clock.now = morning;
  await told.tell();
  expect(subjectsOf(told.mail.mails)).toEqual([
    'lantern was offline and is online again',
    'Disk of lantern, over after 3 h 0 min',
  ]);
  expect(told.mail.mails[0]?.text).toContain('- lantern is online again after 2 h 0 min.');
});

test('what was told before and ends within quiet hours is told at their end, in its thread', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await setHours(told, ada, berlin);
  told.clock.now = evening - 2 * hour;
  await filled(told, ada);
  await told.tell();
  told.clock.now = evening;
  await eased(told, ada);
  await told.tell();
  expect(told.mail.mails).toHaveLength(1);
  told.clock.now = morning;
  await told.tell();
  expect(subjectsOf(told.mail.mails)).toEqual(['Disk of lantern', 'Re: Disk of lantern']);
});

test('several pieces of one incident follow what was told of it before', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await setHours(told, ada, berlin);
  const domain = { proxyName: 'shop', proxyId: crypto.randomUUID(), domain: 'shop.example.com' };
  const since = evening - 3 * hour;
  const of = { since, missing: 'pointing', servedUntil: evening } as const;
  told.clock.now = since;
  await raise(told, ada, 'proxy.domain', 'it', { event: 'domain.astray', ...domain, ...of });
  await told.tell();
  told.clock.now = evening;
  await raise(told, ada, 'proxy.domain', 'it', { event: 'domain.unserved', ...domain, at: evening });
  told.clock.now = evening + hour;
  await raise(told, ada, 'proxy.domain', 'it', {
    ...{ event: 'domain.back', ...domain, since, until: told.clock.now },
  });
  told.clock.now = morning;
  await told.tell();
  expect(subjectsOf(told.mail.mails)).toEqual(['Domain shop.example.com', 'Re: Domain shop.example.com']);
  expect(told.mail.mails[1]?.text).toContain('Domain shop.example.com, over after 4 h 0 min:');
});

test('outages pass where their person wants that, and other news waits', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await setHours(told, ada, { ...berlin, grave: true });
  told.clock.now = evening;
  await filled(told, ada);
  await silent(told, ada);
  told.clock.now += hour;
  await told.tell();
  await back(told, ada, evening);
  told.clock.now += hour;
  await told.tell();
  expect(subjectsOf(told.mail.mails)).toEqual(['Reports of lantern', 'Re: Reports of lantern']);
  told.clock.now = morning;
  await told.tell();
  expect(subjectsOf(told.mail.mails).slice(2)).toEqual(['Disk of lantern']);
});

test('what is grave takes with it what was raised of the same incident before', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await setHours(told, ada, { ...berlin, grave: true });
  const domain = { proxyName: 'shop', proxyId: crypto.randomUUID(), domain: 'shop.example.com' };
  const of = { since: evening, missing: 'pointing', servedUntil: evening + hour } as const;
  told.clock.now = evening;
  await raise(told, ada, 'proxy.domain', 'it', { event: 'domain.astray', ...domain, ...of });
  await told.tell();
  expect(told.mail.mails).toEqual([]);
  told.clock.now += hour;
  await raise(told, ada, 'proxy.domain', 'it', { event: 'domain.unserved', ...domain, at: told.clock.now });
  await told.tell();
  expect(subjectsOf(told.mail.mails)).toEqual(['Domain shop.example.com']);
  expect(told.mail.mails[0]?.text).toContain('DNS of shop.example.com does not lead');
  told.clock.now = morning;
  await told.tell();
  expect(told.mail.mails).toHaveLength(1);
});

test('somebody who sleeps takes no place of others in a round', async () => {
  await using told = await startTold();
  told.clock.now = evening;
  for (let person = 0; person < 51; person += 1) {
    const sleeper = await told.addPerson(`Ada ${person}`);
    await setHours(told, sleeper, { ...berlin, grave: person % 2 === 0 });
    await told.failWork(sleeper, 'Work');
  }
  const bea = await told.addPerson('Bea');
  await told.failWork(bea, 'Work');
  await told.tell();
  expect(told.mail.mails.map(({ to }) => to)).toEqual([[bea.email]]);
});

test('every grave event is an event of news', () => {
  const events = noticeEventSchema.options.map(({ shape }) => shape.event.value);
  expect(events).toEqual(expect.arrayContaining([...graveEvents]));
});
