import { destinationLimits } from '@homeport/contract/destinations/facts';
import { expect, test } from 'vitest';
import { testNews, weighNews } from '../weigh-news.ts';
import { writeEvent } from './write-event.ts';

const origin = 'https://console.example.com';
const at = Date.UTC(2026, 10, 22, 10, 13);
const down = (appName: string) =>
  weighNews(
    {
      ...{ event: 'app.went-down', appName, longname: 'shop-abc', serverName: 'lantern', serverKey: 'kx7' },
      ...{ since: at, url: 'https://shop.example.com/', reason: 'It answered 502.' },
    },
    { thread: 'the incident', at },
  );

test('one piece of news is an event with its incident, state and weight', () => {
  expect(JSON.parse(writeEvent(origin, { news: [down('shop')] }))).toEqual({
    type: 'app.went_down',
    timestamp: '2026-11-22T10:13:00.000Z',
    data: {
      ...{ incident: 'the incident', state: 'firing', severity: 'critical', topic: 'Outage of shop' },
      ...{ text: 'shop is down.', url: 'https://console.example.com/app/kx7/shop-abc' },
      acknowledge: 'https://console.example.com/notifications?incident=the incident',
      details: [
        { name: 'Since', value: '2026-11-22T10:13:00.000Z' },
        { name: 'Why', value: 'It answered 502.' },
        { name: 'Asked for', value: 'https://shop.example.com/' },
        { name: 'Server', value: 'lantern' },
      ],
    },
  });
});

test('a test is an event of its own', () => {
  expect(JSON.parse(writeEvent(origin, { news: [testNews('destination', at)] }))).toMatchObject({
    type: 'test',
    data: { state: 'none', severity: 'info' },
  });
});

test.each([['shop'], ['😀'.repeat(40)], ['"\\'.repeat(40)]])(
  'a summary of %j keeps the bound of bytes and counts the rest',
  (name) => {
    const news = Array.from({ length: 900 }, (_, n) => down(`${name} ${n}`));
    const body = writeEvent(origin, { news: [down(name), ...news] });
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(destinationLimits.bodyBytes);
    const { type, data } = JSON.parse(body) as { type: string; data: { news: unknown[]; more: number } };
    expect(type).toBe('summary');
    expect(data.news.length).toBeGreaterThan(10);
    expect(data.news.length + data.more).toBe(901);
  },
);

test('names and texts of strangers stay what they are', () => {
  const name = '<b>*_[x](y)@everyone","type":"forged';
  const told = JSON.parse(writeEvent(origin, { news: [down(name)] })) as { type: string; data: object };
  expect(told).toMatchObject({ type: 'app.went_down', data: { text: `${name} is down.` } });
});
