import type { Notifications } from '@homeport/contract/notifications/routes';
import { claimMessages, forgetNotices, keepMessage, muteNotices, raiseProxyNews } from '@homeport/store';
import { expect, test } from 'vitest';
import { bodyOf, startTestApi } from '../http/testing.ts';
import { plantApp, plantOneOfEach, plantProxy, plantServer } from '../testing/plant.ts';
import { startTold, subjectsOf } from './testing.ts';

const hour = 3_600_000;
const shares = { ofOwner: 9, underWay: {} };

test('what is switched off is not told: by kind, by app and by server', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  const app = { serverId: ada.server.id, appId: ada.app.id };
  const server = { serverId: ada.server.id, appId: null };
  const failsAndIsTold = async (title: string) => {
    await told.failWork(ada, title);
    told.clock.now += hour;
    await told.tell();
    return subjectsOf(told.mail.mails).includes(`${title}: ${ada.app.longname}`);
  };
  expect(await failsAndIsTold('First')).toBe(true);
  for (const [subject, kind] of [
    [app, 'operation'],
    [app, null],
    [server, null],
  ] as const) {
    await muteNotices(told.store, subject, { kind, on: false });
    expect(await failsAndIsTold(`Off ${kind} ${subject.appId}`)).toBe(false);
    await muteNotices(told.store, subject, { kind, on: true });
    expect(await failsAndIsTold(`On ${kind} ${subject.appId}`)).toBe(true);
  }
  await muteNotices(told.store, app, { kind: 'app.deploy', on: false });
  await muteNotices(told.store, server, { kind: 'operation', on: false });
  expect(await failsAndIsTold('Another kind, and the same of its server')).toBe(true);
});

test('what waits when it is switched off does not leave, and what was off meanwhile is not told later', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  const app = { serverId: ada.server.id, appId: ada.app.id };
  for (let work = 1; work <= 11; work += 1) await told.failWork(ada, `Work ${work}`);
  await told.tell();
  expect(told.mail.mails).toHaveLength(10);
  await told.failWork(ada, 'Waiting');
  await told.tell();
  await muteNotices(told.store, app, { kind: null, on: false });
  await told.failWork(ada, 'Off');
  told.clock.now += hour;
  await told.tell();
  await muteNotices(told.store, app, { kind: null, on: true });
  await told.tell();
  expect(told.mail.mails).toHaveLength(10);
});

test('a claim that has ended keeps nothing', async () => {
  await using told = await startTold(() => ({ code: 451, text: 'Later' }));
  await told.failWork(await told.addPerson('Ada'), 'Start');
  await told.tell();
  told.clock.now += hour;
  const { pool } = told.store;
  const claim = (now: number) => claimMessages(pool, { now, endsAt: now + 1_000, atMost: 5, ...shares });
  const [late] = await claim(told.clock.now);
  expect(await claim(told.clock.now)).toEqual([]);
  const [next] = await claim(told.clock.now + 1_000);
  expect(next?.id).toBe(late?.id);
  if (!late || !next) throw new Error('Nothing was claimed.');
  await keepMessage(pool, late, { state: 'refused', answer: 'late' }, told.clock.now);
  expect(await told.messages()).toMatchObject([{ state: 'waiting' }]);
  await keepMessage(pool, next, { state: 'sent', answer: '250 OK' }, told.clock.now);
  expect(await told.messages()).toMatchObject([{ state: 'sent', answer: '250 OK' }]);
});

test('of each person the newest thousand pieces of news are kept, for ninety days', async () => {
  await using told = await startTold();
  const [ada, bea] = [await told.addPerson('Ada'), await told.addPerson('Bea')];
  await told.store.pool.query(
    `with t as (insert into notice_threads (owner_id, kind, incident, app_id, started_at, ended_at)
       select $1, 'operation', 'operation ' || n, $2, 0, 0 from generate_series(1, 1100) n returning id),
     k as (insert into notices (thread_id, owner_id, event, mark, facts, created_at)
       select id, $1, 'operation.failed', 0, '{}', $3 from t returning id)
     insert into notice_deliveries (notice_id, destination_id, owner_id)
       select k.id, d.id, $1 from k join notice_destinations d on d.owner_id = $1`,
    [ada.owner, ada.app.id, told.clock.now],
  );
  await told.failWork(bea, 'Start');
  await told.tell();
  const count = async (owner: string) => {
    const { rows } = await told.store.pool.query<{ notices: number; threads: number }>(
      `select (select count(*) from notices where owner_id = $1) as notices,
        (select count(*) from notice_threads where owner_id = $1) as threads`,
      [owner],
    );
    return rows[0];
  };
  await forgetNotices(told.store.pool, told.clock.now);
  expect(await count(ada.owner)).toMatchObject({ notices: 1_000 });
  expect(await count(bea.owner)).toEqual({ notices: 1, threads: 1 });

  await forgetNotices(told.store.pool, told.clock.now + 91 * 24 * hour);
  expect([await count(ada.owner), await count(bea.owner)]).toEqual([
    { notices: 0, threads: 0 },
    { notices: 0, threads: 0 },
  ]);
  expect(await told.messages()).toEqual([]);
});

