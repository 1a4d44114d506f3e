import { notificationRules } from '@homeport/contract/notifications/kinds';
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

const visible = (text: string | undefined) => text?.replaceAll('\u2060', '');
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
      ...{ key: wentSilent.incident, summary: expect.any(String), severity: 'critical' },
      ...{ links: [`${origin}/server/k3y`], resolved: false },
    },
  ]);
  expect(visible(pagerduty.alerts[0]?.summary)).toContain(hostileName);
  await send(cameBack);
  await send(cameBack);
  expect(pagerduty.alerts).toMatchObject([{ resolved: true }]);
});

test('names of strangers lead nowhere and call nobody, also in the details of an alert', async () => {
  await using pagerduty = await startPagerduty();
  for (const news of [[wentSilent], [hugeNews], manyNews(2)] as const)
    await deliverTo(target(), { ...pagerduty, message: { news } });
  const sent = pagerduty.requests.map(({ body }) => JSON.parse(body).payload);
  expect(sent).toHaveLength(3);
  for (const { summary, custom_details: details } of sent)
    expect(JSON.stringify([summary, details])).not.toMatch(/@everyone|:\/\/|eve\.example/);
});

test('a summary resolves the alerts of what is over, and alerts of the rest alone', async () => {
  await using pagerduty = await startPagerduty();
  const send = (...news: [typeof wentSilent, ...(typeof wentSilent)[]]) =>
    deliverTo(target(), { ...pagerduty, message: { news } });
  const other = { ...wentSilent, incident: 'another' };
  await send(wentSilent);
  await send(other);
  await send(wentSilent, cameBack, { ...wentSilent, incident: 'third' });
  expect(pagerduty.alerts).toMatchObject([
    { key: wentSilent.incident, resolved: true },
    { key: 'another', resolved: false },
    { key: 'third', resolved: false },
  ]);
  expect(await send({ ...cameBack, incident: 'another' }, { ...cameBack, incident: 'third' })).toEqual({
    ...{ outcome: 'sent', answer: 'PagerDuty answered 202 Accepted.' },
  });
  expect(pagerduty.alerts.map(({ resolved }) => resolved)).toEqual([true, true, true]);
});

test('outages of one server are alerts of their own, so that each resolves by itself', async () => {
  await using pagerduty = await startPagerduty();
  const send = (...news: [typeof wentSilent, ...(typeof wentSilent)[]]) =>
    deliverTo(target(), { ...pagerduty, message: { news } });
  const down = (incident: string) => ({ ...wentSilent, event: 'app.went-down' as const, incident });
  const up = (incident: string) => ({ ...cameBack, event: 'app.came-up' as const, incident });
  await send(wentSilent, down('shop'), down('blog'));
  await send(up('shop'), up('blog'));
  expect(pagerduty.alerts).toMatchObject([
    { key: wentSilent.incident, resolved: false },
    { key: 'shop', resolved: true },
    { key: 'blog', resolved: true },
  ]);
});

test('of any number of apps each is an alert that resolves', async () => {
  await using pagerduty = await startPagerduty();
  const apps = Array.from({ length: notificationRules.summaryLines + 2 }, (_, app) => `app ${app}`);
  const send = (event: 'app.went-down' | 'app.came-up') => {
    const [first, ...others] = apps.map((incident) => ({
      ...(event === 'app.went-down' ? wentSilent : cameBack),
      ...{ event, incident },
    }));
    return first && deliverTo(target(), { ...pagerduty, message: { news: [first, ...others] } });
  };
  expect(await send('app.went-down')).toMatchObject({ outcome: 'sent' });
  expect(pagerduty.alerts.map(({ key }) => key)).toEqual(apps);
  expect(await send('app.came-up')).toMatchObject({ outcome: 'sent' });
  expect(pagerduty.alerts.filter(({ resolved }) => !resolved)).toEqual([]);
});

test('a try sends so many alerts, and the next one the rest', async () => {
  await using pagerduty = await startPagerduty();
  const apps = Array.from({ length: 203 }, (_, app) => `app ${app}`);
  const [first, ...others] = apps.map((incident) => ({
    ...{ ...wentSilent, event: 'app.went-down' as const, incident },
  }));
  if (!first) throw new Error('There are apps.');
  const send = (reached?: string) =>
    deliverTo(target(), {
      ...pagerduty,
      message: { news: [first, ...others], ...(reached === undefined ? {} : { reached }) },
    });
  expect(await send()).toMatchObject({ outcome: 'failed', posted: 'app 199', retryAfterMs: 60_000 });
  expect(pagerduty.alerts.map(({ key }) => key)).toEqual(apps.slice(0, 200));
  expect(await send('app 199')).toMatchObject({ outcome: 'sent' });
  expect(pagerduty.alerts.map(({ key }) => key)).toEqual(apps);
});

test('another try goes on where one ended', async () => {
  await using pagerduty = await startPagerduty();
  const down = (incident: string) => ({ ...wentSilent, event: 'app.went-down' as const, incident });
  const send = (reached?: string) =>
    deliverTo(target(), {
      ...pagerduty,
      message: {
        news: [down('shop'), down('blog'), down('wiki')],
        ...(reached === undefined ? {} : { reached }),
      },
    });
  const tried = () => pagerduty.requests.map(({ body }) => JSON.parse(body).dedup_key);
  expect(await send('shop')).toMatchObject({ outcome: 'sent' });
  expect(tried()).toEqual(['blog', 'wiki']);
  expect(pagerduty.alerts.map(({ key }) => key)).toEqual(['blog', 'wiki']);
  expect(await send('gone')).toMatchObject({ outcome: 'sent' });
  expect(tried().slice(2)).toEqual(['shop', 'blog', 'wiki']);
});

test('a summary whose end cannot be told is tried again before it alerts', async () => {
  await using pagerduty = await startPagerduty();
  pagerduty.refuseNext({ status: 503 });
  const news = [cameBack, { ...wentSilent, incident: 'another' }] as const;
  expect(await deliverTo(target(), { ...pagerduty, message: { news } })).toMatchObject({ outcome: 'failed' });
  expect(pagerduty.alerts).toEqual([]);
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
