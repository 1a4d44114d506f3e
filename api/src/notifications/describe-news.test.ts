import type { NoticeEvent } from '@homeport/contract/notifications/events';
import { endingEvents, firingEvents } from '@homeport/contract/notifications/kinds';
import { expect, test } from 'vitest';
import { describeNews } from './describe-news.ts';
import { writeMail } from './email/write-mail.ts';
import { weighNews } from './weigh-news.ts';

const at = Date.UTC(2026, 10, 22, 10, 13);
const app = { appName: 'shop', longname: 'shop-abc', serverName: 'lantern', serverKey: 'kx7' };
const databaseId = '9d2c3f1e-6a52-4a0b-8a41-0e5cf1d0a001';
const server = { serverName: 'lantern', serverKey: 'kx7' };
const database = { databaseName: 'orders', longname: 'orders-abc', ...server };
const proxy = { proxyName: 'Quay', proxyId: 'p1', domain: 'quay.example.com' };
const later = at + 12 * 60_000;

const events: [NoticeEvent, topic: string, text: string, page: string][] = [
  [
    {
      event: 'app.went-down',
      ...app,
      since: at,
      url: 'https://shop.example.com/',
      reason: 'It answered 502.',
    },
    'Outage of shop',
    'shop is down.',
    '/app/kx7/shop-abc',
  ],
  [
    { event: 'app.came-up', ...app, since: at, until: later },
    'Outage of shop',
    'shop is up again after 12 min.',
    '/app/kx7/shop-abc',
  ],
  [
    { event: 'certificate.ends', ...app, domain: 'shop.example.com', days: 1, validTo: later },
    'Certificate of shop.example.com',
    'The certificate of shop.example.com ends within 1 day.',
    '/app/kx7/shop-abc',
  ],
  [
    { event: 'console-backup.failed', at },
    'Backups of this console',
    'The daily backup of this console failed.',
    '/console#backups',
  ],
  [
    { event: 'console-backup.late', at },
    'Backups of this console',
    'The daily backup of this console is late.',
    '/console#backups',
  ],
  [
    { event: 'console-backup.works-again', at: later },
    'Backups of this console',
    'This console is backed up again.',
    '/console#backups',
  ],
  [
    { event: 'website.failing', ...proxy, path: '/blog', since: at, requests: 10, errors: 6 },
    'Website of quay.example.com/blog',
    'The website of quay.example.com/blog fails: 6 of the last 10 requests were answered with errors.',
    '/proxy/p1',
  ],
  [
    { event: 'website.works-again', ...proxy, path: null, since: at, until: later },
    'Website of quay.example.com',
    'The primary website of quay.example.com works again after 12 min.',
    '/proxy/p1',
  ],
  [
    { event: 'proxy-certificate.ends', ...proxy, days: 7, validTo: later },
    'Certificate of quay.example.com',
    'The certificate of quay.example.com ends within 7 days.',
    '/proxy/p1',
  ],
  [
    { event: 'domain.astray', ...proxy, since: at, missing: 'pointing', servedUntil: later },
    'Domain quay.example.com',
    'DNS of quay.example.com does not lead to the proxy service any more.',
    '/proxy/p1',
  ],
  [
    { event: 'domain.astray', ...proxy, since: at, missing: 'ownership', servedUntil: later },
    'Domain quay.example.com',
    'Nothing proves any more that quay.example.com is yours.',
    '/proxy/p1',
  ],
  [
    { event: 'domain.unserved', ...proxy, at },
    'Domain quay.example.com',
    'quay.example.com is not served any more. Its page names the missing record.',
    '/proxy/p1',
  ],
  [
    { event: 'domain.back', ...proxy, since: at, until: later },
    'Domain quay.example.com',
    'quay.example.com leads to the proxy service again.',
    '/proxy/p1',
  ],
  [
    { event: 'deploy.failed', ...app, at },
    'Deploys of shop',
    'A deploy of shop failed.',
    '/app/kx7/shop-abc',
  ],
  [
    { event: 'server.went-silent', ...server, since: at },
    'Reports of lantern',
    'lantern is offline: its reports have stopped.',
    '/server/kx7',
  ],
  [
    { event: 'server.came-back', ...server, since: at, until: at + 26 * 3_600_000 },
    'Reports of lantern',
    'lantern is online again after 26 h 0 min.',
    '/server/kx7',
  ],
  [
    { event: 'disk.filled', ...server, since: at, percent: 91.26 },
    'Disk of lantern',
    'The disk of lantern is 91.2 % full.',
    '/server/kx7',
  ],
  [
    { event: 'disk.eased', ...server, until: at, percent: 80 },
    'Disk of lantern',
    'The disk of lantern has room again: it is 80.0 % full.',
    '/server/kx7',
  ],
  [
    { event: 'disk.filling', ...server, since: at, percent: 62.5, fullAt: at + 30 * 3_600_000 },
    'Growth of the disk of lantern',
    'The disk of lantern will be full in 30 h 0 min if it goes on as in the last 12 hours. It is 62.5 % full.',
    '/server/kx7',
  ],
  [
    { event: 'disk.steadied', ...server, since: at, until: at + 1, percent: 63 },
    'Growth of the disk of lantern',
    'The disk of lantern does not fill so fast any more: it is 63.0 % full.',
    '/server/kx7',
  ],
  [
    { event: 'server.rebooted', ...server, at, lastReportAt: at - 1 },
    'Start of lantern',
    'lantern has started anew.',
    '/server/kx7',
  ],
  [
    { event: 'server.strained', ...server, resource: 'load', since: at, percent: 325 },
    'Load of lantern',
    'The load of lantern stays high: 325.0 % of its cores, for 15 minutes now.',
    '/server/kx7',
  ],
  [
    { event: 'server.eased', ...server, resource: 'ram', since: at, until: at + 1, percent: 40 },
    'Memory of lantern',
    'The memory of lantern has eased: 40.0 % in use.',
    '/server/kx7',
  ],
  ...(['failed', 'missed', 'works-again'] as const).map((what): (typeof events)[number] => [
    { event: `backup.${what}`, ...database, databaseId, at },
    'Backups of orders',
    {
      failed: 'The scheduled backup of orders failed.',
      missed: 'The scheduled backup of orders did not come.',
      'works-again': 'Backups of orders work again.',
    }[what],
    `/databases/orders-abc?id=${databaseId}#schedule`,
  ]),
  [
    {
      event: 'operation.failed',
      title: 'Rebuild',
      step: 'Rebuild the app',
      at,
      ...server,
      longname: 'shop-abc',
      database: false,
    },
    'Rebuild: shop-abc',
    'Rebuild of shop-abc failed.',
    '/app/kx7/shop-abc',
  ],
  [
    {
      event: 'operation.failed',
      title: 'Start',
      step: 'Start the database',
      at,
      ...server,
      longname: 'orders-abc',
      database: true,
      databaseId,
    },
    'Start: orders-abc',
    'Start of orders-abc failed.',
    `/databases/orders-abc?id=${databaseId}`,
  ],
  // An earlier console did not note which database it was.
  [
    {
      event: 'operation.failed',
      ...{ title: 'Start', step: null, at, ...server, longname: 'orders-abc', database: true },
    },
    'Start: orders-abc',
    'Start of orders-abc failed.',
    '/databases/orders-abc',
  ],
  [
    {
      event: 'operation.failed',
      ...{ title: 'Removal', step: null, at, longname: null, serverName: null, serverKey: null },
      database: false,
    },
    'Removal',
    'Removal failed.',
    '/home',
  ],
  [
    { event: 'destination.broken', name: 'Our room', problem: 'Slack answered 410 Gone.', at },
    'Destination Our room',
    'Our room takes no news any more, so none is sent there.',
    '/profile#notifications',
  ],
];

