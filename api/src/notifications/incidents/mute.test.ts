import { type NewsKind, notificationRules } from '@homeport/contract/notifications/kinds';
import type { NewsPage } from '@homeport/contract/notifications/news-page';
import { type MutedSubject, muteUntil, ownerFromSession } from '@homeport/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../../http/testing.ts';
import { plantOneOfEach } from '../../testing/plant.ts';
import { listNews } from '../list-news.ts';
import { type Owned, raise, startTold, subjectsOf, type Told } from '../testing.ts';
import { acknowledge } from './acknowledge.ts';
import { mute as muteFor } from './mute.ts';

const minute = 60_000;
const hour = 60 * minute;

let api: TestApi;
let ada: TestPerson;
let now = Date.now();
beforeAll(async () => {
  api = await startTestApi({}, { clock: () => now });
  ada = await api.signUp('ada');
});
afterAll(() => api?.[Symbol.asyncDispose]());

const mutedOf = async (who = ada) => bodyOf<NewsPage>(await who.call('GET /api/notifications'), 200).muted;

test('what is muted is listed until it ends or is unmuted, and another time takes the place of the one before', async () => {
  const things = await plantOneOfEach(api.store.db, ada.userId);
  const set = async (address: string, minutes: number | null) =>
    bodyOf(await ada.call(`PUT ${address}`, { minutes }), 200);
  const [incident, server, app] = [
    `/api/notifications/${things.notifications}/mute`,
    `/api/servers/${things.servers}/mute`,
    `/api/apps/${things.apps}/mute`,
  ];
  expect(await set(incident, 60)).toEqual({ mutedUntil: now + hour });
  await set(server, notificationRules.muteMinutes);
  await set(app, 1);
  await set(app, 480);
  const name = `of ${ada.userId}`;
  expect(await mutedOf()).toEqual([
    { of: 'incident', id: things.notifications, name: `Reports of ${name}`, until: now + hour },
    { of: 'app', id: things.apps, name, until: now + 8 * hour },
    { of: 'server', id: things.servers, name, until: now + 33 * hour },
  ]);
  now += hour;
  expect(
    (await mutedOf()).map(({ of }) => of),
    'the first is over',
  ).toEqual(['app', 'server']);
  expect(await set(app, null)).toEqual({ mutedUntil: null });
  expect((await mutedOf()).map(({ of }) => of)).toEqual(['server']);
  for (const bad of [0, -1, 1.5, notificationRules.muteMinutes + 1, '60', undefined])
    expect((await ada.call(`PUT ${server}`, { minutes: bad })).status, String(bad)).toBe(400);
  const eve = await api.signUp('eve');
  for (const address of [incident, server, app])
    expect((await eve.call(`PUT ${address}`, { minutes: 60 })).status).toBe(404);
  expect(await mutedOf(eve)).toEqual([]);
});