test('a page reads and changes the switches of a server and of an app', async () => {
  await using api = await startTestApi();
  const ada = await api.signUp('ada');
  const server = await plantServer(api.store.db, ada.userId);
  const app = await plantApp(api.store.db, ada.userId, server.id);
  const ofServer = `/api/servers/${server.id}/notifications`;
  const ofApp = `/api/apps/${app.id}/notifications`;
  const read = async (path: string) => bodyOf<Notifications>(await ada.call(`GET ${path}`), 200);
  expect(await read(ofServer)).toEqual({
    email: { address: ada.email, problem: 'no_mail_server', perHour: 10 },
    silenced: false,
    silencedByServer: false,
    kinds: [
      'server.offline',
      'server.reboot',
      'server.disk',
      'server.filling',
      'server.pressure',
      'database.backup',
      'operation',
    ].map((kind) => ({
      kind,
      on: true,
    })),
    news: [],
  });
  const put = async (path: string, body: object) =>
    bodyOf<Notifications>(await ada.call(`PUT ${path}`, body), 200);
  expect((await put(ofServer, { kind: 'server.disk', on: false })).kinds).toContainEqual({
    kind: 'server.disk',
    on: false,
  });
  expect(await put(ofServer, { kind: null, on: false })).toMatchObject({ silenced: true });
  expect(await read(ofApp)).toMatchObject({ silenced: false, silencedByServer: true });
  expect((await ada.call(`PUT ${ofApp}`, { kind: 'server.disk', on: false })).status).toBe(400);
  expect(await put(ofServer, { kind: null, on: true })).toMatchObject({ silenced: false });
});

test('a page reads and changes the switches of a proxy, and reads its news', async () => {
  await using api = await startTestApi();
  const ada = await api.signUp('ada');
  const { id } = await plantProxy(api.store.db, ada.userId, {
    ...{ holds: true, allowed: false, failing_since: 1, unserved_at: 2, failures: 9 },
  });
  await raiseProxyNews(api.store.pool, Date.now());
  const path = `/api/proxies/${id}/notifications`;
  const read = bodyOf<Notifications>(await ada.call(`GET ${path}`), 200);
  expect(read.kinds).toEqual(
    ['proxy.website', 'proxy.certificate', 'proxy.domain'].map((kind) => ({ kind, on: true })),
  );
  expect(read.news).toMatchObject([
    { kind: 'proxy.domain', text: expect.stringContaining('not served any more') },
  ]);
  const put = async (body: object) => bodyOf<Notifications>(await ada.call(`PUT ${path}`, body), 200);
  expect((await put({ kind: 'proxy.domain', on: false })).kinds).toContainEqual({
    kind: 'proxy.domain',
    on: false,
  });
  expect(await put({ kind: null, on: false })).toMatchObject({ silenced: true, silencedByServer: false });
  expect((await ada.call(`PUT ${path}`, { kind: 'server.disk', on: false })).status).toBe(400);
});

test('a page says that it showed how work failed', async () => {
  await using api = await startTestApi();
  const ada = await api.signUp('ada');
  const { operations } = await plantOneOfEach(api.store.db, ada.userId);
  expect(bodyOf(await ada.call(`POST /api/operations/${operations}/seen`), 200)).toEqual({ seen: true });
  const seen = await api.store.db
    .selectFrom('operations')
    .select('id')
    .whereRef('seen_at', '>=', 'ended_at')
    .execute();
  expect(seen).toEqual([{ id: operations }]);
});