test.each(events)('%o reads well', (event, topic, text, page) => {
  expect(describeNews(event)).toMatchObject({ topic, text, page });
});

test.each(events)('%o ends an incident where the store holds it for an end', (event) => {
  const isEnd = weighNews(event, { thread: 'a', at }).state === 'resolved';
  expect(endingEvents.some((each) => each === event.event)).toBe(isEnd);
});

test.each(events)('%o begins what the store holds for something that goes on', (event) => {
  const { state, acknowledge } = weighNews(event, { thread: 'a', at });
  expect(firingEvents.some((each) => each === event.event)).toBe(state === 'firing');
  expect(acknowledge).toBe(state === 'firing' ? '/notifications?incident=a' : null);
});

test('a mail says what happened, since when, where, and how to be told less', () => {
  const message = writeMail('https://console.example.com', {
    id: 'word',
    person: { name: 'Ada', address: 'ada@example.com', verified: true },
    news: [weighNews((events[0] as (typeof events)[number])[0], { thread: 'incident', at })],
    earlier: [],
  });
  expect(message).toEqual({
    to: 'ada@example.com',
    thread: { id: 'word', earlier: [] },
    subject: 'Outage of shop',
    text: `Hello Ada,

shop is down.

Since:     22 Nov 2026, 10:13 UTC
Why:       It answered 502.
Asked for: https://shop.example.com/
Server:    lantern

See the page: https://console.example.com/app/kx7/shop-abc
Acknowledge:  https://console.example.com/notifications?incident=incident

To get fewer messages, use the switches under Notifications on that page:
https://console.example.com/app/kx7/shop-abc#notifications
`,
  });
});

test('a mail about the console itself says what ends such messages, because no switch does', () => {
  const { text } = writeMail('https://console.example.com', {
    id: 'word',
    person: { name: 'Ada', address: 'ada@example.com', verified: true },
    news: [weighNews({ event: 'console-backup.late', at }, { thread: 'incident', at })],
    earlier: [],
  });
  expect(text).toContain(`None since: 22 Nov 2026, 10:13 UTC

See the page: https://console.example.com/console#backups
Acknowledge:  https://console.example.com/notifications?incident=incident

Such messages come while a schedule makes backups of this console, which that page sets.
`);
  expect(text).not.toContain('#notifications');
});

test('a name in an address of a page stays one part of it', () => {
  const { page } = describeNews({
    event: 'server.went-silent',
    serverName: 'a',
    serverKey: 'a/b?c',
    since: at,
  });
  expect(page).toBe('/server/a%2Fb%3Fc');
});
