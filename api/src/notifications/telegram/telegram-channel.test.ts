import { randomUUID } from 'node:crypto';
import { createTelegram, startChat, telegramBot } from '@homeport/stand-ins/chats';
import { expect, test } from 'vitest';
import { sealer } from '../../testing/way-of-news.ts';
import {
  acknowledgePage,
  cameBack,
  deliverSealed,
  hostileName,
  hugeNews,
  type Message,
  manyNews,
  origin,
} from '../chat/testing.ts';
import { sealJson } from '../seal-target.ts';

async function startTelegram() {
  const telegram = createTelegram();
  const server = await startChat(telegram.chat);
  const deliver = (message: Message = {}, { chat = 42, token = telegramBot.token } = {}) => {
    const place = { id: randomUUID(), ownerId: randomUUID() };
    const sealed = sealJson(sealer, place, { token, chat: chat === 0 ? null : { id: chat }, code: null });
    return deliverSealed('telegram', { ...place, sealed }, { url: server.url, message });
  };
  return { ...telegram, ...server, deliver };
}

const bot = '110201543';
const firstOf = (chat: number, by = bot) => JSON.stringify([by, chat, 1]);
const visible = (text: string | undefined) => text?.replaceAll('\u2060', '');

test('names of strangers read as themselves, call nobody and lead nowhere', async () => {
  await using telegram = await startTelegram();
  expect(await telegram.deliver()).toEqual({
    ...{ outcome: 'sent', answer: 'Telegram answered 200 OK.', posted: firstOf(42) },
  });
  expect(telegram.messages).toMatchObject([
    { links: [`${origin}/server/k3y`, acknowledgePage], pings: [], silent: false },
  ]);
  expect(visible(telegram.messages[0]?.text)?.split(hostileName)).toHaveLength(3);
});

test('the end of an incident is written into its first message, and answers it silently', async () => {
  await using telegram = await startTelegram();
  await telegram.deliver();
  await telegram.deliver({ news: [cameBack], firstPosted: firstOf(42) });
  expect(telegram.messages).toMatchObject([
    { changed: true, text: expect.stringMatching(/^Resolved: /) },
    { changed: false, text: expect.stringMatching(/^Resolved: /), silent: true, answers: 1 },
  ]);
});

test('a message of another chat or bot is not changed, and what is changed already keeps nothing from being told', async () => {
  await using telegram = await startTelegram();
  telegram.chats.set(43, 'here');
  await telegram.deliver();
  await telegram.deliver({ news: [cameBack], firstPosted: firstOf(42) }, { chat: 43 });
  for (const firstPosted of [firstOf(42, '110201544'), '[42,1]'])
    await telegram.deliver({ news: [cameBack], firstPosted });
  expect(telegram.messages[0]).toMatchObject({ changed: false });
  expect(telegram.messages.filter(({ answers }) => answers !== null)).toEqual([]);
  for (let attempt = 0; attempt < 2; attempt += 1)
    expect(await telegram.deliver({ news: [cameBack], firstPosted: firstOf(42) })).toMatchObject({
      outcome: 'sent',
    });
});

test('a group that became another one is written to where it went', async () => {
  await using telegram = await startTelegram();
  telegram.chats.set(7, -1007);
  telegram.chats.set(-1007, 'here');
  expect(await telegram.deliver({}, { chat: 7 })).toMatchObject({ outcome: 'sent' });
  expect(telegram.messages).toMatchObject([{ chat: -1007 }]);
});

test('a summary and huge news fit', async () => {
  await using telegram = await startTelegram();
  expect(await telegram.deliver({ news: manyNews(120) })).toMatchObject({ outcome: 'sent' });
  expect(telegram.messages[0]?.text).toMatch(
    /^120 pieces of news\n[\s\S]*\nAnd \d+ more\.\nSee the page\nAcknowledge$/,
  );
  expect(await telegram.deliver({ news: [hugeNews] })).toMatchObject({ outcome: 'sent' });
});

test('what is broken says why, and Telegram says how long to wait', async () => {
  await using telegram = await startTelegram();
  telegram.chats.set(9, 'blocked');
  const broken = async (chat: number, token?: string) =>
    telegram.deliver({}, { chat, ...(token !== undefined && { token }) });
  expect(await broken(9)).toMatchObject({
    outcome: 'broken',
    answer: expect.stringContaining('was blocked'),
  });
  expect(await broken(10)).toMatchObject({
    outcome: 'broken',
    answer: expect.stringContaining('does not exist any more'),
  });
  expect(await broken(42, '1:other')).toMatchObject({
    outcome: 'broken',
    answer: expect.stringContaining('the token of the bot'),
  });
  expect(await broken(0)).toMatchObject({
    outcome: 'broken',
    answer: expect.stringMatching(/^No chat is linked yet/),
  });
  telegram.refuseNext({ status: 429, body: { ok: false, error_code: 429, parameters: { retry_after: 7 } } });
  expect(await telegram.deliver()).toMatchObject({ outcome: 'failed', retryAfterMs: 7_000 });
});
