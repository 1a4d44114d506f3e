import { destinationLimits } from '@homeport/contract/destinations/facts';
import type { ChatLink, Destination, DestinationDelivery } from '@homeport/contract/destinations/schema';
import type { SessionIdentity } from '@homeport/contract/services';
import { createTelegram, startChat, telegramBot } from '@homeport/stand-ins/chats';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSeats } from '../http/seats.ts';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import type { DestinationDeps } from './deps.ts';
import { findChat } from './link-chat.ts';

const telegram = createTelegram();
let service: Awaited<ReturnType<typeof startChat>>;
let api: TestApi;
let ada: TestPerson;
let now = Date.now();
beforeAll(async () => {
  service = await startChat(telegram.chat);
  api = await startTestApi({ signUps: 'open' }, { clock: () => now, serviceAddress: () => service.url });
  ada = await api.signUp('ada');
});
afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
});

type Found = { linked: boolean; record: Destination };
/** After a fresh proof of who she is, because tests move the clock. */
async function add(token: string = telegramBot.token) {
  const fresh = { createdAt: new Date(now) };
  await api.store.db.updateTable('auth.session').set(fresh).where('userId', '=', ada.userId).execute();
  const target = { kind: 'telegram', token };
  const answer = await ada.call('POST /api/destinations', { name: 'Ours', target });
  return bodyOf<{ record: Destination }>(answer, 201).record;
}
const link = async ({ id }: Destination) =>
  bodyOf<ChatLink>(await ada.call(`POST /api/destinations/${id}/chat-link`), 200);
const find = async ({ id }: Destination) =>
  bodyOf<Found>(await ada.call(`POST /api/destinations/${id}/chat`), 200);
const codeOf = ({ link: text }: ChatLink) => new URL(text).searchParams.get('start');

it('the chat that says the code is the destination, and the code is good once', async () => {
  const record = await add();
  expect(record).toMatchObject({ state: 'off', problem: 'No chat is linked yet.', shown: 'no chat' });
  expect((await ada.call(`POST /api/destinations/${record.id}/test`)).status).toBe(409);
  const turn = (version: number, on: boolean) =>
    ada.call(`PATCH /api/destinations/${record.id}`, { version, on });
  expect((await turn(record.version, true)).status).toBe(409);
  expect(await turn(record.version, false)).toMatchObject({ status: 200, body: { problem: record.problem } });
  expect((await turn(record.version + 1, true)).status).toBe(409);
  const made = await link(record);
  const code = codeOf(made);
  expect(made).toEqual({
    link: `https://t.me/${telegramBot.name}?start=${code}`,
    groupLink: `https://t.me/${telegramBot.name}?startgroup=${code}`,
    expiresAt: now + destinationLimits.chatLinkMinutes * 60_000,
  });
  telegram.write('/start', { id: 66 });
  telegram.write('/start guessed', { id: 66, first_name: 'Eve' });
  expect(await find(record)).toMatchObject({ linked: false, record: { state: 'off' } });
  telegram.write(`/start ${code}`, { id: 42, first_name: 'Ada\u202e\n<b>@everyone' });
  expect(await find(record)).toMatchObject({
    linked: true,
    record: { state: 'on', problem: null, shown: `Ada\ufffd <b>@everyone, by @${telegramBot.name}` },
  });
  const delivery = bodyOf<DestinationDelivery>(
    await ada.call(`POST /api/destinations/${record.id}/test`),
    200,
  );
  expect(delivery).toMatchObject({ state: 'sent', answer: 'Telegram answered 200 OK.' });
  expect(telegram.messages).toMatchObject([{ chat: 42 }]);
  telegram.write(`/start ${code}`, { id: 66, first_name: 'Eve' });
  expect(await ada.call(`POST /api/destinations/${record.id}/chat`)).toMatchObject({
    ...{ status: 409, body: { code: 'conflict', message: 'This link is over.' } },
  });
});

