import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { notificationRules } from '@homeport/contract/notifications/kinds';
import {
  createDiscord,
  createPagerduty,
  discordWebhook,
  pagerdutyKey,
  startChat,
} from '@homeport/stand-ins/chats';
import { planMessages, roomOfDestination } from '@homeport/store';
import { expect, test } from 'vitest';
import { startReceiver } from '../testing/webhook-receiver.ts';
import { claimMs } from './deliver-messages.ts';
import { addTarget, type Owned, raise, startTold, subjectsOf, type Told } from './testing.ts';

const { groupMs, perHour, summaryLines } = notificationRules;
const delivery = fileURLToPath(new URL('../testing/delivery-process.ts', import.meta.url));

const names = ({ server }: Owned) => ({ serverName: 'lantern', serverKey: server.key });
const silent = (told: Told, who: Owned) =>
  raise(told, who, 'server.offline', 'it', { event: 'server.went-silent', ...names(who), since: 0 });
const back = (told: Told, who: Owned) =>
  raise(told, who, 'server.offline', 'it', {
    event: 'server.came-back',
    ...names(who),
    since: 0,
    until: 60_000,
  });
const appOf = (who: Owned, appName: string) => ({ appName, longname: appName, ...names(who), since: 0 });
const down = (told: Told, who: Owned, appName: string) =>
  raise(told, who, 'app.down', appName, {
    ...{
      event: 'app.went-down',
      ...appOf(who, appName),
      url: 'https://app.example.com/',
      reason: 'It answered 502.',
    },
  });
const up = (told: Told, who: Owned, appName: string) =>
  raise(told, who, 'app.down', appName, { event: 'app.came-up', ...appOf(who, appName), until: 60_000 });

test('a dead server and its apps are one message to each destination, and so is their end', async () => {
  await using told = await startTold();
  await using hook = await startReceiver();
  const ada = await told.addPerson('Ada');
  await addTarget(told.store, ada, { kind: 'webhook', url: hook.url });
  await down(told, ada, 'shop');
  told.clock.now += 10_000;
  await silent(told, ada);
  await down(told, ada, 'blog');
  await told.tell();
  expect(await told.messages(), 'it gathers').toEqual([]);

  told.clock.now += groupMs - 10_000;
  await told.tell();
  expect(subjectsOf(told.mail.mails)).toEqual(['lantern is offline, and 2 apps on it are down']);
  for (const said of ['- shop is down.', '- lantern is offline', '- blog is down.'])
    expect(told.mail.mails[0]?.text).toContain(said);
  expect(told.mail.mails[0]?.text).not.toContain('within an hour');
  expect(hook.received).toHaveLength(1);

  told.clock.now += 60_000;
  for (const app of ['shop', 'blog']) await up(told, ada, app);
  await back(told, ada);
  told.clock.now += groupMs;
  await told.tell();
  expect(subjectsOf(told.mail.mails).slice(1)).toEqual(['lantern is online again, and 2 apps on it are up']);
  expect(hook.received).toHaveLength(2);
});

test('an outage alone is told as before, and what comes after it waits its turn', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await down(told, ada, 'shop');
  await told.failWork(ada, 'Start');
  await told.tell();
  expect(told.mail.mails).toEqual([]);
  told.clock.now += groupMs;
  await told.tell();
  expect(subjectsOf(told.mail.mails)).toEqual(['Outage of shop', `Start: ${ada.app.longname}`]);
});

test('the ends of outages that were told alone leave alone, each in the thread of its beginning', async () => {
  const discord = createDiscord();
  await using service = await startChat(discord.chat);
  await using told = await startTold(undefined, { addressOf: () => service.url });
  const ada = await told.addPerson('Ada');
  const url = `https://discord.com/api/webhooks/${discordWebhook.id}/${discordWebhook.token}`;
  await addTarget(told.store, ada, { kind: 'discord', url });
  for (const app of ['shop', 'blog']) {
    await down(told, ada, app);
    told.clock.now += groupMs;
    await told.tell();
    told.clock.now += groupMs;
  }
  for (const app of ['shop', 'blog']) await up(told, ada, app);
  await told.tell();
  told.clock.now += 5_000;
  await told.tell();
  const [shop, blog, ...ends] = told.mail.mails.map(({ headers }) => headers);
  expect(ends).toMatchObject([
    { subject: 'Re: Outage of shop', 'in-reply-to': shop?.['message-id'] },
    { subject: 'Re: Outage of blog', 'in-reply-to': blog?.['message-id'] },
  ]);
  expect(discord.messages.filter(({ changed }) => changed)).toHaveLength(2);
});

