import { createDiscord, discordWebhook, startChat } from '@homeport/stand-ins/chats';
import { expect, test } from 'vitest';
import {
  acknowledgePage,
  cameBack,
  deliverTo,
  hostileName,
  hugeNews,
  manyNews,
  origin,
  wentSilent,
} from '../chat/testing.ts';
import { keepDiscord } from './discord-channel.ts';

const { id, token } = discordWebhook;
const target = (rest = `${id}/${token}`) =>
  ({ kind: 'discord', url: `https://discord.com/api/webhooks/${rest}` }) as const;
const page = `${origin}/server/k3y`;

async function startDiscord() {
  const discord = createDiscord();
  const server = await startChat(discord.chat);
  return { ...discord, ...server };
}

test('names of strangers read as themselves, call nobody and lead nowhere', async () => {
  await using discord = await startDiscord();
  expect(await deliverTo(target(), discord)).toEqual({
    ...{ outcome: 'sent', answer: 'Discord answered 200 OK.', posted: `${id}/100` },
  });
  expect(discord.messages).toMatchObject([{ links: [acknowledgePage, page], pings: [], silent: false }]);
  const text = discord.messages[0]?.text ?? '';
  expect(text.split(hostileName)).toHaveLength(3);
  expect(text).toMatch(/\nLast report\n22 Nov 2026, 10:13 UTC$/);
});

test('the end of an incident is written into its first message, and told silently', async () => {
  await using discord = await startDiscord();
  const first = await deliverTo(target(), discord);
  const firstPosted = first.outcome === 'sent' ? (first.posted ?? null) : null;
  await deliverTo(target(), { ...discord, message: { news: [cameBack], firstPosted } });
  expect(discord.messages).toMatchObject([
    { changed: true, text: expect.stringMatching(/^Resolved: /), links: [page], pings: [] },
    { changed: false, text: expect.stringMatching(/^Resolved: /), silent: true },
  ]);
});

test('a first message that is gone, or is of another webhook, keeps nothing from being told', async () => {
  await using discord = await startDiscord();
  for (const firstPosted of [`${id}/999`, '42/100'])
    expect(
      await deliverTo(target(), { ...discord, message: { news: [cameBack], firstPosted } }),
    ).toMatchObject({
      outcome: 'sent',
    });
  expect(discord.requests.map(({ method }) => method)).toEqual(['PATCH', 'POST', 'POST']);
});

test('a change that Discord puts off is tried again before anything else is sent', async () => {
  await using discord = await startDiscord();
  discord.refuseNext({
    status: 429,
    headers: { 'retry-after': '3' },
    body: { retry_after: 2.4, global: false },
  });
  expect(
    await deliverTo(target(), { ...discord, message: { news: [cameBack], firstPosted: `${id}/100` } }),
  ).toMatchObject({ outcome: 'failed', retryAfterMs: 3_000 });
  expect(discord.messages).toEqual([]);
});

test('a summary and huge news fit', async () => {
  await using discord = await startDiscord();
  expect(await deliverTo(target(), { ...discord, message: { news: manyNews(120) } })).toMatchObject({
    outcome: 'sent',
  });
  expect(discord.messages[0]?.text).toMatch(/^120 pieces of news\n[\s\S]*And \d+ more\.\nAcknowledge$/);
  expect(new Set(discord.messages[0]?.links)).toEqual(
    new Set([`${origin}/server/k`, `${origin}/notifications`]),
  );
  expect(await deliverTo(target(), { ...discord, message: { news: [hugeNews] } })).toMatchObject({
    outcome: 'sent',
  });
});

test('writes into a thread of the channel', async () => {
  await using discord = await startDiscord();
  expect(await deliverTo(target(`${id}/${token}?thread_id=77`), discord)).toMatchObject({ outcome: 'sent' });
  expect(await deliverTo(target(`${id}/${token}?thread_id=78`), discord)).toMatchObject({
    outcome: 'broken',
  });
});

test.each([
  [`${id}/another`, 'Discord answered 401 Unauthorized: the address of the webhook is not right'],
  [`5/${token}`, 'Discord answered 404 Not Found: the webhook was removed'],
])('a wrong webhook is broken: %s', async (rest, answer) => {
  await using discord = await startDiscord();
  expect(await deliverTo(target(rest), { ...discord, message: { news: [wentSilent] } })).toEqual({
    outcome: 'broken',
    answer: `${answer}, so nothing is sent there until a test succeeds or you change it.`,
  });
});

test.each([
  `https://discord.com/api/webhooks/${id}/${token}`,
  `https://canary.discord.com/api/v10/webhooks/${id}/${token}/`,
  `https://discord.com/api/webhooks/${id}/${token}/slack`,
  `https://discord.com/api/webhooks/${id}/${token}/github?thread_id=77`,
])('the token of a webhook is never shown: %s', (url) => {
  const { shown, kept } = keepDiscord({ kind: 'discord', url });
  expect(shown).toBe(`webhook ${id}`);
  expect(kept).toMatchObject({ id, token });
});