it('a group is linked by the same code, and the present chat stays until then', async () => {
  now += 60_000;
  const record = await add();
  telegram.write(`/start@${telegramBot.name} ${codeOf(await link(record))}`, { id: -5, title: 'Our group' });
  expect(await find(record)).toMatchObject({
    linked: true,
    record: { shown: `Our group, by @${telegramBot.name}` },
  });
  await link(record);
  expect(await find(record)).toMatchObject({
    linked: false,
    record: { state: 'on', shown: expect.stringMatching(/^Our group/) },
  });
});

it('the chat is found behind a hundred messages that are as long as they can be', async () => {
  now += 60_000;
  const record = await add();
  const code = codeOf(await link(record));
  const longest = '€'.repeat(4_096);
  for (let message = 0; message < 100; message += 1)
    telegram.write(longest, { id: 66, first_name: 'Eve' }, longest);
  telegram.write(`/start ${code}`, { id: 42, first_name: 'Ada' });
  expect(await find(record)).toMatchObject({ linked: true });
});

it('a code is over after ten minutes, and a new one replaces it', async () => {
  now += 60_000;
  const record = await add();
  const first = codeOf(await link(record));
  const second = codeOf(await link(record));
  telegram.write(`/start ${first}`, { id: 66, first_name: 'Eve' });
  expect(await find(record)).toMatchObject({ linked: false });
  telegram.write(`/start ${second}`, { id: 42, first_name: 'Ada' });
  now += destinationLimits.chatLinkMinutes * 60_000;
  expect((await ada.call(`POST /api/destinations/${record.id}/chat`)).status).toBe(409);
});

it('another token has no chat, so nothing goes there until one is linked', async () => {
  now += 60_000;
  const record = await add();
  telegram.write(`/start ${codeOf(await link(record))}`, { id: 42, first_name: 'Ada' });
  const { record: linked } = await find(record);
  const target = { kind: 'telegram', token: telegramBot.token };
  const changed = await ada.call(`PATCH /api/destinations/${record.id}`, { version: linked.version, target });
  expect(changed).toMatchObject({ status: 200, body: { state: 'off', problem: 'No chat is linked yet.' } });
});

it('says what Telegram answers to a wrong token, and where another program reads the messages', async () => {
  now += 60_000;
  const wrong = await add('110201543:another-token-of-nobody');
  expect(await ada.call(`POST /api/destinations/${wrong.id}/chat-link`)).toMatchObject({
    ...{ status: 409, body: { message: expect.stringContaining('the token of the bot is not right') } },
  });
  const record = await add();
  await link(record);
  service.refuseNext({
    status: 409,
    body: { ok: false, description: 'Conflict: terminated by other getUpdates' },
  });
  expect(await ada.call(`POST /api/destinations/${record.id}/chat`)).toMatchObject({
    ...{ status: 409, body: { message: expect.stringContaining('another program reads the messages') } },
  });
});

it('only a destination at Telegram has a chat', async () => {
  now += 60_000;
  await add();
  const target = { kind: 'webhook', url: 'https://hooks.example.com/' };
  const { record } = bodyOf<{ record: Destination }>(
    await ada.call('POST /api/destinations', { name: 'Ours', target }),
    201,
  );
  for (const verb of ['chat-link', 'chat'])
    expect((await ada.call(`POST /api/destinations/${record.id}/${verb}`)).status).toBe(409);
});

it('an account waits for Telegram in two looks at once, and in another when one is over', async () => {
  let end: (reason: Error) => void = () => {};
  const waits = new Promise<never>((_, reject) => {
    end = reject;
  });
  const deps = {
    store: { transact: () => waits },
    chatLooks: createSeats(destinationLimits.chatLooks),
    clock: () => now,
  } as unknown as DestinationDeps;
  const look = (userId: string) =>
    findChat(deps, { userId, sessionId: 's' } as SessionIdentity, 'id').catch(String);
  const first = Array.from({ length: destinationLimits.chatLooks }, () => look('ada'));
  expect(await look('ada')).toContain('Your account looks for a chat already.');
  const other = look('eve');
  end(new Error('over'));
  expect(await Promise.all([...first, other])).toEqual(Array(3).fill('Error: over'));
  expect(await look('ada')).toBe('Error: over');
});
