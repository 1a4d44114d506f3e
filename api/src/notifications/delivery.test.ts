import { openStore, planMessages, raiseFailedOperations } from '@homeport/store';
import { expect, test } from 'vitest';
import type { Mail } from '../testing/mail-server.ts';
import { plantDatabase } from '../testing/plant.ts';
import { tellOnce } from './start-delivery.ts';
import { origin, startTold, subjectsOf } from './testing.ts';

const minute = 60_000;
const hour = 60 * minute;

test('a failed operation that no page showed is mailed after a minute, once', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await told.failWork(ada, 'Start', { ended_at: told.clock.now - minute + 1_000 });
  await told.tell();
  expect(told.mail.mails).toEqual([]);

  told.clock.now += 20_000;
  await told.tell();
  told.clock.now += 20_000;
  await told.tell();
  expect(told.mail.mails).toHaveLength(1);
  const [mail] = told.mail.mails as [Mail];
  const page = `${origin}/app/${ada.server.key}/${ada.app.longname}`;
  expect(mail.to).toEqual([ada.email]);
  expect(mail.headers).toMatchObject({
    subject: `Start: ${ada.app.longname}`,
    from: 'Homeport <console@example.com>',
    'auto-submitted': 'auto-generated',
  });
  for (const part of [
    'Hello Ada,',
    `Start of ${ada.app.longname} failed.`,
    'Step:   Start the app',
    `See the page: ${page}\r\n`,
    `${page}#notifications`,
  ])
    expect(mail.text).toContain(part);
  expect(await told.messages()).toMatchObject([{ state: 'sent', answer: expect.stringMatching(/^250 /) }]);
});

test('the mail about a failed operation on a database leads to the database', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  const { id } = await plantDatabase(told.store.db, ada.owner, ada.server.id, { longname: 'orders-abc123' });
  const work = { kind: 'database.start', app_id: null, database_id: id, longname: 'orders-abc123' };
  await told.failWork(ada, 'Start', work);
  await told.tell();
  const [mail] = told.mail.mails as [Mail];
  expect(mail.text).toContain('Start of orders-abc123 failed.');
  expect(mail.text).toContain(`See the page: ${origin}/databases/orders-abc123?id=${id}\r\n`);
  expect(mail.text).toContain(`${origin}/server/${ada.server.key}#notifications`);
});

test('a failed operation that a page showed is not mailed', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await told.failWork(ada, 'Start', { seen_at: told.clock.now });
  await told.tell();
  expect(told.mail.mails).toEqual([]);
});

test('work that fails again continues its thread', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  const id = await told.failWork(ada, 'Start');
  for (let failure = 1; failure <= 3; failure += 1) {
    await told.tell();
    told.clock.now += hour;
    await told.store.db
      .updateTable('operations')
      .set({ ended_at: told.clock.now - 2 * minute })
      .where('id', '=', id)
      .execute();
  }
  const [first, second, third] = told.mail.mails.map(({ headers }) => headers);
  expect(first).toMatchObject({ 'message-id': expect.stringMatching(/^<[0-9a-f-]{36}@example\.com>$/) });
  expect(first).not.toHaveProperty('references');
  expect(second).toMatchObject({
    subject: `Re: ${first?.subject}`,
    'in-reply-to': first?.['message-id'],
    references: first?.['message-id'],
  });
  expect(third).toMatchObject({
    'in-reply-to': second?.['message-id'],
    references: `${first?.['message-id']} ${second?.['message-id']}`,
  });
});

test('deploys that fail are one thread until one succeeds, and a rebuild that failed here is told of as work', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  const set = (facts: { deploy_failed_at: number | null; deployed_at?: number }) =>
    told.store.db.updateTable('apps').set(facts).where('id', '=', ada.app.id).execute();
  const next = async (facts: Parameters<typeof set>[0]) => {
    told.clock.now += hour;
    await set(facts);
    await told.tell();
  };
  await next({ deploy_failed_at: told.clock.now });
  await next({ deploy_failed_at: told.clock.now });
  await next({ deploy_failed_at: null, deployed_at: told.clock.now });
  await next({ deploy_failed_at: told.clock.now });
  expect(subjectsOf(told.mail.mails)).toEqual(['Deploys of shop', 'Re: Deploys of shop', 'Deploys of shop']);

  told.clock.now += hour;
  const ended_at = told.clock.now - 2 * minute;
  await told.failWork(ada, 'Rebuild', { kind: 'app.rebuild', started_at: ended_at - minute, ended_at });
  await next({ deploy_failed_at: ended_at + 30_000 });
  expect(subjectsOf(told.mail.mails).slice(3)).toEqual([`Rebuild: ${ada.app.longname}`]);
});

test('two replicas that look at once send each message once, in the order of its person', async () => {
  let asked = 0;
  let release = (_taken: null) => {};
  const released = new Promise<null>((resolve) => {
    release = resolve;
  });
  await using told = await startTold(() => {
    asked += 1;
    return released;
  });
  const people = await Promise.all(['Ada', 'Bea', 'Cleo', 'Dora'].map((name) => told.addPerson(name)));
  for (const person of people)
    for (let work = 1; work <= 5; work += 1) await told.failWork(person, `Work ${work}`);
  const other = await openStore({ url: told.database.url });
  try {
    const [here, there] = [told.replicaOn(told.store), told.replicaOn(other)];
    const first = tellOnce(here, () => false);
    await expect.poll(() => asked, { timeout: 10_000 }).toBe(people.length);
    await tellOnce(there, () => false);
    expect(asked, 'what one replica has, the other leaves alone').toBe(people.length);
    release(null);
    await Promise.all([first, tellOnce(there, () => false)]);
  } finally {
    await other.close();
  }
  for (const { email, app } of people) {
    const mine = told.mail.mails.filter(({ to }) => to.includes(email));
    expect(subjectsOf(mine)).toEqual([1, 2, 3, 4, 5].map((work) => `Work ${work}: ${app.longname}`));
  }
  expect(told.mail.mails).toHaveLength(20);
});

