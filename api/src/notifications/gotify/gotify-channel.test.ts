import { createGotify, gotifyToken, startChat } from '@homeport/stand-ins/chats';
import { expect, test } from 'vitest';
import { cameBack, deliverTo, hostileName, hugeNews, manyNews, origin } from '../chat/testing.ts';

async function startGotify() {
  const gotify = createGotify();
  const server = await startChat(gotify.chat);
  const target = (path = '/push/', token: string = gotifyToken) =>
    ({ kind: 'gotify', url: `${server.url}${path}`, token }) as const;
  return { ...gotify, ...server, target };
}

const visible = (text: string | undefined) => text?.replaceAll('\u2060', '');

test('names of strangers read as themselves, and no program makes a link or a call of them', async () => {
  await using gotify = await startGotify();
  expect(await deliverTo(gotify.target(), gotify)).toMatchObject({ outcome: 'sent' });
  expect(gotify.messages).toMatchObject([
    {
      ...{ priority: 8, markdown: false },
      extras: { 'client::notification': { click: { url: `${origin}/server/k3y` } } },
    },
  ]);
  expect(visible(gotify.messages[0]?.title)).toBe(`Reports of ${hostileName}`);
  expect(visible(gotify.messages[0]?.message)).toContain(hostileName);
  expect(gotify.messages[0]?.message).not.toMatch(/@everyone|:\/\/|eve\.example/);
});

test('the end of an incident makes no sound, and summaries and huge news fit', async () => {
  await using gotify = await startGotify();
  await deliverTo(gotify.target('/push'), { ...gotify, message: { news: [cameBack] } });
  await deliverTo(gotify.target('/push'), { ...gotify, message: { news: manyNews(120) } });
  await deliverTo(gotify.target('/push'), { ...gotify, message: { news: [hugeNews] } });
  expect(gotify.messages).toMatchObject([
    { title: expect.stringMatching(/^Resolved: /), priority: 2 },
    { title: '120 pieces of news', message: expect.stringMatching(/\nAnd \d+ more\.$/) },
    {},
  ]);
});

test.each([
  ['/push/', 'another', '401 Unauthorized: the token of the application is not right'],
  ['/', gotifyToken, '404 Not Found: no Gotify answers at this address'],
])('a wrong address or token is broken: %s', async (path, token, answer) => {
  await using gotify = await startGotify();
  expect(await deliverTo(gotify.target(path, token), gotify)).toMatchObject({
    outcome: 'broken',
    answer: expect.stringContaining(answer),
  });
});