test('an outage that is over before it was told is one message', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await down(told, ada, 'shop');
  await up(told, ada, 'shop');
  told.clock.now += groupMs;
  await told.tell();
  expect(subjectsOf(told.mail.mails)).toEqual(['shop was down and is up again']);
});

test('an alert that PagerDuty took is not opened again because a later one failed', async () => {
  await using service = await startChat(createPagerduty().chat);
  await using told = await startTold(undefined, { addressOf: () => service.url });
  const ada = await told.addPerson('Ada');
  await addTarget(told.store, ada, { kind: 'pagerduty', key: pagerdutyKey });
  for (const app of ['shop', 'blog']) await down(told, ada, app);
  told.clock.now += groupMs;
  for (const status of [202, 503]) service.refuseNext({ status });
  await told.tell();
  told.clock.now += 60_000;
  await told.tell();
  const [shop, blog, ...again] = service.requests.map(({ body }) => JSON.parse(body).dedup_key);
  expect(again).toEqual([blog]);
  expect(blog).not.toBe(shop);
});

/** So many messages left to each of these people within this hour, to the address of their account. */
async function plantSent({ store, clock }: Told, people: readonly Owned[], messages: number): Promise<void> {
  await store.pool.query(
    `insert into notice_messages (owner_id, destination_id, summary, state, created_at, due_at, ended_at)
     select w.owner_id, w.id, false, 'sent', $2, $2, $2 from notice_destinations w, generate_series(1, $3)
     where w.owner_id = any($1::uuid[])`,
    [people.map(({ owner }) => owner), clock.now, messages],
  );
}
const failed = (told: Told, who: Owned, appName: string) =>
  raise(told, who, 'app.deploy', appName, {
    ...{ event: 'deploy.failed', appName, longname: appName, ...names(who), at: 0 },
  });

test('the last message of an hour is kept for an outage that gathers', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await plantSent(told, [ada], perHour - 2);
  for (const app of ['shop', 'blog']) await failed(told, ada, app);
  await down(told, ada, 'wiki');
  await told.tell();
  expect(subjectsOf(told.mail.mails)).toEqual(['Deploys of shop']);
  told.clock.now += groupMs;
  await told.tell();
  expect(subjectsOf(told.mail.mails).slice(1)).toEqual(['2 pieces of news']);
  expect(told.mail.mails[1]?.text).toContain('- wiki is down.');
});

test('a destination gets as many messages within the hour as its person chose, the last one with the rest', async () => {
  await using told = await startTold();
  await using hook = await startReceiver();
  const ada = await told.addPerson('Ada');
  await addTarget(told.store, ada, { kind: 'webhook', url: hook.url });
  const { db } = told.store;
  await db.updateTable('notice_destinations').set({ per_hour: 2 }).where('kind', '=', 'webhook').execute();
  await db.updateTable('notice_destinations').set({ per_hour: 3 }).where('kind', '=', 'email').execute();
  for (const app of ['shop', 'blog', 'wiki', 'mill']) await failed(told, ada, app);
  await told.tell();
  expect(hook.received).toHaveLength(2);
  expect(subjectsOf(told.mail.mails)).toEqual(['Deploys of shop', 'Deploys of blog', '2 pieces of news']);

  // A higher limit lets the next news out at once, and a lower one than what was sent holds it.
  await failed(told, ada, 'quay');
  await db.updateTable('notice_destinations').set({ per_hour: 5 }).where('kind', '=', 'webhook').execute();
  await db.updateTable('notice_destinations').set({ per_hour: 2 }).where('kind', '=', 'email').execute();
  await told.tell();
  expect(hook.received).toHaveLength(3);
  expect(told.mail.mails).toHaveLength(3);
});