test('ten messages leave within an hour, the last of them a summary, and the rest in another when there is room', async () => {
  await using told = await startTold();
  const [ada, bea] = [await told.addPerson('Ada'), await told.addPerson('Bea')];
  for (let work = 1; work <= 30; work += 1) await told.failWork(ada, `Work ${work}`);
  await told.failWork(bea, 'Other work');
  await told.tell();
  const hers = () => told.mail.mails.filter(({ to }) => to.includes(ada.email));
  expect(subjectsOf(hers())).toEqual([
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((work) => `Work ${work}: ${ada.app.longname}`),
    '21 pieces of news',
  ]);
  expect(hers().at(-1)?.text).toContain(`- Work 30 of ${ada.app.longname} failed.`);
  expect(told.mail.mails.filter(({ to }) => to.includes(bea.email))).toHaveLength(1);

  told.clock.now += 30 * minute;
  await told.failWork(ada, 'Late work');
  await told.failWork(ada, 'Later work');
  await told.tell();
  expect(hers()).toHaveLength(10);
  told.clock.now += 30 * minute;
  await told.tell();
  expect(subjectsOf(hers()).slice(10)).toEqual([
    `Late work: ${ada.app.longname}`,
    `Later work: ${ada.app.longname}`,
  ]);
});

test('replicas that decide at once do not exceed the limit together', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  for (let work = 1; work <= 30; work += 1) await told.failWork(ada, `Work ${work}`);
  const { pool, db } = told.store;
  await raiseFailedOperations(pool, told.clock.now);
  await Promise.all(Array.from({ length: 4 }, () => planMessages(db, told.clock.now)));
  expect(await told.messages()).toHaveLength(10);
  await told.tell();
  expect(told.mail.mails).toHaveLength(10);
});

test('a summary counts what it has no lines for', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  for (let work = 1; work <= 70; work += 1) await told.failWork(ada, `Work ${work}`);
  await told.tell();
  const summary = told.mail.mails.at(-1);
  expect(summary?.headers.subject).toBe('61 pieces of news');
  expect(summary?.text).toContain('and 11 more.');
  expect(summary?.text).not.toContain('Work 70 ');
});

test('what somebody wrote into a name adds no header and no recipient', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada\r\nBcc: eve@example.com');
  await told.failWork(ada, 'Start\r\nBcc: eve@example.com\r\n\r\nBody');
  await told.tell();
  const [mail] = told.mail.mails as [Mail];
  expect(mail.to).toEqual([ada.email]);
  expect(mail.headers).not.toHaveProperty('bcc');
  expect(mail.text.slice(0, mail.text.indexOf('\r\n\r\n'))).not.toMatch(/^bcc/im);
});

test('a message that the mail server cannot take now is tried again under the same identifier', async () => {
  const identifiers: (string | undefined)[] = [];
  await using told = await startTold(({ headers }) => {
    identifiers.push(headers['message-id']);
    return identifiers.length < 3 ? { code: 451, text: 'Try again later' } : null;
  });
  const ada = await told.addPerson('Ada');
  await told.failWork(ada, 'Start');
  await told.tell();
  expect(await told.messages()).toMatchObject([{ state: 'waiting', answer: '451 Try again later' }]);
  await told.tell();
  expect(identifiers).toHaveLength(1);
  told.clock.now += minute;
  await told.tell();
  told.clock.now += 5 * minute;
  await told.tell();
  expect(await told.messages()).toMatchObject([{ state: 'sent', attempts: 3 }]);
  expect(told.mail.mails).toHaveLength(1);
  expect(new Set(identifiers).size).toBe(1);
});

test('what the mail server refuses for good is not sent again, and its answer is kept', async () => {
  await using told = await startTold(() => ({ code: 550, text: 'No such mailbox' }));
  const ada = await told.addPerson('Ada');
  await told.failWork(ada, 'Start');
  await told.tell();
  told.clock.now += 24 * hour;
  await told.tell();
  expect(await told.messages()).toMatchObject([
    { state: 'refused', answer: '550 No such mailbox', attempts: 1 },
  ]);
});

test('a mail server that is away is named by no address', async () => {
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await told.failWork(ada, 'Start');
  await told.mail.close();
  await told.tell();
  expect(await told.messages()).toMatchObject([
    { state: 'waiting', answer: 'The mail server could not be reached (ESOCKET).' },
  ]);
});

test('nobody is mailed without a mail server, or at an address that is not verified', async () => {
  await using bare = await startTold(undefined, { hasMailServer: false });
  await bare.failWork(await bare.addPerson('Ada'), 'Start');
  await bare.tell();
  expect(await bare.messages()).toMatchObject([
    { state: 'unsent', answer: 'This console has no mail server.' },
  ]);

  await using told = await startTold();
  await told.failWork(await told.addPerson('Bea', { verified: false }), 'Start');
  await told.tell();
  expect(told.mail.mails).toEqual([]);
  expect(await told.messages()).toMatchObject([
    { state: 'unsent', answer: 'Your e-mail address is not verified.' },
  ]);
});
