import type { AddedKind } from '@homeport/contract/destinations/facts';
import type { Destination, DestinationDelivery, Target } from '@homeport/contract/destinations/schema';
import { ceilings } from '@homeport/contract/limits';
import type { NewsPage } from '@homeport/contract/notifications/news-page';
import { createSlack, slackPath, startChat } from '@homeport/stand-ins/chats';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, password, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { textOfStore } from '../testing/text-of-store.ts';

let api: TestApi;
let ada: TestPerson;
let now = Date.now();
beforeAll(async () => {
  api = await startTestApi(
    { signUps: 'open', ceilings: { ...ceilings, destinations: 50 } },
    { clock: () => now },
  );
  ada = await api.signUp('ada');
});
afterAll(() => api?.[Symbol.asyncDispose]());

const secret = 'Tr0ub4dor-and-3-secret-parts';
/** The browser of RFC 8291, appendix A. */
const browserKeys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};
const key = 'aZ09'.repeat(8);
/** Each kind's target, and the parts of it that nobody sees again. */
const targets: {
  [K in AddedKind]: { target: Extract<Target, { kind: K }>; hidden: string[]; shown: string };
} = {
  webhook: {
    target: { kind: 'webhook', url: `http://127.0.0.1:61999/${secret}` },
    hidden: [secret],
    shown: '127.0.0.1:61999',
  },
  slack: {
    target: { kind: 'slack', url: `https://hooks.slack.com/services/T0/B0/${secret}` },
    ...{ hidden: [secret], shown: 'workspace T0' },
  },
  discord: {
    target: { kind: 'discord', url: `https://discord.com/api/webhooks/77/${secret}` },
    ...{ hidden: [secret], shown: 'webhook 77' },
  },
  ntfy: {
    target: { kind: 'ntfy', url: 'http://127.0.0.1:61999/secret-topic-of-ada', token: secret },
    ...{ hidden: ['secret-topic-of-ada', secret], shown: '127.0.0.1:61999' },
  },
  telegram: {
    target: { kind: 'telegram', token: `110201543:${secret}` },
    hidden: [secret],
    shown: 'no chat',
  },
  gotify: {
    target: { kind: 'gotify', url: 'http://127.0.0.1:61999/push', token: secret },
    ...{ hidden: [secret], shown: '127.0.0.1:61999' },
  },
  pushover: {
    target: { kind: 'pushover', user: 'u'.repeat(30), token: 't'.repeat(30) },
    ...{ hidden: ['u'.repeat(30), 't'.repeat(30)], shown: 'pushover.net' },
  },
  teams: {
    target: { kind: 'teams', url: `https://prod-7.westeurope.logic.azure.com/x?sig=${secret}` },
    ...{ hidden: [secret], shown: 'prod-7.westeurope.logic.azure.com' },
  },
  matrix: {
    target: { kind: 'matrix', url: 'http://127.0.0.1:61999', room: '!room:matrix.example', token: secret },
    ...{ hidden: [secret], shown: '!room:matrix.example at 127.0.0.1:61999' },
  },
  pagerduty: {
    target: { kind: 'pagerduty', key, region: 'eu' },
    hidden: [key],
    shown: 'events.eu.pagerduty.com',
  },
  'web-push': {
    target: { kind: 'web-push', endpoint: `https://127.0.0.1:61999/${secret}`, ...browserKeys },
    ...{ hidden: [secret, ...Object.values(browserKeys)], shown: '127.0.0.1:61999' },
  },
};
type Made = { record: Destination; secret: string | null };

