import { createPagerduty, pagerdutyKey, startChat } from '@homeport/stand-ins/chats';
import { expect, test } from 'vitest';
import {
  cameBack,
  deliverTo,
  hostileName,
  hugeNews,
  manyNews,
  origin,
  test as testNews,
  wentSilent,
} from '../chat/testing.ts';

const target = (key = pagerdutyKey) => ({ kind: 'pagerduty', key }) as const;

async function startPagerduty() {
  const pagerduty = createPagerduty();
  const server = await startChat(pagerduty.chat);
  return { ...pagerduty, ...server };
}

test('an incident is one alert, however often it is sent, and its end resolves the alert', async () => {
  await using pagerduty = await startPagerduty();
  const send = (news: typeof wentSilent) => deliverTo(target(), { ...pagerduty, message: { news: [news] } });
  expect(await send(wentSilent)).toEqual({ outcome: 'sent', answer: 'PagerDuty answered 202 Accepted.' });
  await send(wentSilent);
  expect(pagerduty.alerts).toEqual([
    {
      ...{ key: wentSilent.incident, summary: expect.stringContaining(hostileName), severity: 'critical' },
      ...{ links: [`${origin}/server/k3y`], resolved: false },
    },
  ]);
  await send(cameBack);
  await send(cameBack);
  expect(pagerduty.alerts).toMatchObject([{ resolved: true }]);
});

test('a test is an alert of the lowest severity; summaries and huge news fit', async () => {
  await using pagerduty = await startPagerduty();
  for (const news of [[testNews], manyNews(120), [hugeNews]] as const)
    expect(await deliverTo(target(), { ...pagerduty, message: { news } })).toMatchObject({ outcome: 'sent' });
  expect(pagerduty.alerts).toMatchObject([
    { severity: 'info' },
    { summary: '120 pieces of news', severity: 'critical' },
    {},
  ]);
});

test('a wrong key is broken', async () => {
  await using pagerduty = await startPagerduty();
  expect(await deliverTo(target('0'.repeat(32)), pagerduty)).toMatchObject({
    outcome: 'broken',
    answer: expect.stringContaining('400 Bad Request: the integration key is not right'),
  });
});