test('outages that keep coming do not keep each other back', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await plantSent(told, [ada], perHour - 1);
  await down(told, ada, 'shop');
  told.clock.now += groupMs + 1;
  await down(told, ada, 'blog');
  await told.tell();
  expect(subjectsOf(told.mail.mails)).toEqual(['Outage of shop']);
});

test('people whose last message is kept hold nobody else’s', async () => {
  await using told = await startTold();
  const people: Owned[] = [];
  for (let person = 0; person < 51; person += 1) people.push(await told.addPerson(`Ada ${person}`));
  await plantSent(told, people, perHour - 1);
  for (const ada of people) {
    await failed(told, ada, 'shop');
    await down(told, ada, 'shop');
  }
  const bea = await told.addPerson('Bea');
  await told.failWork(bea, 'Start');
  await told.tell();
  expect(told.mail.mails.map(({ to }) => to)).toEqual([[bea.email]]);
});

test('what is planned for a destination is nothing once it was switched off meanwhile', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await failed(told, ada, 'shop');
  const { db, pool } = told.store;
  const { id } = await db.selectFrom('notice_destinations').select('id').executeTakeFirstOrThrow();
  const waiting = async () => {
    const { rows } = await pool.query(
      `select from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length;
  };
  const planned = await db.transaction().execute(async (held) => {
    await roomOfDestination(held, id, told.clock.now);
    const planning = planMessages(db, told.clock.now);
    await expect.poll(waiting, { timeout: 30_000 }).toBe(1);
    await held.updateTable('notice_destinations').set({ state: 'off' }).where('id', '=', id).execute();
    return { planning };
  });
  await planned.planning;
  expect(await told.messages()).toEqual([]);
}, 60_000);

test('a person whose news gathers holds nobody else’s', async () => {
  await using told = await startTold();
  for (let person = 0; person < 51; person += 1)
    await down(told, await told.addPerson(`Ada ${person}`), 'shop');
  const bea = await told.addPerson('Bea');
  await told.failWork(bea, 'Start');
  await told.tell();
  expect(told.mail.mails.map(({ to }) => to)).toEqual([[bea.email]]);
});

test('of many apps as many are named as a message has lines, and the others are counted', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  for (let app = 1; app <= summaryLines + 12; app += 1) await down(told, ada, `app-${app}`);
  told.clock.now += groupMs;
  await told.tell();
  expect(subjectsOf(told.mail.mails)).toEqual([`${summaryLines + 12} apps on lantern are down`]);
  expect(told.mail.mails[0]?.text).toContain('and 12 more.');
});

test('replicas that decide at once make one message', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  for (const app of ['shop', 'blog', 'wiki']) await down(told, ada, app);
  told.clock.now += groupMs;
  await Promise.all(Array.from({ length: 4 }, () => planMessages(told.store.db, told.clock.now)));
  expect(await told.messages()).toHaveLength(1);
});

test('a console that is killed while it sends a group loses none of it', async () => {
  const sent: string[] = [];
  let answers = false;
  await using told = await startTold(async ({ text }) => {
    sent.push(text);
    return answers ? null : new Promise<never>(() => {});
  });
  const ada = await told.addPerson('Ada');
  told.clock.now = Date.now() - groupMs;
  for (const app of ['shop', 'blog']) await down(told, ada, app);
  const teller = fork(delivery, {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, DATABASE_URL: told.database.url, SMTP_URL: told.mail.url },
  });
  const killed = once(teller, 'exit');
  await expect.poll(() => sent.length, { timeout: 40_000 }).toBe(1);
  teller.kill('SIGKILL');
  await killed;

  answers = true;
  told.clock.now = Date.now() + claimMs;
  await told.tell();
  expect(subjectsOf(told.mail.mails)).toEqual(['2 apps on lantern are down']);
  for (const text of sent) for (const app of ['shop', 'blog']) expect(text).toContain(`- ${app} is down.`);
}, 60_000);