it.each(Object.values(targets))(
  'a destination of kind $target.kind is added, tried and changed, and what is secret of it is nowhere in clear',
  async ({ target, hidden, shown }) => {
    now += 60_000;
    // Adding asks for a proof of the last ten minutes.
    bodyOf(await ada.call('POST /api/session/confirm', { by: 'password', password }), 200);
    const { record } = bodyOf<Made>(await ada.call('POST /api/destinations', { name: 'Ours', target }), 201);
    const isComplete = target.kind !== 'telegram';
    expect(record).toMatchObject({ kind: target.kind, shown, state: isComplete ? 'on' : 'off' });
    // Nothing answers in these tests. The address of a workflow is Microsoft's own, so none is tried.
    if (isComplete && target.kind !== 'teams')
      expect(await ada.call(`POST /api/destinations/${record.id}/test`)).toMatchObject({
        ...{ status: 200, body: { test: true, state: 'refused', answer: expect.any(String) } },
      });
    // A test that finds a destination broken changes it.
    const all = bodyOf<Destination[]>(await ada.call('GET /api/destinations'), 200);
    const version = all.find(({ id }) => id === record.id)?.version;
    expect(await ada.call(`PATCH /api/destinations/${record.id}`, { version, target })).toMatchObject({
      status: 200,
    });
    const answers = JSON.stringify([
      (await ada.call('GET /api/destinations')).body,
      (await ada.call(`GET /api/destinations/${record.id}/deliveries`)).body,
      await (await ada.open('GET /api/profile/export')).text(),
    ]);
    const store = await textOfStore(api.store.db);
    expect(store, 'the search finds what the store does hold').toContain(record.id);
    for (const part of hidden) {
      expect(answers).not.toContain(part);
      expect(store).not.toContain(part);
      expect(api.logged.join('\n')).not.toContain(part);
    }
  },
);

it.each(
  Object.values(targets).flatMap(({ target }) =>
    Object.keys(target)
      .filter((field) => field !== 'kind')
      .map((field) => [target.kind, field, target] as const),
  ),
)(
  'a destination of kind %s with a wrong %s is not added, and the answer names the field',
  async (_kind, field, target) => {
    for (const value of ['a b\r\nx: y', '<b é>', 'x'.repeat(1_001), 7, null])
      expect(
        await ada.call('POST /api/destinations', { name: 'Ours', target: { ...target, [field]: value } }),
      ).toMatchObject({ status: 400, body: { fields: { [`target.${field}`]: expect.any(String) } } });
  },
);

it('a test says what the service answered, in the console’s words', async () => {
  const slack = createSlack();
  await using service = await startChat(slack.chat);
  await using console = await startTestApi({ signUps: 'open' }, { serviceAddress: () => service.url });
  const eve = await console.signUp('eve');
  const test = async (path: string) => {
    const target = { kind: 'slack', url: `https://hooks.slack.com${path}` };
    const { record } = bodyOf<Made>(await eve.call('POST /api/destinations', { name: 'Ours', target }), 201);
    return bodyOf<DestinationDelivery>(await eve.call(`POST /api/destinations/${record.id}/test`), 200);
  };
  expect(await test(slackPath)).toMatchObject({ state: 'sent', answer: 'Slack answered 200 OK.' });
  expect(slack.seen[0]?.text).toMatch(/^Test\nThis is a test\./);
  expect(await test('/services/T9/B9/x')).toMatchObject({
    state: 'refused',
    answer: expect.stringContaining('the workspace does not exist any more'),
  });
});

it('a destination of a kind that a newer console added is left out of the list and of the news', async () => {
  const { rows } = await api.store.pool.query<{ id: string }>(
    `with pigeon as (
       insert into notice_destinations (owner_id, kind, name, shown, sealed, created_at) values ($1, 'pigeon', 'Loft', 'Loft', '', 0) returning id),
     thread as (insert into notice_threads (owner_id, kind, incident, started_at) values ($1, 'operation', 'operation 1', 0) returning id),
     notice as (insert into notices (thread_id, owner_id, event, mark, facts, created_at)
       select id, $1, 'operation.failed', 0, '{"event":"operation.failed","title":"Start","step":null,"at":0,"longname":null,"serverName":null,"serverKey":null}', 0
       from thread returning id)
     insert into notice_deliveries (notice_id, destination_id, owner_id, grave) select notice.id, pigeon.id, $1, false from notice, pigeon
     returning destination_id as id`,
    [ada.userId],
  );
  const listed = bodyOf<Destination[]>(await ada.call('GET /api/destinations'), 200);
  expect(listed.map(({ id }) => id)).not.toContain(rows[0]?.id);
  expect(listed.map(({ kind }) => kind)).toContain('email');
  const { news } = bodyOf<NewsPage>(await ada.call('GET /api/notifications'), 200);
  expect(news).toMatchObject([{ text: 'Start failed.', told: [] }]);
  bodyOf(await ada.call(`GET /api/destinations/${rows[0]?.id}/deliveries`), 404);
});