test('a person mutes so much at once, also with many requests at once, and what is over counts no more', async () => {
  const bea = await api.signUp('bea');
  const most = notificationRules.timedMutes;
  const threads = await api.store.db
    .insertInto('notice_threads')
    .values(
      Array.from({ length: most + 3 }, () => ({
        ...{ owner_id: bea.userId, kind: 'server.disk', incident: crypto.randomUUID(), started_at: now },
      })),
    )
    .returning('id')
    .execute();
  const set = (id = '') => bea.call(`PUT /api/notifications/${id}/mute`, { minutes: 60 });
  const answers = await Promise.all(threads.map(({ id }) => set(id)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(most);
  expect(answers.find(({ status }) => status !== 200)).toMatchObject({
    status: 429,
    body: { code: 'too_many' },
  });
  now += hour;
  expect((await set(threads[0]?.id)).status).toBe(200);
  expect(await mutedOf(bea)).toHaveLength(1);
});

const names = ({ server }: Owned) => ({ serverName: 'lantern', serverKey: server.key });
const filled = (told: Told, who: Owned, kind: NewsKind = 'server.disk') =>
  raise(told, who, kind, 'it', {
    ...{ event: 'disk.filled', ...names(who), since: told.clock.now, percent: 92 },
  });
const eased = async (told: Told, who: Owned) => {
  await raise(told, who, 'server.disk', 'it', {
    ...{ event: 'disk.eased', ...names(who), until: told.clock.now, percent: 80 },
  });
  await told.store.db.updateTable('notice_threads').set({ ended_at: told.clock.now }).execute();
};
const pass = async (told: Told, ms: number) => {
  told.clock.now += ms;
  await told.tell();
};
const mute = ({ store, clock }: Told, { owner }: Owned, subject: MutedSubject, ms: number | null) =>
  store.transact(ownerFromSession(owner), (scope) =>
    muteUntil(scope, subject, { now: clock.now, endsAt: ms === null ? null : clock.now + ms }),
  );
const serverOf = ({ server }: Owned): MutedSubject => ({ of: 'server', id: server.id });
/** What the page says of each piece: whether it was muted, and where it goes. */
const listed = async ({ store, clock }: Told, { owner }: Owned) =>
  (await store.read(ownerFromSession(owner), (scope) => listNews(scope, {}, clock.now))).news;

test('what still goes on when the mute ends is sent then, and what was over stands on the page as muted', async () => {
  await using told = await startTold();
  const person = await told.addPerson('Ada');
  await mute(told, person, serverOf(person), hour);
  await filled(told, person);
  await pass(told, 59 * minute);
  expect(told.mail.mails).toEqual([]);
  expect(await listed(told, person)).toMatchObject([
    { muted: true, told: [{ state: 'gathering', dueAt: told.clock.now + minute }] },
  ]);
  await pass(told, minute);
  expect(subjectsOf(told.mail.mails)).toEqual(['Disk of lantern']);

  await told.store.db.deleteFrom('notice_threads').execute();
  await mute(told, person, serverOf(person), hour);
  await filled(told, person);
  await pass(told, minute);
  await eased(told, person);
  await pass(told, hour);
  await pass(told, hour);
  expect(told.mail.mails).toHaveLength(1);
  expect(await listed(told, person)).toMatchObject([
    { state: 'resolved', muted: true, told: [] },
    { state: 'firing', muted: true, told: [] },
  ]);
});

test('the end of what was told before is sent in a mute too, and nothing is repeated in it', async () => {
  await using told = await startTold();
  const person = await told.addPerson('Ada');
  await told.store.db.updateTable('notice_destinations').set({ repeat_hours: 1 }).execute();
  await filled(told, person);
  await pass(told, 0);
  const { id } = await told.store.db.selectFrom('notice_threads').select('id').executeTakeFirstOrThrow();
  await mute(told, person, { of: 'incident', id }, 5 * hour);
  await pass(told, 2 * hour);
  expect(told.mail.mails).toHaveLength(1);
  await eased(told, person);
  await pass(told, minute);
  expect(subjectsOf(told.mail.mails)).toEqual(['Disk of lantern', 'Re: Disk of lantern']);
});

test('Unmute sends what goes on at once; a mute of one thing holds no other one', async () => {
  await using told = await startTold();
  const person = await told.addPerson('Ada');
  const other = await told.addPerson('Bea');
  await mute(told, person, serverOf(person), 8 * hour);
  await filled(told, person);
  await filled(told, other);
  await told.failWork(person, 'Start');
  await pass(told, minute);
  expect(told.mail.mails.map(({ to }) => to)).toEqual([[other.email]]);
  await mute(told, person, serverOf(person), null);
  await pass(told, minute);
  expect(subjectsOf(told.mail.mails).slice(1), 'failed work has no end, and is on the page').toEqual([
    'Disk of lantern',
  ]);
  expect(await listed(told, person)).toMatchObject([{ kind: 'operation', muted: true, told: [] }, {}]);
});

test('what began before a mute and is over in it is not sent as a beginning without an end', async () => {
  await using told = await startTold();
  const person = await told.addPerson('Ada');
  await raise(told, person, 'server.offline', 'it', {
    ...{ event: 'server.went-silent', ...names(person), since: told.clock.now },
  });
  await pass(told, 20_000);
  await mute(told, person, serverOf(person), hour);
  await pass(told, 30 * minute);
  await raise(told, person, 'server.offline', 'it', {
    ...{ event: 'server.came-back', ...names(person), since: 0, until: told.clock.now },
  });
  await told.store.db.updateTable('notice_threads').set({ ended_at: told.clock.now }).execute();
  await pass(told, hour);
  await pass(told, hour);
  expect(told.mail.mails).toEqual([]);
});

test('what has no end and comes after a mute is sent, also where one before it in the same thread was muted', async () => {
  await using told = await startTold();
  const person = await told.addPerson('Ada');
  const ends = (days: number) =>
    raise(told, person, 'app.certificate', 'it', {
      ...{ event: 'certificate.ends', ...names(person), appName: 'shop', longname: 'shop' },
      ...{ domain: 'shop.example.com', days, validTo: told.clock.now + days * 24 * hour },
    });
  await mute(told, person, serverOf(person), hour);
  await ends(14);
  await told.store.db.updateTable('notices').set({ mark: 14 }).execute();
  await pass(told, 2 * hour);
  expect(told.mail.mails).toEqual([]);
  await ends(7);
  await pass(told, minute);
  expect(told.mail.mails).toHaveLength(1);
});

test('a session that has ended mutes and acknowledges nothing more', async () => {
  const dan = await api.signUp('dan');
  const things = await plantOneOfEach(api.store.db, dan.userId);
  const gone = { userId: dan.userId, sessionId: crypto.randomUUID(), name: 'dan' };
  const deps = { store: api.store, clock: () => now };
  const subject = async (): Promise<MutedSubject> => ({ of: 'server', id: things.servers });
  await expect(muteFor(deps, gone, subject, 60)).rejects.toMatchObject({ code: 'not_signed_in' });
  await expect(acknowledge(deps, gone, things.notifications, true)).rejects.toMatchObject({
    code: 'not_signed_in',
  });
  expect(await mutedOf(dan)).toEqual([]);
});
