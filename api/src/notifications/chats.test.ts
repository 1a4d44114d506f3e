import { notificationRules } from '@homeport/contract/notifications/kinds';
import {
  createDiscord,
  createMatrix,
  createSlack,
  discordWebhook,
  matrixAccount,
  slackPath,
  startChat,
} from '@homeport/stand-ins/chats';
import { expect, test } from 'vitest';
import { addTarget, type Owned, startTold } from './testing.ts';

type Told = Awaited<ReturnType<typeof startTold>>;

const discordTarget = {
  kind: 'discord',
  url: `https://discord.com/api/webhooks/${discordWebhook.id}/${discordWebhook.token}`,
} as const;

/** The news that the server of this person went silent, or came back, for all of their destinations. It has gathered for long enough. */
async function raise(
  { store, clock }: Told,
  { owner, server }: Owned,
  what: 'begins' | 'ends',
  since: number,
  mark = 0,
) {
  const names = { serverName: 'lantern', serverKey: server.key, since };
  const facts =
    what === 'begins'
      ? { event: 'server.went-silent', ...names }
      : { event: 'server.came-back', ...names, until: since + 60_000 };
  await store.pool.query(
    `with thread as (
        insert into notice_threads (owner_id, kind, incident, server_id, started_at)
        values ($1, 'server.offline', $2, $3, $4) on conflict (incident) do update set incident = excluded.incident returning id),
      notice as (
        insert into notices (thread_id, owner_id, event, mark, facts, created_at)
        select id, $1, $5::jsonb ->> 'event', $7, $5, $6 from thread returning id)
      insert into notice_deliveries (notice_id, destination_id, owner_id)
      select notice.id, d.id, d.owner_id from notice, notice_destinations d where d.owner_id = $1`,
    [
      owner,
      `server.offline ${since}`,
      server.id,
      since,
      JSON.stringify(facts),
      clock.now - notificationRules.groupMs,
      mark,
    ],
  );
}

test('the end of an incident is written into the message that told of its beginning, and into no other', async () => {
  const discord = createDiscord();
  await using service = await startChat(discord.chat);
  await using told = await startTold(undefined, { addressOf: () => service.url });
  const ada = await told.addPerson('Ada');
  await addTarget(told.store, ada, discordTarget);
  for (const since of [1_000, 2_000]) {
    await raise(told, ada, 'begins', since);
    await told.tell();
    told.clock.now += 60_000;
  }
  await raise(told, ada, 'ends', 2_000);
  await told.tell();
  expect(discord.messages.map(({ changed, text }) => [changed, text.startsWith('Resolved')])).toEqual([
    [false, false],
    [true, true],
    [false, true],
  ]);
});

test('the end of an incident is written into its first message, also where it leaves with other pieces of the incident', async () => {
  const discord = createDiscord();
  await using service = await startChat(discord.chat);
  await using told = await startTold(undefined, { addressOf: () => service.url });
  const ada = await told.addPerson('Ada');
  const id = await addTarget(told.store, ada, discordTarget);
  await raise(told, ada, 'begins', 1_000);
  await told.tell();
  // With quiet hours the pieces of one incident leave together when they end.
  await told.store.pool.query('update notice_destinations set quiet_hours = $1 where id = $2', [
    JSON.stringify({ from: '00:00', to: '00:01', zone: 'UTC', grave: false }),
    id,
  ]);
  told.clock.now = Date.UTC(2099, 0, 1, 12);
  await raise(told, ada, 'begins', 1_000, 1);
  await raise(told, ada, 'ends', 1_000);
  await told.tell();
  const isOver = (text: string) => text.startsWith('lantern was offline and is online again');
  expect(discord.messages.map(({ changed, text }) => [changed, isOver(text)])).toEqual([
    [true, true],
    [false, true],
  ]);
});

test('a service may name a fraction of a millisecond to wait for', async () => {
  await using service = await startChat(createMatrix().chat);
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await addTarget(told.store, ada, { kind: 'matrix', url: service.url, ...matrixAccount });
  const body = { errcode: 'M_LIMIT_EXCEEDED', retry_after_ms: 600_000.5 };
  service.refuseNext({ status: 429, body });
  await raise(told, ada, 'begins', 1_000);
  await told.tell();
  const due = { state: 'waiting', due_at: told.clock.now + 600_001 };
  expect((await told.messages()).filter(({ state }) => state === 'waiting')).toMatchObject([due]);
});

test('a summary stays as it is when one of its incidents is over', async () => {
  const discord = createDiscord();
  await using service = await startChat(discord.chat);
  await using told = await startTold(undefined, { addressOf: () => service.url });
  const ada = await told.addPerson('Ada');
  const id = await addTarget(told.store, ada, discordTarget);
  // With nine messages in this hour, the tenth is a summary.
  await told.store.pool.query(
    `insert into notice_messages (owner_id, destination_id, summary, state, created_at, due_at, ended_at)
     select $1, $2, false, 'sent', $3, $3, $3 from generate_series(1, 9)`,
    [ada.owner, id, told.clock.now],
  );
  for (const since of [1_000, 2_000]) await raise(told, ada, 'begins', since);
  await told.tell();
  told.clock.now += 2 * 3_600_000;
  await raise(told, ada, 'ends', 1_000);
  await told.tell();
  expect(discord.messages).toMatchObject([
    { changed: false, text: expect.stringMatching(/^2 pieces of news/) },
    { changed: false, text: expect.stringMatching(/^Resolved/) },
  ]);
});

test('messages to one channel of a chat leave as far apart as the service asks', async () => {
  const slack = createSlack();
  await using service = await startChat(slack.chat);
  await using told = await startTold(undefined, { addressOf: () => service.url });
  const ada = await told.addPerson('Ada');
  await addTarget(told.store, ada, { kind: 'slack', url: `https://hooks.slack.com${slackPath}` });
  for (const work of ['First', 'Second', 'Third']) await told.failWork(ada, work);
  for (let sent = 1; sent <= 3; sent += 1) {
    await told.tell();
    expect(slack.seen).toHaveLength(sent);
    told.clock.now += 1_000;
  }
  expect(told.mail.mails, 'a mail server is asked at once').toHaveLength(3);
});
