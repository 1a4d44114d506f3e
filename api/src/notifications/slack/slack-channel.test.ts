import { createSlack, slackPath, startChat } from '@homeport/stand-ins/chats';
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

const target = (path = slackPath) => ({ kind: 'slack', url: `https://hooks.slack.com${path}` }) as const;

async function startSlack() {
  const slack = createSlack();
  const server = await startChat(slack.chat);
  return { ...slack, ...server };
}

test('names of strangers read as themselves, call nobody and lead nowhere', async () => {
  await using slack = await startSlack();
  expect(await deliverTo(target(), slack)).toEqual({ outcome: 'sent', answer: 'Slack answered 200 OK.' });
  const page = `${origin}/server/k3y`;
  expect(slack.seen).toEqual([
    {
      text: expect.stringMatching(
        /^Reports of .*\n.* is offline.*\nLast report: 22 Nov 2026, 10:13 UTC\nSee the page\nAcknowledge$/,
      ),
      ...{ links: [page, acknowledgePage], pings: [] },
    },
  ]);
  expect(slack.seen[0]?.text.split(hostileName)).toHaveLength(3);
  expect(slack.notices).toEqual([{ text: expect.stringContaining(hostileName), links: [], pings: [] }]);
});

test('the end of an incident says so in a message of its own', async () => {
  await using slack = await startSlack();
  await deliverTo(target(), { ...slack, message: { news: [cameBack], firstPosted: 'something' } });
  expect(slack.seen[0]?.text).toMatch(/^Resolved: Reports of /);
});

test('a summary has a link for each piece, and huge news fits', async () => {
  await using slack = await startSlack();
  expect(await deliverTo(target(), { ...slack, message: { news: manyNews(120) } })).toMatchObject({
    outcome: 'sent',
  });
  expect(slack.seen[0]?.text).toMatch(/^120 pieces of news\n/);
  expect(slack.seen[0]?.text).toMatch(/And 70 more\.\nAcknowledge$/);
  expect(slack.seen[0]?.links).toHaveLength(51);
  expect(await deliverTo(target(), { ...slack, message: { news: [hugeNews] } })).toMatchObject({
    outcome: 'sent',
  });
});

test.each([
  [
    '/services/T024BE7LD/B0123ABCD/another',
    'Slack answered 403 Forbidden: the address of the webhook is not right',
  ],
  ['/services/T024BE7LD/B9/x', 'Slack answered 404 Not Found: the webhook was removed or switched off'],
  ['/services/T9/B9/x', 'Slack answered 404 Not Found: the workspace does not exist any more'],
])('a wrong webhook is broken: %s', async (path, answer) => {
  await using slack = await startSlack();
  const delivered = await deliverTo(target(path), slack);
  expect(delivered).toEqual({
    outcome: 'broken',
    answer: `${answer}, so nothing is sent there until a test succeeds or you change it.`,
  });
});

test('waits for as long as Slack asks, and a word that is not known is not repeated', async () => {
  await using slack = await startSlack();
  slack.refuseNext({ status: 429, headers: { 'retry-after': '30' }, body: 'rate_limited' });
  expect(await deliverTo(target(), slack)).toEqual({
    ...{ outcome: 'failed', retryAfterMs: 30_000 },
    answer: 'Slack answered 429 Too Many Requests: too many messages at once.',
  });
  slack.refuseNext({ status: 400, body: '<b>their words</b>' });
  expect(await deliverTo(target(), { ...slack, message: { news: [wentSilent] } })).toEqual({
    outcome: 'refused',
    answer: 'Slack answered 400 Bad Request.',
  });
});
