import { createHmac, randomUUID } from 'node:crypto';
import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { Destination, DestinationDelivery } from '@homeport/contract/destinations/schema';
import { confirmedMinutes } from '@homeport/contract/identity/facts';
import { ceilings } from '@homeport/contract/limits';
import { notificationRules } from '@homeport/contract/notifications/kinds';
import { holdPlanning, roomOfDestination } from '@homeport/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { isMailed } from '../security-events/mail-texts.ts';
import { plantOneOfEach } from '../testing/plant.ts';
import { textOfStore } from '../testing/text-of-store.ts';
import { type Received, startReceiver } from '../testing/webhook-receiver.ts';

const most = 3;
let api: TestApi;
let now = Date.now();
let people = 0;
beforeAll(async () => {
  api = await startTestApi(
    { signUps: 'open', ceilings: { ...ceilings, destinations: most } },
    { clock: () => now },
  );
});
afterAll(() => api?.[Symbol.asyncDispose]());

/** Each test has a person of its own, because tests a minute are counted for each. */
const somebody = async () => {
  people += 1;
  const person = await api.signUp(`person${people}`);
  await signedInAt(person, now);
  return person;
};

const signedInAt = ({ userId }: TestPerson, at: number) =>
  api.store.db
    .updateTable('auth.session')
    .set({ createdAt: new Date(at) })
    .where('userId', '=', userId)
    .execute();

type Made = { record: Destination; secret: string };
const add = async (person: TestPerson, url: string, name = 'Our chat') =>
  bodyOf<Made>(await person.call('POST /api/destinations', { name, target: { kind: 'webhook', url } }), 201);
const tryIt = (person: TestPerson, { record }: Made) =>
  person.call(`POST /api/destinations/${record.id}/test`);
const read = async (person: TestPerson, id: string) =>
  bodyOf<Destination[]>(await person.call('GET /api/destinations'), 200).find((each) => each.id === id);

function signatureBy(secret: string, { headers, body }: Received): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

