import { createNtfy, ntfyToken, startChat } from '@homeport/stand-ins/chats';
import { expect, test } from 'vitest';
import { cameBack, deliverTo, hostileName, hugeNews, manyNews, origin, wentSilent } from '../chat/testing.ts';

async function startNtfy() {
  const ntfy = createNtfy();
  const server = await startChat(ntfy.chat);
  const target = (topic = 'homeport', token?: string) =>
    ({ kind: 'ntfy', url: `${server.url}/${topic}`, ...(token !== undefined && { token }) }) as const;
  return { ...ntfy, ...server, target, host: new URL(server.url).host };
}

const visible = (text: string | undefined) => text?.replaceAll('\u2060', '');

test('names of strangers read as themselves, and no program makes a link or a call of them', async () => {
  await using ntfy = await startNtfy();
  expect(await deliverTo(ntfy.target(), ntfy)).toEqual({
    ...{ outcome: 'sent', answer: `${ntfy.host} answered 200 OK.` },
  });
  const [message] = ntfy.messages.values();
  expect(message).toMatchObject({ priority: 5, click: `${origin}/server/k3y`, attachment: false });
  expect(visible(message?.title)).toBe(`Reports of ${hostileName}`);
  expect(visible(message?.message)).toContain(hostileName);
  expect(message?.message).not.toMatch(/@everyone|:\/\/|eve\.example/);
});

test('the end of an incident replaces its beginning, without a sound', async () => {
  await using ntfy = await startNtfy();
  for (const news of [wentSilent, cameBack])
    await deliverTo(ntfy.target(), { ...ntfy, message: { news: [news] } });
  expect([...ntfy.messages.values()]).toMatchObject([
    { title: expect.stringMatching(/^Resolved: /), priority: 2 },
  ]);
});

test('a summary that is sent twice is shown once, and everything fits', async () => {
  await using ntfy = await startNtfy();
  const id = '0c9d2f1e-0000-4000-8000-000000000000';
  for (let attempt = 0; attempt < 2; attempt += 1)
    await deliverTo(ntfy.target(), { ...ntfy, message: { id, news: manyNews(120) } });
  await deliverTo(ntfy.target(), { ...ntfy, message: { news: [hugeNews] } });
  const [summary, huge] = [...ntfy.messages.values()];
  expect(summary).toMatchObject({ title: '120 pieces of news', attachment: false });
  expect(summary?.message).toMatch(/\nAnd \d+ more\.$/);
  expect(huge).toMatchObject({ attachment: false });
  expect(ntfy.messages.size).toBe(2);
});

test('what followed of an incident replaces its first message, also where it comes in one message', async () => {
  await using ntfy = await startNtfy();
  const [first] = manyNews(1);
  await deliverTo(ntfy.target(), { ...ntfy, message: { news: [first] } });
  await deliverTo(ntfy.target(), { ...ntfy, message: { news: [first, first] } });
  expect(ntfy.messages.size).toBe(1);
});

test('a topic that asks for a token gets it, and a wrong one breaks the destination', async () => {
  await using ntfy = await startNtfy();
  expect(await deliverTo(ntfy.target('private', ntfyToken), ntfy)).toMatchObject({ outcome: 'sent' });
  expect(await deliverTo(ntfy.target('private', 'tk_other'), ntfy)).toMatchObject({
    ...{
      outcome: 'broken',
      answer: expect.stringContaining('401 Unauthorized: the access token is not right'),
    },
  });
  expect(await deliverTo(ntfy.target('private'), ntfy)).toMatchObject({
    outcome: 'broken',
    answer: expect.stringContaining('403 Forbidden: the topic takes messages only with a token'),
  });
});

test('waits although ntfy names no time', async () => {
  await using ntfy = await startNtfy();
  for (const [code, retryAfterMs] of [
    [42901, 10_000],
    [42908, 3_600_000],
  ] as const) {
    ntfy.refuseNext({ status: 429, body: { code, http: 429, error: 'limit reached' } });
    expect(await deliverTo(ntfy.target(), ntfy)).toMatchObject({ outcome: 'failed', retryAfterMs });
  }
});
