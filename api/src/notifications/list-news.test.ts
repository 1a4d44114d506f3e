import { notificationRules } from '@homeport/contract/notifications/kinds';
import { type NewsFilter, ownerFromSession, raiseFailedOperations } from '@homeport/store';
import { expect, test } from 'vitest';
import { bodyOf, startTestApi } from '../http/testing.ts';
import { plantOneOfEach, plantSilence } from '../testing/plant.ts';
import { startReceiver } from '../testing/webhook-receiver.ts';
import { listNews } from './list-news.ts';
import { addTarget, type Owned, startTold } from './testing.ts';

type Told = Awaited<ReturnType<typeof startTold>>;

const list = ({ store, clock }: Told, { owner }: Owned, filter: NewsFilter = {}) =>
  store.read(ownerFromSession(owner), (scope) => listNews(scope, filter, clock.now));

/** News that a server is silent, in a thread of its own. Returns the thread's id. */
const silence = ({ store: { db }, clock }: Told, { owner, server }: Owned) =>
  plantSilence(db, owner, server, clock.now - 600_000);

test('a piece of news names each destination with what was answered there', async () => {
  await using told = await startTold();
  await using hook = await startReceiver((response) => void response.writeHead(400).end());
  const ada = await told.addPerson('Ada');
  await addTarget(told.store, ada, { kind: 'webhook', url: hook.url });
  await told.failWork(ada, 'Start');
  await raiseFailedOperations(told.store.pool, told.clock.now);
  expect(await list(told, ada)).toMatchObject({
    next: null,
    news: [
      {
        ...{ kind: 'operation', text: `Start of ${ada.app.longname} failed.`, state: 'none' },
        page: `/app/${ada.server.key}/${ada.app.longname}`,
        told: [
          { name: 'E-mail', state: 'gathering', attempts: 0, answer: null, endedAt: null },
          { name: 'webhook', state: 'gathering' },
        ],
      },
    ],
  });

  await told.tell();
  const [piece] = (await list(told, ada)).news;
  expect(piece?.told).toMatchObject([
    { kind: 'email', state: 'sent', answer: expect.stringMatching(/^250 /), endedAt: told.clock.now },
    { kind: 'webhook', state: 'refused', answer: expect.stringContaining('400'), attempts: 1, dueAt: null },
  ]);
});

test('what began is open until it is over, and then says when', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  const thread = await silence(told, ada);
  const since = told.clock.now - 600_000;
  expect((await list(told, ada)).news).toMatchObject([{ state: 'firing', since, overAt: null, told: [] }]);
  await told.store.db
    .updateTable('notice_threads')
    .set({ ended_at: told.clock.now })
    .where('id', '=', thread)
    .execute();
  expect((await list(told, ada)).news).toMatchObject([{ since, overAt: told.clock.now }]);
});

test('news is filtered by its kind and by what it is about; a server has the news of its apps', async () => {
  await using told = await startTold();
  const [ada, bea] = [await told.addPerson('Ada'), await told.addPerson('Bea')];
  await told.failWork(ada, 'Start');
  await told.failWork(bea, 'Start');
  await raiseFailedOperations(told.store.pool, told.clock.now);
  await silence(told, ada);
  const kinds = async (filter: NewsFilter) => (await list(told, ada, filter)).news.map(({ kind }) => kind);
  expect(await kinds({})).toEqual(['server.offline', 'operation']);
  expect(await kinds({ kind: 'operation' })).toEqual(['operation']);
  expect(await kinds({ about: ada.server.id })).toEqual(['server.offline', 'operation']);
  expect(await kinds({ about: ada.app.id })).toEqual(['operation']);
  expect(await kinds({ about: ada.app.id, kind: 'server.offline' })).toEqual([]);
  expect(await kinds({ about: bea.server.id }), 'somebody else’s').toEqual([]);
  const { subjects } = await list(told, ada, { kind: 'app.down' });
  expect(subjects.toSorted((a, b) => a.of.localeCompare(b.of))).toEqual([
    { id: ada.app.id, of: 'app', name: 'shop' },
    { id: ada.server.id, of: 'server', name: ada.server.name },
  ]);
});

test('pages follow each other without a gap and without a repetition', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  const { pageOfNews } = notificationRules;
  for (let work = 0; work < pageOfNews + 2; work += 1) await told.failWork(ada, `Work ${work}`);
  await raiseFailedOperations(told.store.pool, told.clock.now);
  const first = await list(told, ada);
  expect(first.news).toHaveLength(pageOfNews);
  const second = await list(told, ada, { before: first.next ?? 0 });
  expect(second.news).toHaveLength(2);
  expect(second.next).toBeNull();
  const ids = [...first.news, ...second.news].map(({ id }) => id);
  expect(new Set(ids).size).toBe(pageOfNews + 2);
});

test('pages hear of news when it is raised, and when its destination has answered', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  const heard: unknown[] = [];
  await told.store.listener.on('changed', (change) => {
    if (change.topic === 'notifications') heard.push(change);
  });
  await told.failWork(ada, 'Start');
  await raiseFailedOperations(told.store.pool, told.clock.now);
  const change = { owner: ada.owner, topic: 'notifications', id: null };
  await expect.poll(() => heard).toEqual([change]);
  await told.tell();
  await expect.poll(() => heard).toEqual([change, change]);
});

test('the route takes a filter, and refuses one that is none', async () => {
  await using api = await startTestApi();
  const ada = await api.signUp('ada');
  const things = await plantOneOfEach(api.store.db, ada.userId);
  const ask = (query: string) => ada.call(`GET /api/notifications${query}`);
  expect(bodyOf(await ask('?kind=operation'), 200)).toMatchObject({
    news: [{ kind: 'operation', told: [{ state: 'refused', destinationId: things.destinations }] }],
  });
  expect(bodyOf(await ask(`?about=${things.apps}`), 200)).toMatchObject({ news: [] });
  for (const bad of ['?kind=everything', '?about=shop', '?before=-1'])
    expect((await ask(bad)).status, bad).toBe(400);
});