describe('a webhook', () => {
  it('stands behind the address of the account, which cannot be changed or removed here', async () => {
    const ada = await somebody();
    const { record } = await add(ada, 'https://hooks.example.com:8443/a?b=c');
    const all = bodyOf<Destination[]>(await ada.call('GET /api/destinations'), 200);
    expect(all).toMatchObject([
      { kind: 'email', shown: ada.email, problem: 'This console has no mail server.' },
      { id: record.id, kind: 'webhook', name: 'Our chat', shown: 'hooks.example.com:8443', state: 'on' },
    ]);
    const email = all[0] as Destination;
    for (const answer of [
      await ada.call(`DELETE /api/destinations/${email.id}`),
      await ada.call(`PATCH /api/destinations/${email.id}`, { version: email.version, on: false }),
      await ada.call(`POST /api/destinations/${email.id}/secret`),
    ])
      expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  it('gets a signed message when its person asks, and the answer says what came of it', async () => {
    await using hook = await startReceiver();
    const ada = await somebody();
    const made = await add(ada, hook.url);
    const delivery = bodyOf<DestinationDelivery>(await tryIt(ada, made), 200);
    expect(delivery).toMatchObject({
      test: true,
      state: 'sent',
      answer: expect.stringMatching(/ answered 204 No Content\.$/),
    });
    const [got] = hook.received as [Received];
    expect(got.headers['webhook-id']).toBe(delivery.id);
    expect(got.headers['webhook-signature']).toBe(signatureBy(made.secret, got));
    expect(JSON.parse(got.body)).toMatchObject({ type: 'test' });
    expect((await read(ada, made.record.id))?.latest).toMatchObject({ sent: true, answer: delivery.answer });
  });

  it('has a secret and an address that are shown once: the store, the log and the answers never hold them', async () => {
    await using hook = await startReceiver();
    const ada = await somebody();
    const made = await add(ada, hook.url);
    await tryIt(ada, made);
    const answers = JSON.stringify([
      (await ada.call('GET /api/destinations')).body,
      (await ada.call(`GET /api/destinations/${made.record.id}/deliveries`)).body,
      await (await ada.open('GET /api/profile/export')).text(),
    ]);
    const store = await textOfStore(api.store.db);
    for (const hidden of [made.secret, made.secret.slice('whsec_'.length), 'the-secret-part']) {
      expect(answers).not.toContain(hidden);
      expect(store).not.toContain(hidden);
      expect(api.logged.join('\n')).not.toContain(hidden);
    }
    expect(store, 'the search finds what the store does hold').toContain(made.record.id);
  });

  it('whose secret is replaced signs with both for a day, then with the new one', async () => {
    await using hook = await startReceiver();
    const ada = await somebody();
    const made = await add(ada, hook.url);
    const replaced = bodyOf<Made>(await ada.call(`POST /api/destinations/${made.record.id}/secret`), 200);
    expect(replaced.secret).not.toBe(made.secret);
    await tryIt(ada, made);
    now += destinationLimits.previousSecretMs + 1_000;
    await tryIt(ada, made);
    const [both, one] = hook.received as [Received, Received];
    expect(both.headers['webhook-signature']).toBe(
      `${signatureBy(replaced.secret, both)} ${signatureBy(made.secret, both)}`,
    );
    expect(one.headers['webhook-signature']).toBe(signatureBy(replaced.secret, one));
  });

  it('keeps its secret when its address is replaced, and the next message goes to the new one', async () => {
    await using first = await startReceiver();
    await using second = await startReceiver();
    const ada = await somebody();
    const made = await add(ada, first.url);
    const target = { kind: 'webhook', url: second.url };
    const path = `PATCH /api/destinations/${made.record.id}`;
    expect(await ada.call(path, { version: made.record.version, target })).toMatchObject({ status: 200 });
    expect(await ada.call(path, { version: made.record.version, name: 'Late' })).toMatchObject({
      status: 409,
      body: { code: 'stale_edit', current: { id: made.record.id } },
    });
    await tryIt(ada, made);
    expect(first.received).toEqual([]);
    const [got] = second.received as [Received];
    expect(got.headers['webhook-signature']).toBe(signatureBy(made.secret, got));
  });

  it('gets another address only from a person who has just proved who they are; its name and its switch ask nothing', async () => {
    const ada = await somebody();
    const { record } = await add(ada, 'https://hooks.example.com/');
    await signedInAt(ada, now - (confirmedMinutes + 1) * 60_000);
    const path = `PATCH /api/destinations/${record.id}`;
    const target = { kind: 'webhook', url: 'https://eve.example.net/' };
    expect(await ada.call(path, { version: record.version, target })).toMatchObject({
      status: 403,
      body: { code: 'confirmation_required' },
    });
    expect(await read(ada, record.id)).toMatchObject({ shown: 'hooks.example.com', version: record.version });
    const change = { version: record.version, name: 'Our room', on: false };
    expect((await ada.call(path, change)).status).toBe(200);
  });

  it('is a security event with its kind and host when it is added, and when its address or secret is replaced', async () => {
    const ada = await somebody();
    const { record } = await add(ada, 'https://hooks.example.com/the-secret-part');
    const path = `PATCH /api/destinations/${record.id}`;
    const target = { kind: 'webhook', url: 'https://other.example.net/' };
    expect((await ada.call(path, { version: record.version, target })).status).toBe(200);
    expect((await ada.call(path, { version: record.version + 1, name: 'Our room' })).status).toBe(200);
    expect((await ada.call(`POST /api/destinations/${record.id}/secret`)).status).toBe(200);
    const events = await api.store.db
      .selectFrom('security_events')
      .select(['kind', 'subject'])
      .where('owner_id', '=', ada.userId)
      .where('kind', 'like', 'destination%')
      .orderBy('number')
      .execute();
    expect(events).toEqual([
      { kind: 'destination_added', subject: 'webhook, hooks.example.com' },
      { kind: 'destination_changed', subject: 'webhook, other.example.net' },
      { kind: 'destination_changed', subject: 'webhook, other.example.net' },
    ]);
    expect(events.every(({ kind }) => isMailed(kind))).toBe(true);
  });

  it('that answers 410 is broken until a test succeeds', async () => {
    let gone = true;
    await using hook = await startReceiver((response) => {
      if (gone) response.writeHead(410).end('<script>their words</script>');
    });
    const ada = await somebody();
    const made = await add(ada, hook.url);
    const refused = bodyOf<DestinationDelivery>(await tryIt(ada, made), 200);
    expect(refused).toMatchObject({
      state: 'refused',
      answer: expect.stringContaining('410 Gone, so nothing'),
    });
    expect(await read(ada, made.record.id)).toMatchObject({ state: 'broken', problem: refused.answer });
    expect(JSON.stringify(refused)).not.toContain('their words');
    gone = false;
    await tryIt(ada, made);
    expect(await read(ada, made.record.id)).toMatchObject({ state: 'on', problem: null });
  });

  it('that cannot take a test now is not tried again by itself', async () => {
    await using hook = await startReceiver((response) => void response.writeHead(503).end());
    const ada = await somebody();
    const made = await add(ada, hook.url);
    expect(bodyOf<DestinationDelivery>(await tryIt(ada, made), 200)).toMatchObject({
      state: 'refused',
      dueAt: null,
      answer: expect.stringContaining('503 Service Unavailable'),
    });
    expect(await read(ada, made.record.id)).toMatchObject({ state: 'on' });
  });

  it('is tested at most six times a minute by one account, whatever it removes and adds', async () => {
    await using hook = await startReceiver();
    const [ada, eve] = [await somebody(), await somebody()];
    for (let n = 0; n < destinationLimits.byHandPerMinute; n += 1) {
      const made = await add(ada, hook.url);
      expect((await tryIt(ada, made)).status).toBe(200);
      await ada.call(`DELETE /api/destinations/${made.record.id}`);
    }
    const made = await add(ada, hook.url);
    expect(await tryIt(ada, made)).toMatchObject({
      status: 429,
      body: {
        code: 'too_many',
        message: expect.stringContaining('at most 6'),
        retryAfterSeconds: expect.any(Number),
      },
    });
    expect((await tryIt(eve, await add(eve, hook.url))).status).toBe(200);
    now += 61_000;
    expect((await tryIt(ada, made)).status).toBe(200);
    expect(hook.received).toHaveLength(destinationLimits.byHandPerMinute + 2);
  });

  it('is one of so many, and those beyond are refused with the number', async () => {
    const ada = await somebody();
    const answers = await Promise.all(
      Array.from({ length: 9 }, () =>
        ada.call('POST /api/destinations', {
          name: 'chat',
          target: { kind: 'webhook', url: 'https://hooks.example.com/' },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(most);
    for (const { status, body } of answers)
      if (status !== 201)
        expect({ status, body }).toMatchObject({
          status: 409,
          body: { code: 'limit_reached', message: expect.stringContaining(`You have ${most} destinations`) },
        });
  });

  it.each([
    ['http://hooks.example.com:25/', /port 25/],
    ['ftp://hooks.example.com/', /begins with/],
    ['https://ada:word@hooks.example.com/', /user name/],
    [`https://hooks.example.com/${'a'.repeat(1_000)}`, /at most 1000/],
  ])('is not added with the address %s', async (url, words) => {
    const ada = await somebody();
    expect(
      await ada.call('POST /api/destinations', { name: 'chat', target: { kind: 'webhook', url } }),
    ).toMatchObject({
      status: 400,
      body: { fields: { 'target.url': expect.stringMatching(words) } },
    });
  });
});

describe('while news of a destination is planned', () => {
  let ada: TestPerson;
  let eve: TestPerson;
  let record: Destination;
  beforeAll(async () => {
    [ada, eve] = [await somebody(), await somebody()];
    ({ record } = await add(ada, 'https://hooks.example.com/a'));
  });

  it('nobody waits for, or holds up, the news of somebody else by asking for a message of theirs', async () => {
    await api.store.db.transaction().execute(async (planning) => {
      await roomOfDestination(planning, record.id, now);
      expect((await eve.call(`POST /api/destinations/${record.id}/test`)).status).toBe(404);
      const again = { deliveryId: randomUUID() };
      expect((await eve.call(`POST /api/destinations/${record.id}/send-again`, again)).status).toBe(404);
    });
  });

  it('a message that is planned while its destination is switched off does not leave later', async () => {
    const { db, pool } = api.store;
    const waiting = async () => {
      const { rows } = await pool.query(
        `select from pg_locks where locktype = 'advisory' and not granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows.length;
    };
    const { switched } = await db.transaction().execute(async (planning) => {
      await holdPlanning(planning, record.id);
      const change = { version: record.version, on: false };
      const answer = ada.call(`PATCH /api/destinations/${record.id}`, change);
      await expect.poll(waiting, { timeout: 30_000 }).toBe(1);
      await planning
        .insertInto('notice_messages')
        .values({
          ...{ owner_id: ada.userId, destination_id: record.id, summary: false },
          ...{ created_at: now, due_at: now },
        })
        .execute();
      return { switched: answer };
    });
    expect((await switched).status).toBe(200);
    const messages = await db
      .selectFrom('notice_messages')
      .select('state')
      .where('destination_id', '=', record.id)
      .execute();
    expect(messages).toEqual([{ state: 'unsent' }]);
  }, 60_000);
});

describe('the address of the account', () => {
  const emailOf = async (person: TestPerson) =>
    bodyOf<Destination[]>(await person.call('GET /api/destinations'), 200)[0] as Destination;
  const plantSent = async ({ userId }: TestPerson, id: string, test: boolean, messages: number) => {
    await api.store.db
      .insertInto('notice_messages')
      .values(
        Array.from({ length: messages }, () => ({
          ...{ owner_id: userId, destination_id: id, state: 'sent' as const, summary: false, test },
          ...{ created_at: now, due_at: now, ended_at: now },
        })),
      )
      .execute();
  };

  it('gets at most ten messages an hour, tests among them, and the tenth is news', async () => {
    const ada = await somebody();
    const { id } = await emailOf(ada);
    await plantSent(ada, id, false, 8);
    expect((await ada.call(`POST /api/destinations/${id}/test`)).status).toBe(200);
    await plantSent(ada, id, true, 1);
    expect(await ada.call(`POST /api/destinations/${id}/test`)).toMatchObject({
      status: 429,
      body: { code: 'too_many', message: expect.stringContaining('at most 10 messages an hour') },
    });
  });

  it('is not mailed the same message again within the hour', async () => {
    const ada = await somebody();
    const { id } = await emailOf(ada);
    const { deliveries } = await plantOneOfEach(api.store.db, ada.userId);
    await api.store.db
      .updateTable('notice_messages')
      .set({ destination_id: id, state: 'sent', ended_at: now })
      .where('id', '=', deliveries)
      .execute();
    await api.store.db
      .updateTable('notice_deliveries')
      .set({ destination_id: id })
      .where('message_id', '=', deliveries)
      .execute();
    const again = () => ada.call(`POST /api/destinations/${id}/send-again`, { deliveryId: deliveries });
    expect(await again()).toMatchObject({
      status: 409,
      body: { message: 'This message was mailed within the last hour.' },
    });
    now += notificationRules.hourMs + 1_000;
    expect((await again()).status).toBe(200);
  });
});

it('a console for the internet sends nothing to its own network, by a test or otherwise', async () => {
  await using hook = await startReceiver();
  await using strict = await startTestApi({ allowPrivateTargets: false });
  const ada = await strict.signUp('ada');
  const refused = /at an address that this console does not send to\.$/;
  for (const [url, answer] of [
    [hook.url, refused],
    [`${strict.url}/api/profile`, refused],
    [hook.url.replace('127.0.0.1', 'localhost'), /^DNS has no address for .* that this console sends to\.$/],
  ] as const) {
    const delivery = bodyOf<DestinationDelivery>(await tryIt(ada, await add(ada, url)), 200);
    expect(delivery).toMatchObject({ state: 'refused', answer: expect.stringMatching(answer) });
  }
  expect(hook.received).toEqual([]);
});
