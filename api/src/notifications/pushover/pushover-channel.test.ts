import { createPushover, pushoverKeys, startChat } from '@homeport/stand-ins/chats';
import { expect, test } from 'vitest';
import { cameBack, deliverTo, hostileName, hugeNews, manyNews, origin } from '../chat/testing.ts';

const target = (changes: Partial<typeof pushoverKeys> = {}) =>
  ({ kind: 'pushover', ...pushoverKeys, ...changes }) as const;

async function startPushover() {
  const pushover = createPushover();
  const server = await startChat(pushover.chat);
  return { ...pushover, ...server };
}

const visible = (text: string | undefined) => text?.replaceAll('\u2060', '');

test('names of strangers read as themselves, and no program makes a link or a call of them', async () => {
  await using pushover = await startPushover();
  expect(await deliverTo(target(), pushover)).toEqual({
    outcome: 'sent',
    answer: 'Pushover answered 200 OK.',
  });
  expect(pushover.messages).toMatchObject([{ priority: 1, url: `${origin}/server/k3y` }]);
  expect(pushover.messages[0]?.html).toBeUndefined();
  expect(visible(pushover.messages[0]?.title)).toBe(`Reports of ${hostileName}`);
  expect(visible(pushover.messages[0]?.message)).toContain(hostileName);
  expect(pushover.messages[0]?.message).not.toMatch(/@everyone|:\/\/|eve\.example/);
});

test('the end of an incident makes no sound, and summaries and huge news fit', async () => {
  await using pushover = await startPushover();
  for (const news of [[cameBack], manyNews(120), [hugeNews]] as const)
    expect(await deliverTo(target(), { ...pushover, message: { news } })).toMatchObject({ outcome: 'sent' });
  expect(pushover.messages).toMatchObject([
    { title: expect.stringMatching(/^Resolved: /), priority: -1 },
    { title: '120 pieces of news', message: expect.stringMatching(/\nAnd \d+ more\.$/) },
    {},
  ]);
});

test.each([
  [{ token: 'a' }, '400 Bad Request: the token of the application is not right'],
  [{ user: 'u' }, '400 Bad Request: the key of the person or group is not right'],
])('a wrong key is broken: %o', async (changes, answer) => {
  await using pushover = await startPushover();
  expect(await deliverTo(target(changes), pushover)).toMatchObject({
    outcome: 'broken',
    answer: expect.stringContaining(answer),
  });
});

test('a spent month is no reason to give up, nor to ask at once', async () => {
  await using pushover = await startPushover();
  pushover.refuseNext({ status: 429, body: { status: 0, errors: ['over quota'] } });
  expect(await deliverTo(target(), pushover)).toMatchObject({ outcome: 'failed', retryAfterMs: 3_600_000 });
});
